import type {
  Experiment,
  ExperimentEnded,
  ExperimentFact,
  ExperimentShareSet,
  ExperimentStarted,
} from "@feed/domain/experiment";
import { EXPERIMENTS_KEPT_MAX, SCENARIO_VERSIONS_KEPT_MAX } from "@feed/domain/limits";
import type { TenantEntry } from "./fold.ts";

type Entry = Pick<TenantEntry, "experiments" | "scenarios">;

/** The experiment of a scenario that has not ended: at most one, and always the latest. */
export function runningExperimentOf(
  { experiments }: Pick<TenantEntry, "experiments">,
  scenario: string,
): Experiment | undefined {
  const latest = experiments.get(scenario)?.at(-1);
  return latest?.end === null ? latest : undefined;
}

/**
 * Applies one fact about experiments to what is known of their tenant. What contradicts the facts before it has no effect:
 * of two nodes that start or end at the same time, the one that comes first in the log is right, on every node.
 */
export function foldExperimentFact(entry: Entry, fact: ExperimentFact): void {
  switch (fact.type) {
    case "experiment.started":
      return start(entry, fact);
    case "experiment.share-set":
      return setShare(entry, fact);
    case "experiment.ended":
      return end(entry, fact);
    default:
      return fact satisfies never;
  }
}

function start(entry: Entry, fact: ExperimentStarted): void {
  const { type: _type, actor, atMs, ...said } = fact;
  const live = entry.scenarios.get(fact.scenario)?.at(-1);
  if (live?.type !== "feed" || live.version !== fact.controlVersion) return;
  if (runningExperimentOf(entry, fact.scenario) !== undefined) return;
  const times = { startedBy: actor, startedAtMs: atMs, shareSetAtMs: atMs };
  const known = entry.experiments.get(fact.scenario) ?? [];
  const experiments = [...known, { ...said, ...times, end: null }];
  entry.experiments.set(fact.scenario, experiments.slice(-EXPERIMENTS_KEPT_MAX));
}

function setShare(entry: Entry, fact: ExperimentShareSet): void {
  const { scenario, experimentId, variantShare, atMs: shareSetAtMs } = fact;
  const running = runningExperimentOf(entry, scenario);
  if (running?.experimentId !== experimentId) return;
  replaceLatest(entry, { ...running, variantShare, shareSetAtMs });
}

function end(entry: Entry, fact: ExperimentEnded): void {
  const { scenario, experimentId, outcome, actor: endedBy, atMs: endedAtMs } = fact;
  const running = runningExperimentOf(entry, scenario);
  if (running?.experimentId !== experimentId) return;
  const adoptedVersion = outcome === "adopted" ? adopt(entry, running, fact) : null;
  replaceLatest(entry, { ...running, end: { outcome, endedBy, endedAtMs, adoptedVersion } });
}

/** @returns the version that the variant became. */
function adopt(entry: Entry, running: Experiment, { actor, atMs }: ExperimentEnded): number {
  const { tenantId, scenario: name, variantSettings: settings } = running;
  const versions = entry.scenarios.get(name) ?? [];
  const version = (versions.at(-1)?.version ?? 0) + 1;
  const type = "feed" as const;
  const saved = { tenantId, name, type, version, settings, savedBy: actor, savedAtMs: atMs };
  entry.scenarios.set(name, [...versions, saved].slice(-SCENARIO_VERSIONS_KEPT_MAX));
  return version;
}

function replaceLatest({ experiments }: Entry, latest: Experiment): void {
  const earlier = experiments.get(latest.scenario)?.slice(0, -1) ?? [];
  experiments.set(latest.scenario, [...earlier, latest]);
}
