import {
  openActivityStore,
  openContentIndex,
  openCore,
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
  readonly model: { readonly model: string; readonly dimensions: number };
  readonly activity: ClickHouseEndpoint;
  readonly logLevel: LogLevel;
}

async function openProjector({ installation, model, activity, logLevel }: ProjectorRoleData) {
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, systemClock));
  const readState = opened.use(await openReadState(installation));
  const contentIndex = opened.use(await openContentIndex(installation, model, true));
  const activityStore = opened.use(await openActivityStore(activity));
  const log = roleLogger("projector", logLevel);
  const projector = opened.use(
    await runProjector({
      ...core,
      readState,
      contentIndex,
      activityStore,
      clock: systemClock,
      log,
    }),
  );
  const owned = opened.move();
  return { failed: projector.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

await serveRole(openProjector, ({ logLevel }) => roleLogger("projector", logLevel));
