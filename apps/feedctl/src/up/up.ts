import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { openEmbedder, startActivityEngine, type InstallationConfig } from "@feed/engines";
import { stopSignal } from "@feed/runtime";
import { openDemo, type Demo } from "../demo/demo.ts";
import { adminTokenOf, readInstallationSettings } from "../settings.ts";
import { startApi } from "./api-role.ts";
import { roleLogger } from "./logging.ts";
import { startRole, type RoleWorker } from "./role-worker.ts";

const SHUTDOWN_GRACE_MS = 30_000;

export interface UpOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly demo: boolean;
}

/**
 * The whole service in one process on embedded engines: the API in the main thread, projector and crawler in
 * threads of their own, the ClickHouse engine as a child. Resolves when it has stopped.
 */
export async function up(options: UpOptions): Promise<void> {
  const config = readInstallationSettings(process.env);
  const { logLevel } = config;
  const log = roleLogger("api", logLevel);
  const stop = stopSignal({ graceMs: SHUTDOWN_GRACE_MS, log });
  const dataDirectory = resolve(options.data);
  await mkdir(dataDirectory, { recursive: true });
  const installation: InstallationConfig = {
    dataDirectory,
    embedder: config.embedder,
    ...(config.rootSecret === "" ? {} : { rootSecret: config.rootSecret }),
  };
  const adminToken = await adminTokenOf(dataDirectory, config.adminToken);

  // Opened top to bottom; closed bottom to top when the signal comes or a role fails.
  await using opened = new AsyncDisposableStack();
  const engine = opened.use(
    await startActivityEngine(installation, (reason) =>
      log.error({ reason }, "ClickHouse ended, starting it again"),
    ),
  );
  const activity = engine.endpoint;
  const { model, dimensions } = await modelOf(installation);
  const projector = opened.use(
    await startRole("projector", new URL("projector.worker.ts", import.meta.url), {
      installation,
      activity,
      model: { model, dimensions },
      logLevel,
    }),
  );
  const demo: Demo | undefined = options.demo
    ? await openDemo({ dataDirectory, adminToken })
    : undefined;
  const api = opened.use(
    await startApi({
      installation,
      activity,
      settings: {
        adminToken,
        trustedProxies: config.trustedProxies.split(",").flatMap((range) => range.trim() || []),
        ...(config.publicUrl === "" ? {} : { baseUrl: withoutSlash(config.publicUrl) }),
        ...(config.problemBase === "" ? {} : { problemBase: withoutSlash(config.problemBase) }),
      },
      address: options,
      log,
      stop,
      mounts: demo?.mounts ?? [],
    }),
  );
  if (demo !== undefined) opened.use(demo);
  await demo?.seed(api);
  const crawler = opened.use(
    await startRole("crawler", new URL("crawler.worker.ts", import.meta.url), {
      installation,
      ownOrigins: demo?.origins ?? [],
      logLevel,
    }),
  );
  if (demo === undefined) console.log(`Content Feed is running at ${api.http.baseUrl()}`);
  else
    demo
      .announce(api, stop)
      .catch((error: unknown) => log.error({ err: error }, "the demo is incomplete"));
  await untilStopped(stop, [projector, crawler]);
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/** Name and size of the vectors, without keeping the model open: each role opens its own. */
async function modelOf(installation: InstallationConfig) {
  await using embedder = await openEmbedder(installation);
  return { model: embedder.model, dimensions: embedder.dimensions };
}

async function untilStopped(stop: AbortSignal, roles: readonly RoleWorker[]): Promise<void> {
  const stopped = new Promise<void>((done) => {
    if (stop.aborted) done();
    else stop.addEventListener("abort", () => done(), { once: true });
  });
  await Promise.race([stopped, ...roles.map((role) => role.failed)]);
}
