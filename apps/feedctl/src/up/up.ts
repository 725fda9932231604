import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { shareInstallation, startActivityEngine } from "@feed/engines";
import type { BatchMeasure } from "@feed/projector";
import { endAtOnce, stopSignal } from "@feed/runtime";
import { openDemo, type Demo } from "../demo/demo.ts";
import { Registry } from "prom-client";
import { openIdSettingsOf } from "../openid-settings.ts";
import {
  adminTokenOf,
  httpSettings,
  installationOf,
  ownOriginsOf,
  publicUrlOf,
  readInstallationSettings,
} from "../settings.ts";
import { reportFailure } from "../failure.ts";
import { startApi } from "./api-role.ts";
import { lockDataDirectory } from "./data-lock.ts";
import { roleLogger } from "./logging.ts";
import { registerProjections } from "./projection-metrics.ts";
import type { CrawlerRoleData } from "../roles/crawler-role.ts";
import type { ProjectorRoleData } from "../roles/projector-role.ts";
import type { PushRoleData } from "../roles/push-role.ts";
import { startTracing } from "../tracing.ts";
import { assertRoom } from "./room.ts";
import { startRole, type RoleWorker } from "./role-worker.ts";

const SHUTDOWN_GRACE_MS = 30_000;
/** Of the other roles, when one has failed: then the process ends whether they have closed or not. */
const CLOSING_TIMEOUT_MS = 4_000;
/** Threads that work on push jobs: as many as there are cores, up to this. */
const PUSH_THREADS_MAX = 4;

export interface UpOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly demo: boolean;
}

/**
 * The whole service in one process on embedded engines: the API in the main thread, projectors, push and
 * crawler in threads of their own, the ClickHouse engine as a child. Resolves when it has stopped.
 */
export async function up(options: UpOptions): Promise<void> {
  const config = readInstallationSettings(process.env);
  const { logLevel, webhookTargets } = config;
  const log = roleLogger("api", logLevel);
  const stop = stopSignal({ graceMs: SHUTDOWN_GRACE_MS, log });
  const dataDirectory = resolve(options.data);
  await makeDataDirectory(dataDirectory);
  using _lock = lockDataDirectory(dataDirectory);
  const installation = installationOf(dataDirectory, config);
  const adminToken = await adminTokenOf(dataDirectory, config.adminToken);

  const metrics = new Registry();
  const roles = new Roles();
  const ending = AbortSignal.any([stop, roles.failed]);

  // Opened top to bottom; closed bottom to top when the signal comes or a role fails.
  await using opened = new AsyncDisposableStack();
  opened.use(await startTracing("api", process.env));
  const engine = opened.use(
    await startActivityEngine(
      installation,
      (reason) => log.error({ reason }, "ClickHouse ended, starting it again"),
      config.dataTeamEndpoint === "" ? undefined : config.dataTeamEndpoint,
    ),
  );
  const activity = engine.endpoint;
  const shared = opened.use(await shareInstallation(installation, log));
  const onBatch = registerProjections(metrics);
  const projecting = (keeps: ProjectorRoleData["keeps"]) =>
    startProjector(roles, { installation: shared.forRole(), activity, keeps, logLevel }, onBatch);
  const projectors = opened.adopt([projecting("activity")], closeAll);
  const demo: Demo | undefined = options.demo
    ? await openDemo({ dataDirectory, adminToken })
    : undefined;
  const ownOrigins = [...(demo?.origins ?? []), ...ownOriginsOf(config)];
  const api = opened.use(
    await startApi({
      installation: shared.forRole(),
      activity,
      ownOrigins,
      settings: httpSettings(config, adminToken),
      webhookTargets,
      openId: openIdSettingsOf(config),
      address: options,
      log,
      metrics,
      stop: ending,
      // Not before: what is read of a file that another thread has open stays mapped.
      onIndexLoaded: () => void projectors.push(projecting("serving")),
      mounts: demo?.mounts ?? [],
    }),
  );
  await Promise.all(projectors);
  const baseUrl = api.http.baseUrl();
  if (demo === undefined) console.log(`Content Feed is running at ${baseUrl}`);
  const push = () => ({
    installation: shared.forRole(),
    activity,
    baseUrl,
    webhookTargets,
    logLevel,
  });
  await Promise.all(opened.adopt(startPush(roles, push), closeAll));
  if (demo !== undefined) opened.use(demo);
  await demo?.seed(api);
  const crawling = { installation: shared.forRole(), ownOrigins, ...publicUrlOf(config), logLevel };
  // Told to stop before everything has started: what has not need not.
  if (!ending.aborted) opened.use(await startCrawler(roles, crawling));
  if (demo !== undefined)
    demo
      .announce(api, ending)
      .catch((error: unknown) => log.error({ err: error }, "the demo is incomplete"));
  await aborted(ending);
  roles.failed.throwIfAborted();
}

/** The roles in threads of their own: when one fails, the process ends within `CLOSING_TIMEOUT_MS`. */
class Roles {
  readonly #failure = new AbortController();

  /** Aborted when a role fails; the reason is what it failed with. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  /** Rejects when the role can't be opened; it need not be awaited at once. */
  start<Message = never>(...call: Parameters<typeof startRole<Message>>): Promise<RoleWorker> {
    const starting = startRole<Message>(...call);
    starting.then(
      (role) =>
        role.failed.catch((error: unknown) => {
          this.#failure.abort(error);
          setTimeout(() => {
            reportFailure(error);
            endAtOnce();
          }, CLOSING_TIMEOUT_MS).unref();
        }),
      (error: unknown) => this.#failure.abort(error),
    );
    return starting;
  }
}

function startProjector(
  roles: Roles,
  data: ProjectorRoleData,
  onBatch: (measure: BatchMeasure) => void,
): Promise<RoleWorker> {
  const url = new URL("projector.worker.ts", import.meta.url);
  return roles.start<BatchMeasure>(`projector-${data.keeps}`, url, data, onBatch);
}

function startPush(roles: Roles, data: () => PushRoleData): readonly Promise<RoleWorker>[] {
  const count = Math.min(PUSH_THREADS_MAX, availableParallelism());
  const url = new URL("push.worker.ts", import.meta.url);
  return Array.from({ length: count }, (_, index) => roles.start(`push-${index}`, url, data()));
}

function startCrawler(roles: Roles, data: CrawlerRoleData): Promise<RoleWorker> {
  return roles.start("crawler", new URL("crawler.worker.ts", import.meta.url), data);
}

async function closeAll(starting: readonly Promise<RoleWorker>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(starting)) {
    if (outcome.status === "fulfilled") await outcome.value[Symbol.asyncDispose]();
  }
}

async function makeDataDirectory(path: string): Promise<void> {
  await makeDirectories(path);
  await assertRoom(path);
}

/** Level by level: on some file systems a recursive `mkdir` that can't succeed never ends. */
async function makeDirectories(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeDirectories(dirname(path));
  await mkdir(path);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
