import { setPriority } from "node:os";
import { loadGazetteer } from "@feed/areas";
import {
  openActivityStore,
  openCore,
  openEmbedder,
  openObjectStore,
  openReadState,
  openServingIndex,
  type ClickHouseEndpoint,
  type InstallationConfig,
} from "@feed/engines";
import { createPictureAddresses } from "@feed/pictures";
import { runPush } from "@feed/push";
import { systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory } from "@feed/tenant-directory";
import { roleLogger, unreadable } from "./logging.ts";
import { serveRole } from "./role-worker.ts";

/** On Linux it is this thread's alone: a job takes the time that requests leave. */
const NICENESS = 10;

export interface PushRoleData {
  readonly installation: InstallationConfig;
  readonly activity: ClickHouseEndpoint;
  /** Where callers reach the service: in front of picture addresses. */
  readonly baseUrl: string;
  readonly logLevel: LogLevel;
}

async function openPush({ installation, activity, baseUrl: url, logLevel }: PushRoleData) {
  setPriority(NICENESS);
  const clock = systemClock;
  const baseUrl = () => url;
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("push", logLevel);
  const core = opened.use(await openCore(installation, clock));
  const { keyring, eventLog } = core;
  const embedder = opened.use(await openEmbedder(installation));
  const readState = opened.use(await openReadState(installation));
  const contentIndex = opened.use(
    await openServingIndex({ installation, embedder, eventLog, log }),
  );
  const activityStore = opened.use(await openActivityStore(activity));
  const objectStore = opened.use(await openObjectStore(installation, { keyring, clock, baseUrl }));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const push = opened.use(
    await runPush({
      ...core,
      readState,
      contentIndex,
      activityStore,
      objectStore,
      directory,
      gazetteer: await loadGazetteer(),
      embedder,
      pictures: createPictureAddresses({ keyring, baseUrl }),
      clock,
      log,
    }),
  );
  const owned = opened.move();
  return { failed: push.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

await serveRole(openPush);
