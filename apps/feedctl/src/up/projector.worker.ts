import {
  openActivityStore,
  openContentIndex,
  openCore,
  openEmbedder,
  openReadState,
  type ClickHouseEndpoint,
  type InstallationConfig,
} from "@feed/engines";
import { runProjector, type ProjectorOptions } from "@feed/projector";
import { systemClock, type LogLevel } from "@feed/runtime";
import { roleLogger } from "./logging.ts";
import { serveRole } from "./role-worker.ts";

export interface ProjectorRoleData {
  readonly installation: InstallationConfig;
  readonly activity: ClickHouseEndpoint;
  /**
   * `serving`: what requests are answered from; `activity`: what is counted. Each has a thread of its own, so that
   * counting never holds up the next feed.
   */
  readonly keeps: "serving" | "activity";
  readonly logLevel: LogLevel;
}

async function openProjector(data: ProjectorRoleData, post: (message: unknown) => void) {
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(data.installation, systemClock));
  const log = roleLogger(`projector-${data.keeps}`, data.logLevel);
  const readModels = await openReadModels(data, opened);
  const projector = opened.use(
    await runProjector({ ...core, ...readModels, clock: systemClock, log, onBatch: post }),
  );
  const owned = opened.move();
  return { failed: projector.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openReadModels(
  { installation, activity, keeps }: ProjectorRoleData,
  opened: AsyncDisposableStack,
): Promise<Pick<ProjectorOptions, "readState" | "contentIndex" | "activityStore">> {
  if (keeps === "activity") return { activityStore: opened.use(await openActivityStore(activity)) };
  const readState = opened.use(await openReadState(installation));
  const embedder = opened.use(await openEmbedder(installation));
  const index = opened.use(await openContentIndex(installation, embedder, true));
  return { readState, contentIndex: { index, embedder } };
}

await serveRole(openProjector);
