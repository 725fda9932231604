import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { startActivityEngine } from "@feed/engines";
import type { BatchMeasure } from "@feed/projector";
import type { HttpApiSettings } from "@feed/http-api";
import { stopSignal } from "@feed/runtime";
import { openDemo, type Demo } from "../demo/demo.ts";
import { Registry } from "prom-client";
import {
  adminTokenOf,
  installationOf,
  ownOriginsOf,
  readInstallationSettings,
} from "../settings.ts";
import { reportFailure } from "../failure.ts";
import { startApi } from "./api-role.ts";
import { lockDataDirectory } from "./data-lock.ts";
import { roleLogger } from "./logging.ts";
import { registerProjections } from "./projection-metrics.ts";
import type { ProjectorRoleData } from "./projector.worker.ts";
import type { PushRoleData } from "./push.worker.ts";
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
  const { logLevel } = config;
  const log = roleLogger("api", logLevel);
  const stop = stopSignal({ graceMs: SHUTDOWN_GRACE_MS, log });
  const dataDirectory = resolve(options.data);
  await makeDirectory(dataDirectory);
  using _lock = lockDataDirectory(dataDirectory);
  const installation = installationOf(dataDirectory, config);
  const adminToken = await adminTokenOf(dataDirectory, config.adminToken);

  const metrics = new Registry();
  const roles = new Roles();
  const ending = AbortSignal.any([stop, roles.failed]);

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
    roles.start<BatchMeasure>(
      `projector-${keeps}`,
      new URL("projector.worker.ts", import.meta.url),
      { installation, activity, keeps, logLevel } satisfies ProjectorRoleData,
      onBatch,
    );
  const projectors = [startProjector("serving"), startProjector("activity")];
  for (const projector of await Promise.all(projectors)) opened.use(projector);
  const demo: Demo | undefined = options.demo
    ? await openDemo({ dataDirectory, adminToken })
    : undefined;
  const ownOrigins = [...(demo?.origins ?? []), ...ownOriginsOf(config)];
  const api = opened.use(
    await startApi({
      installation,
      activity,
      ownOrigins,
      settings: httpSettings(config, adminToken),
      address: options,
      log,
      metrics,
      stop: ending,
      mounts: demo?.mounts ?? [],
    }),
  );
  const baseUrl = api.http.baseUrl();
  const push = startPush(roles, { installation, activity, baseUrl, logLevel });
  for (const role of await push) opened.use(role);
  if (demo === undefined) console.log(`Content Feed is running at ${api.http.baseUrl()}`);
  else opened.use(demo);
  await demo?.seed(api);
  opened.use(
    await roles.start("crawler", new URL("crawler.worker.ts", import.meta.url), {
      installation,
      ownOrigins,
      logLevel,
    }),
  );
  if (demo !== undefined)
    demo
      .announce(api, ending)
      .catch((error: unknown) => log.error({ err: error }, "the demo is incomplete"));
  await aborted(ending);
  roles.failed.throwIfAborted();
}

function httpSettings(
  { trustedProxies, publicUrl, problemBase }: ReturnType<typeof readInstallationSettings>,
  adminToken: string,
): HttpApiSettings {
  return {
    adminToken,
    trustedProxies: trustedProxies.split(",").flatMap((range) => range.trim() || []),
    ...(publicUrl === "" ? {} : { baseUrl: withoutSlash(publicUrl) }),
    ...(problemBase === "" ? {} : { problemBase: withoutSlash(problemBase) }),
  };
}

/** The roles in threads of their own: when one fails, the process ends within `CLOSING_TIMEOUT_MS`. */
class Roles {
  readonly #failure = new AbortController();

  /** Aborted when a role fails; the reason is what it failed with. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  async start<Message = never>(...call: Parameters<typeof startRole<Message>>) {
    const role = await startRole<Message>(...call);
    role.failed.catch((error: unknown) => {
      this.#failure.abort(error);
      setTimeout(() => process.exit(reportFailure(error)), CLOSING_TIMEOUT_MS).unref();
    });
    return role;
  }
}

function startPush(roles: Roles, data: PushRoleData): Promise<RoleWorker[]> {
  const count = Math.min(PUSH_THREADS_MAX, availableParallelism());
  const url = new URL("push.worker.ts", import.meta.url);
  return Promise.all(
    Array.from({ length: count }, (_, index) => roles.start(`push-${index}`, url, data)),
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

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
