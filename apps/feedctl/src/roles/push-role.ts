import { loadGazetteer } from "@feed/areas";
import {
  followReadModelVersions,
  openCore,
  openEmbedder,
  openObjectStore,
  openLiveActivityStore,
  openLiveIndex,
  openLiveReadState,
  type ActivityEndpoint,
  type InstallationConfig,
} from "@feed/engines";
import { createPictureAddresses } from "@feed/pictures";
import { createPushService, runPush } from "@feed/push";
import { runBehindOthers, systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory } from "@feed/tenant-directory";
import { runWebhooks, type WebhookTargets } from "@feed/webhooks";
import { roleLogger, unreadable } from "../up/logging.ts";

export interface PushRoleData {
  readonly installation: InstallationConfig;
  readonly activity: ActivityEndpoint;
  /** Where callers reach the service: in front of picture addresses. */
  readonly baseUrl: string;
  readonly webhookTargets: WebhookTargets;
  readonly logLevel: LogLevel;
}

/** Works on push jobs, and tells tenants what ended. */
export async function openPushRole({
  installation,
  activity,
  baseUrl: url,
  ...settings
}: PushRoleData) {
  const clock = systemClock;
  const baseUrl = () => url;
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("push", settings.logLevel);
  const core = opened.use(await openCore(installation, clock, log));
  const { keyring, eventLog } = core;
  const embedder = opened.use(await openEmbedder(installation));
  const versions = opened.use(await followReadModelVersions(core));
  const live = { versions, log };
  const readState = opened.use(await openLiveReadState(installation, live));
  const contentIndex = opened.use(
    await openLiveIndex({ installation, embedder, eventLog, log, loadsWhenAsked: true }, live),
  );
  const activityStore = opened.use(await openLiveActivityStore(activity, live));
  const objectStore = opened.use(await openObjectStore(installation, { keyring, clock, baseUrl }));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const deps = {
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
  };
  const push = opened.use(await runPush(deps));
  // Beside push: it waits for receivers, and its work is little.
  const webhooks = opened.use(
    await runWebhooks(
      { ...deps, push: createPushService(deps) },
      { targets: settings.webhookTargets },
    ),
  );
  // Last, because threads inherit it: where the role writes the log by a thread of its own, everybody else's writes wait for
  // that one.
  runBehindOthers();
  const owned = opened.move();
  const failed = Promise.race([push.failed, webhooks.failed]);
  return { failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
