import { TOPICS } from "@feed/domain/topics";
import { openCore, type InstallationConfig } from "@feed/engines";
import { PROJECTIONS, readModelOf, type ProjectionName } from "@feed/projector";
import { replayRanges, type ReplayFrom, type ReplayRange } from "@feed/projector/replay/ranges";
import { replayInto, type Replay } from "@feed/projector/replay/replay";
import { projectionTargets, type AnyTarget } from "@feed/projector/targets/all";
import { ConfigError, systemClock, type Logger } from "@feed/runtime";
import { claimReadModels, openReadModels } from "./operating-role.ts";

export interface ReplayRequest {
  readonly projections: readonly ProjectionName[];
  readonly from: ReplayFrom;
  /** Looks only, which it may do whatever runs. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface ProjectionReplay extends Replay {
  readonly projection: string;
}

/** Reads a part of the log into projections of an installation once more. */
export async function replayProjections(
  installation: InstallationConfig,
  log: Logger,
  request: ReplayRequest,
): Promise<readonly ProjectionReplay[]> {
  const { projections, from, isDry, signal } = request;
  assertOffsetsFit(projections, from);
  await using core = await openCore(installation, systemClock, log);
  using _claim = isDry ? undefined : await claimReadModels(installation, core, projections);
  const asked = new Set(projections.map(readModelOf));
  await using models = await openReadModels(installation, core, asked, { writer: !isDry });
  const names: readonly string[] = projections;
  const planned: (readonly [AnyTarget, readonly ReplayRange[]])[] = [];
  for (const target of projectionTargets(models, core)) {
    if (!names.includes(target.name)) continue;
    const positions = await target.positions();
    planned.push([target, await replayRanges(core.eventLog, target.topic, positions, from)]);
  }
  const total = planned
    .flatMap(([, ranges]) => ranges)
    .reduce((sum, range) => sum + range.to - range.from, 0);
  let done = 0;
  request.onProgress(done, total);
  const onProgress = (offsets: number) => request.onProgress((done += offsets), total);
  const replays: ProjectionReplay[] = [];
  for (const [target, ranges] of planned) {
    const { eventLog } = core;
    const options = { eventLog, clock: systemClock, log, ranges, isDry, signal, onProgress };
    replays.push({ projection: target.name, ...(await replayInto(target, options)) });
  }
  return replays;
}

/** Offsets say something about one topic only, and only of partitions that it has. */
function assertOffsetsFit(projections: readonly ProjectionName[], from: ReplayFrom): void {
  if (from.kind !== "offsets") return;
  const [projection] = projections;
  if (projection === undefined || projections.length > 1)
    throw new ConfigError(["offsets to begin at are for one projection, not for a read model"]);
  const topic = PROJECTIONS[projection];
  const unknown = [...from.offsets.keys()].find((each) => each >= TOPICS[topic].partitions);
  if (unknown !== undefined) throw new ConfigError([`${topic} has no partition ${unknown}`]);
}
