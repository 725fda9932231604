import type { ReadModel } from "@feed/domain/read-models";
import {
  followReadModelVersions,
  openCore,
  type ActivityEndpoint,
  type InstallationConfig,
} from "@feed/engines";
import type { BatchMeasure } from "@feed/projector";
import { systemClock, type LogLevel } from "@feed/runtime";
import { startTracing } from "../tracing.ts";
import { roleLogger } from "../up/logging.ts";
import { keepVersions } from "./version-keeper.ts";

export interface ProjectorRoleData {
  readonly installation: InstallationConfig;
  readonly activity: ActivityEndpoint;
  /**
   * `serving`: what requests are answered from; `activity`: what is counted. In one process each has a thread of its
   * own, so that counting never holds up the next feed.
   */
  readonly keeps: "serving" | "activity" | "all";
  readonly logLevel: LogLevel;
}

const READ_MODELS = {
  serving: ["content-index", "read-state"],
  activity: ["activity-store"],
  all: ["content-index", "read-state", "activity-store"],
} as const satisfies Record<ProjectorRoleData["keeps"], readonly ReadModel[]>;

/** Keeps read models up to the log, in every version that is to be kept; `post` is told of every batch. */
export async function openProjectorRole(
  { installation, activity, keeps, logLevel }: ProjectorRoleData,
  post: (measure: BatchMeasure) => void,
) {
  await using opened = new AsyncDisposableStack();
  opened.use(await startTracing("projector", process.env));
  const log = roleLogger(`projector-${keeps}`, logLevel);
  const core = opened.use(await openCore(installation, systemClock, log));
  const versions = opened.use(await followReadModelVersions(core));
  const surroundings = { installation, activity };
  const readModels = READ_MODELS[keeps];
  const keeper = opened.use(
    await keepVersions({ readModels, core, surroundings, versions, log, post }),
  );
  const owned = opened.move();
  return { failed: keeper.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
