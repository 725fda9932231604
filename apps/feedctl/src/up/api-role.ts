import { loadGazetteer } from "@feed/areas";
import type { ContentIndex } from "@feed/content-index";
import {
  openActivityStore,
  openCore,
  openEmbedder,
  openObjectStore,
  openReadState,
  openServingIndex,
  type ClickHouseEndpoint,
  type Core,
  type InstallationConfig,
} from "@feed/engines";
import type { EventLog } from "@feed/event-log";
import { createFeedService } from "@feed/feed";
import { createHttpApi, type HttpApi, type HttpApiSettings } from "@feed/http-api";
import { objectsMount } from "@feed/http-api/objects.mount";
import { picturesMount } from "@feed/http-api/pictures.mount";
import { createPictureAddresses } from "@feed/pictures";
import { createPushService } from "@feed/push";
import type { ReadState } from "@feed/read-state";
import { systemClock, type Logger } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import type { Middleware } from "koa";
import { Counter, type Registry } from "prom-client";
import { unreadable } from "./logging.ts";
import { openSourceInspection } from "./source-inspection.ts";
import { registerLag } from "./projection-metrics.ts";
import { untilUsageIsProjected } from "./usage-projected.ts";

const PROJECTOR_STALL_TIMEOUT_MS = 30_000;
const CATCH_UP_REPORT_INTERVAL_MS = 5_000;

export interface ApiRoleOptions {
  readonly installation: InstallationConfig;
  readonly activity: ClickHouseEndpoint;
  /** Origins at private addresses that may be previewed all the same. */
  readonly ownOrigins: readonly string[];
  readonly settings: HttpApiSettings;
  readonly address: { readonly host: string; readonly port: number };
  readonly log: Logger;
  /** Served at /metrics, with what other roles put in. */
  readonly metrics: Registry;
  /** Ends the waiting while it opens. */
  readonly stop: AbortSignal;
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
  const core = opened.use(await openCore(installation, clock));
  const embedder = opened.use(await openEmbedder(installation));
  const readState = opened.use(await openReadState(installation));
  const contentIndex = opened.use(
    await openServingIndex({ installation, embedder, eventLog: core.eventLog, log }),
  );
  const activityStore = opened.use(await openActivityStore(options.activity));
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
  const shared = { ...core, readState, contentIndex, activityStore, directory, gazetteer };
  const sources = openSourceInspection(installation, options.ownOrigins);
  opened.use(sources);
  const generating = { embedder, pictures: addresses };
  const feed = createFeedService({
    ...shared,
    ...generating,
    ...feedReports(metrics, log),
  });
  const http = opened.use(
    createHttpApi({
      ...shared,
      feed,
      push: createPushService({ ...shared, ...generating, objectStore, clock, log }),
      sources,
      settings: options.settings,
      clock,
      log,
      metrics,
      mounts: [
        picturesMount({ addresses, objectStore, directory }),
        objectsMount({ objectStore, keyring: core.keyring }),
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
