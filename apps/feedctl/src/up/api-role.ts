import { loadGazetteer } from "@feed/areas";
import { loadConsole } from "@feed/console/console";
import type { ContentIndex } from "@feed/content-index";
import { openLmdbSubscriptions } from "@feed/crawler/websub/lmdb-subscriptions";
import {
  installationPaths,
  followReadModelVersions,
  openCore,
  openEmbedder,
  openObjectStore,
  openLiveActivityStore,
  openLiveIndex,
  openLiveReadState,
  type ActivityEndpoint,
  type Core,
  type InstallationConfig,
} from "@feed/engines";
import type { EventLog } from "@feed/event-log";
import { createFeedService } from "@feed/feed";
import { createHttpApi, type HttpApi, type HttpApiSettings } from "@feed/http-api";
import { objectsMount } from "@feed/http-api/objects.mount";
import { websubMount } from "@feed/http-api/websub.mount";
import { picturesMount } from "@feed/http-api/pictures.mount";
import type { OpenIdSettings } from "@feed/openid/port";
import { createPictureAddresses } from "@feed/pictures";
import { createPushService } from "@feed/push";
import type { ReadState } from "@feed/read-state";
import { systemClock, type Logger } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { createWebhookService, type WebhookTargets } from "@feed/webhooks";
import type { Middleware } from "koa";
import { Counter, type Registry } from "prom-client";
import { unreadable } from "./logging.ts";
import { openSourceInspection } from "./source-inspection.ts";
import { registerGroupLags } from "./lag-metrics.ts";
import { inspectInstallation } from "./operations-inspection.ts";
import { registerLag } from "./projection-metrics.ts";
import { untilUsageIsProjected } from "./usage-projected.ts";

const PROJECTOR_STALL_TIMEOUT_MS = 30_000;
const CATCH_UP_REPORT_INTERVAL_MS = 5_000;

export interface ApiRoleOptions {
  readonly installation: InstallationConfig;
  readonly activity: ActivityEndpoint;
  /** Origins at private addresses that may be previewed all the same. */
  readonly ownOrigins: readonly string[];
  readonly settings: HttpApiSettings;
  readonly webhookTargets: WebhookTargets;
  /** Through whom people may sign in beside their passwords; undefined: nobody. */
  readonly openId: OpenIdSettings | undefined;
  readonly address: { readonly host: string; readonly port: number };
  readonly log: Logger;
  /** Served at /metrics, with what other roles put in. */
  readonly metrics: Registry;
  /** Ends the waiting while it opens. */
  readonly stop: AbortSignal;
  /** Told when the content index is in memory. */
  readonly onIndexLoaded?: () => void;
  /** Pages beside the API; asked when the first request comes, so that they may know its parts. */
  readonly mounts: readonly Middleware[];
}

/** A listening API and the parts that others of the process look at. */
export interface ApiRole extends AsyncDisposable {
  readonly http: HttpApi;
  readonly directory: TenantDirectory;
  readonly contentIndex: ContentIndex;
  readonly core: Core;
}

/** Opens everything an API node needs, top to bottom, and listens last. */
export async function startApi(options: ApiRoleOptions): Promise<ApiRole> {
  const { installation, log } = options;
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, clock, log));
  const embedder = opened.use(await openEmbedder(installation));
  const versions = opened.use(await followReadModelVersions(core));
  const live = { versions, log };
  const readState = opened.use(await openLiveReadState(installation, live));
  const copies = { ...core, clock };
  const contentIndex = opened.use(
    await openLiveIndex({ installation, embedder, ...core, log, copies }, live),
  );
  options.onIndexLoaded?.();
  const activityStore = opened.use(await openLiveActivityStore(options.activity, live));
  let listening = (): string => "http://localhost";
  const baseUrl = () => listening();
  const objectStore = opened.use(
    await openObjectStore(installation, { keyring: core.keyring, clock, baseUrl }),
  );
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const gazetteer = await loadGazetteer();
  const addresses = createPictureAddresses({ keyring: core.keyring, baseUrl });
  const { metrics } = options;
  registerLag(metrics, core.eventLog, { readState, contentIndex });
  registerGroupLags(metrics, core.eventLog, { versions, clock });
  const shared = { ...core, readState, contentIndex, activityStore, directory, gazetteer };
  const subscriptions = opened.use(
    openLmdbSubscriptions(installationPaths(installation.dataDirectory).crawlState),
  );
  const { ownOrigins } = options;
  const sources = opened.use(openSourceInspection(installation, { ownOrigins, subscriptions }));
  const generating = { embedder, pictures: addresses };
  const feed = createFeedService({ ...shared, ...generating, ...feedReports(metrics, log) });
  const http = opened.use(
    createHttpApi({
      ...shared,
      feed,
      push: createPushService({ ...shared, ...generating, objectStore, clock, log }),
      webhooks: createWebhookService(shared, { targets: options.webhookTargets }),
      sources,
      operations: inspectInstallation(core, { versions, clock }),
      ...(await openIdOf(options.openId)),
      settings: options.settings,
      clock,
      log,
      metrics,
      mounts: [
        picturesMount({ addresses, objectStore, directory }),
        objectsMount({ objectStore, keyring: core.keyring }),
        websubMount({ subscriptions, clock, log }),
        await consoleMount(),
        ...options.mounts,
      ],
      parts: readyParts(core.eventLog, readState, contentIndex),
    }),
  );
  listening = () => http.baseUrl();
  await untilUsageIsProjected(core.eventLog, readState, {
    stallTimeoutMs: PROJECTOR_STALL_TIMEOUT_MS,
    reportIntervalMs: CATCH_UP_REPORT_INTERVAL_MS,
    onProgress: (recordsLeft) => log.warn({ recordsLeft }, "counting usage before listening"),
    signal: options.stop,
  });
  await http.listen(options.address);
  const owned = opened.move();
  return { http, directory, contentIndex, core, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The client of providers is loaded where there is one. */
async function openIdOf(settings: OpenIdSettings | undefined) {
  if (settings === undefined) return {};
  const { openOpenIdProvider } = await import("@feed/openid");
  return { openId: openOpenIdProvider(settings, { clock: systemClock }) };
}

async function consoleMount(): Promise<Middleware> {
  const serve = await loadConsole();
  return async (ctx, next) => {
    if (!/^\/console(\/|$)/.test(ctx.path)) return next();
    ctx.respond = false;
    serve(ctx.req, ctx.res);
  };
}

function feedReports(metrics: Registry, log: Logger) {
  const unrecorded = new Counter({
    name: "feed_unrecorded_deliveries_total",
    help: "Answers served free because the log was away",
    registers: [metrics],
  });
  return {
    onUnrecorded: (error: unknown) => {
      unrecorded.inc();
      log.warn({ err: error }, "the log is away: an answer went out free and unrecorded");
    },
    onEngagementStale: (error: unknown) =>
      log.warn({ err: error }, "popularity could not be refreshed"),
  };
}

function readyParts(eventLog: EventLog, readState: ReadState, contentIndex: ContentIndex) {
  const answers = async (call: Promise<unknown>) => void (await call);
  return new Map([
    ["event-log", () => answers(eventLog.endOffsets("tenants"))],
    ["read-state", () => answers(readState.positions("users"))],
    ["content-index", () => answers(contentIndex.stats())],
  ]);
}
