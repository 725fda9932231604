import {
  openActivityStore,
  openContentIndex,
  openCore,
  openEmbedder,
  openReadState,
  type ClickHouseEndpoint,
  type InstallationConfig,
} from "@feed/engines";
import { runProjector } from "@feed/projector";
import { systemClock, type LogLevel } from "@feed/runtime";
import { roleLogger } from "./logging.ts";
import { serveRole } from "./role-worker.ts";

export interface ProjectorRoleData {
  readonly installation: InstallationConfig;
  readonly activity: ClickHouseEndpoint;
  readonly logLevel: LogLevel;
}

async function openProjector(
  { installation, activity, logLevel }: ProjectorRoleData,
  post: (message: unknown) => void,
) {
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, systemClock));
  const readState = opened.use(await openReadState(installation));
  const embedder = opened.use(await openEmbedder(installation));
  const index = opened.use(await openContentIndex(installation, embedder, true));
  const activityStore = opened.use(await openActivityStore(activity));
  const log = roleLogger("projector", logLevel);
  const projector = opened.use(
    await runProjector({
      ...core,
      readState,
      contentIndex: { index, embedder },
      activityStore,
      clock: systemClock,
      log,
      onBatch: post,
    }),
  );
  const owned = opened.move();
  return { failed: projector.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

await serveRole(openProjector, ({ logLevel }) => roleLogger("projector", logLevel));
