import type { Experiment, ExperimentFact } from "@feed/domain/experiment";
import type { DirectoryFact, UsageThresholdReached } from "@feed/domain/facts";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import { SCENARIO_VERSIONS_KEPT_MAX } from "@feed/domain/limits";
import type { Scenario } from "@feed/domain/scenario";
import type { PeopleFact } from "@feed/domain/people";
import type { Source } from "@feed/domain/source";
import type { ApiKey, Licence, Tenant } from "@feed/domain/tenant";
import type { Webhook } from "@feed/domain/webhook";
import { foldExperimentFact, runningExperimentOf } from "./fold-experiments.ts";
import { emptyPeople, foldPeopleFact, type PeopleState } from "./fold-people.ts";

/** What one tenant's facts add up to. */
export interface TenantEntry {
  tenant: Tenant | undefined;
  webhook: Webhook | undefined;
  readonly keys: Map<string, ApiKey>;
  /** Milliseconds by key id: a use on the latest day the key was used. */
  readonly keyUses: Map<string, number>;
  /** Versions by name, oldest first: at most SCENARIO_VERSIONS_KEPT_MAX, the latest. */
  readonly scenarios: Map<string, readonly ScenarioVersion[]>;
  /** By name of the scenario, oldest first: at most EXPERIMENTS_KEPT_MAX, the latest. */
  readonly experiments: Map<string, readonly Experiment[]>;
  readonly licences: Map<SourceId, Licence>;
  /** Replaced by a change: callers may keep it while it is the same. */
  withheld: ReadonlySet<ContentId>;
  /** The first of each month and threshold. */
  readonly usageAlerts: UsageAlert[];
}

/** A version of a scenario, who saved it, and when. */
export interface ScenarioVersion extends Scenario {
  readonly savedBy: string;
  readonly savedAtMs: number;
}

export type UsageAlert = UsageThresholdReached & { readonly atMs: number };

type LaterFact = Extract<
  DirectoryFact,
  {
    readonly type:
      | "api-key.expiry-set"
      | "api-key.used"
      | "licence.reset"
      | "content.withheld"
      | "usage-threshold.reached"
      | "action.recorded"
      | ExperimentFact["type"]
      | PeopleFact["type"];
  }
>;

/** The folded directory. Changed in place by `foldDirectoryFact` alone. */
export interface DirectoryState {
  readonly entries: Map<TenantId, TenantEntry>;
  readonly keysBySha256: Map<string, ApiKey>;
  readonly sources: Map<SourceId, Source>;
  readonly people: PeopleState;
}

export function emptyDirectory(): DirectoryState {
  return {
    entries: new Map(),
    keysBySha256: new Map(),
    sources: new Map(),
    people: emptyPeople(),
  };
}

/**
 * Applies one fact of topic `tenants`. Applying the same facts in the same order gives the same state; a
 * scenario keeps the highest version, so that a repeat of an older fact changes nothing, and no version is saved
 * while the scenario is compared with a variant.
 */
export function foldDirectoryFact(state: DirectoryState, fact: DirectoryFact): void {
  switch (fact.type) {
    case "tenant.saved":
      entryOf(state, fact.tenant.tenantId).tenant = fact.tenant;
      return;
    case "api-key.issued":
      saveKey(state, fact.key);
      return;
    case "api-key.revoked":
      revokeKey(state, fact.tenantId, fact.keyId);
      return;
    case "scenario.saved":
      saveScenario(state, fact);
      return;
    case "licence.set":
      entryOf(state, fact.licence.tenantId).licences.set(
        fact.licence.sourceId,
        fact.licence.licence,
      );
      return;
    case "source.saved":
      state.sources.set(fact.source.sourceId, fact.source);
      return;
    case "webhook.saved":
      saveWebhook(state, fact);
      return;
    case "webhook.removed":
      entryOf(state, fact.tenantId).webhook = undefined;
      return;
    case "webhook.disabled":
      disableWebhook(state, fact);
      return;
    default:
      foldLaterFact(state, fact);
  }
}

/** Facts that the first release did not have. */
function foldLaterFact(state: DirectoryState, fact: LaterFact): void {
  switch (fact.type) {
    case "api-key.expiry-set": {
      const key = entryOf(state, fact.tenantId).keys.get(fact.keyId);
      if (key !== undefined) saveKey(state, { ...key, expiresAtMs: fact.expiresAtMs });
      return;
    }
    case "api-key.used":
      entryOf(state, fact.tenantId).keyUses.set(fact.keyId, fact.atMs);
      return;
    case "licence.reset":
      entryOf(state, fact.tenantId).licences.delete(fact.sourceId);
      return;
    case "content.withheld":
      withhold(entryOf(state, fact.tenantId), fact);
      return;
    case "usage-threshold.reached":
      addAlert(entryOf(state, fact.tenantId).usageAlerts, fact);
      return;
    case "action.recorded":
      return;
    case "experiment.started":
    case "experiment.share-set":
    case "experiment.ended":
      foldExperimentFact(entryOf(state, fact.tenantId), fact);
      return;
    default:
      foldPeopleFact(state.people, fact);
  }
}

/**
 * A tenant's licence for a source: its own, else the tenant's default, else nothing (spec 1: rights-cleared).
 * A removed source is licensed to nobody.
 */
export function licenceOf(state: DirectoryState, tenantId: TenantId, sourceId: SourceId): Licence {
  if (state.sources.get(sourceId)?.removed === true) return "none";
  const entry = state.entries.get(tenantId);
  return entry?.licences.get(sourceId) ?? entry?.tenant?.defaultLicence ?? "none";
}

function entryOf(state: DirectoryState, tenantId: TenantId): TenantEntry {
  let entry = state.entries.get(tenantId);
  if (entry === undefined) {
    entry = {
      tenant: undefined,
      webhook: undefined,
      keys: new Map(),
      keyUses: new Map(),
      scenarios: new Map(),
      experiments: new Map(),
      licences: new Map(),
      withheld: new Set(),
      usageAlerts: [],
    };
    state.entries.set(tenantId, entry);
  }
  return entry;
}

function saveKey(state: DirectoryState, key: ApiKey): void {
  entryOf(state, key.tenantId).keys.set(key.keyId, key);
  state.keysBySha256.set(key.sha256, key);
}

function withhold(
  entry: TenantEntry,
  { contentId, isWithheld }: Extract<LaterFact, { type: "content.withheld" }>,
): void {
  const withheld = new Set(entry.withheld);
  if (isWithheld) withheld.add(contentId);
  else withheld.delete(contentId);
  entry.withheld = withheld;
}

function addAlert(alerts: UsageAlert[], alert: UsageAlert): void {
  const isKnown = alerts.some(
    ({ month, thresholdPercent }) =>
      month === alert.month && thresholdPercent === alert.thresholdPercent,
  );
  if (!isKnown) alerts.push(alert);
}

function revokeKey(state: DirectoryState, tenantId: TenantId, keyId: string): void {
  const entry = entryOf(state, tenantId);
  const key = entry.keys.get(keyId);
  if (key === undefined) return;
  entry.keys.delete(keyId);
  state.keysBySha256.delete(key.sha256);
}

function saveScenario(
  state: DirectoryState,
  fact: Extract<DirectoryFact, { type: "scenario.saved" }>,
): void {
  const { tenantId, name, scenarioType: type, version, settings, actor, atMs } = fact;
  const entry = entryOf(state, tenantId);
  // The control of an experiment stays what it was when that began.
  if (runningExperimentOf(entry, name) !== undefined) return;
  const { scenarios } = entry;
  const known = scenarios.get(name) ?? [];
  if ((known.at(-1)?.version ?? 0) >= version) return;
  const saved = { tenantId, name, type, version, settings, savedBy: actor, savedAtMs: atMs };
  scenarios.set(name, [...known, saved].slice(-SCENARIO_VERSIONS_KEPT_MAX));
}

function saveWebhook(
  state: DirectoryState,
  { tenantId, url, secrets }: Extract<DirectoryFact, { type: "webhook.saved" }>,
): void {
  entryOf(state, tenantId).webhook = { tenantId, url, secrets, disabled: null };
}

function disableWebhook(
  state: DirectoryState,
  { tenantId, url, reason, atMs }: Extract<DirectoryFact, { type: "webhook.disabled" }>,
): void {
  const entry = entryOf(state, tenantId);
  if (entry.webhook?.url !== url || entry.webhook.disabled !== null) return;
  entry.webhook = { ...entry.webhook, disabled: { reason, atMs } };
}
