import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { startActivityEngine } from "@feed/engines";
import type { BatchMeasure } from "@feed/projector";
import { stopSignal } from "@feed/runtime";
import { openDemo, type Demo } from "../demo/demo.ts";
import { Registry } from "prom-client";
import {
  adminTokenOf,
  installationOf,
  ownOriginsOf,
  readInstallationSettings,
} from "../settings.ts";
import { startApi } from "./api-role.ts";
import { roleLogger } from "./logging.ts";
import { registerProjections } from "./projection-metrics.ts";
import type { ProjectorRoleData } from "./projector.worker.ts";
import type { PushRoleData } from "./push.worker.ts";
import { startRole, type RoleWorker } from "./role-worker.ts";

const SHUTDOWN_GRACE_MS = 30_000;
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
  const { logLevel } = config;
  const log = roleLogger("api", logLevel);
  const stop = stopSignal({ graceMs: SHUTDOWN_GRACE_MS, log });
  const dataDirectory = resolve(options.data);
  await makeDirectory(dataDirectory);
  const installation = installationOf(dataDirectory, config);
  const adminToken = await adminTokenOf(dataDirectory, config.adminToken);

  const metrics = new Registry();

  // Opened top to bottom; closed bottom to top when the signal comes or a role fails.
  await using opened = new AsyncDisposableStack();
  const engine = opened.use(
    await startActivityEngine(installation, (reason) =>
      log.error({ reason }, "ClickHouse ended, starting it again"),
    ),
  );
  const activity = engine.endpoint;
  const onBatch = registerProjections(metrics);
  const startProjector = (keeps: ProjectorRoleData["keeps"]) =>
    startRole<BatchMeasure>(
      `projector-${keeps}`,
      new URL("projector.worker.ts", import.meta.url),
      { installation, activity, keeps, logLevel } satisfies ProjectorRoleData,
      onBatch,
    );
  const starting = [startProjector("serving"), startProjector("activity")] as const;
  const [serving, counting] = await Promise.all(starting);
  opened.use(serving);
  opened.use(counting);
  const demo: Demo | undefined = options.demo
    ? await openDemo({ dataDirectory, adminToken })
    : undefined;
  const ownOrigins = [...(demo?.origins ?? []), ...ownOriginsOf(config)];
  const api = opened.use(
    await startApi({
      installation,
      activity,
      ownOrigins,
      settings: {
        adminToken,
        trustedProxies: config.trustedProxies.split(",").flatMap((range) => range.trim() || []),
        ...(config.publicUrl === "" ? {} : { baseUrl: withoutSlash(config.publicUrl) }),
        ...(config.problemBase === "" ? {} : { problemBase: withoutSlash(config.problemBase) }),
      },
      address: options,
      log,
      metrics,
      stop,
      mounts: demo?.mounts ?? [],
    }),
  );
  const baseUrl = api.http.baseUrl();
  const push = await startPush({ installation, activity, baseUrl, logLevel });
  for (const role of push) opened.use(role);
  if (demo === undefined) console.log(`Content Feed is running at ${api.http.baseUrl()}`);
  else opened.use(demo);
  await demo?.seed(api);
  const crawler = opened.use(
    await startRole("crawler", new URL("crawler.worker.ts", import.meta.url), {
      installation,
      ownOrigins,
      logLevel,
    }),
  );
  if (demo !== undefined)
    demo
      .announce(api, stop)
      .catch((error: unknown) => log.error({ err: error }, "the demo is incomplete"));
  await untilStopped(stop, [serving, counting, crawler, ...push]);
}

function startPush(data: PushRoleData): Promise<RoleWorker[]> {
  const count = Math.min(PUSH_THREADS_MAX, availableParallelism());
  const url = new URL("push.worker.ts", import.meta.url);
  return Promise.all(
    Array.from({ length: count }, (_, index) => startRole(`push-${index}`, url, data)),
  );
}

/** Level by level: on some file systems a recursive `mkdir` that can't succeed never ends. */
async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeDirectory(dirname(path));
  await mkdir(path);
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

async function untilStopped(stop: AbortSignal, roles: readonly RoleWorker[]): Promise<void> {
  const stopped = new Promise<void>((done) => {
    if (stop.aborted) done();
    else stop.addEventListener("abort", () => done(), { once: true });
  });
  await Promise.race([stopped, ...roles.map((role) => role.failed)]);
}
