import { once } from "node:events";
import { resolve } from "node:path";
import {
  startActivityEngine,
  type ActivityEndpoint,
  type EngineUrls,
  type InstallationConfig,
} from "@feed/engines";
import { ConfigError, endAtOnce, stopSignal, type Logger } from "@feed/runtime";
import { Registry } from "prom-client";
import { inOneLine } from "../failure.ts";
import { installationOf, readInstallationSettings } from "../settings.ts";
import { roleLogger } from "../up/logging.ts";
import { serveHealth } from "./health.ts";

const SHUTDOWN_GRACE_MS = 30_000;
/** Of a role that has failed: then the process ends whether it has closed or not. */
const CLOSING_TIMEOUT_MS = 4_000;

export interface RoleFlags {
  readonly data: string;
  readonly host: string;
  readonly port: number;
}

/** What a role as a process of its own is opened with. */
export interface RoleSurroundings {
  readonly config: ReturnType<typeof readInstallationSettings>;
  readonly installation: InstallationConfig;
  readonly activity: ActivityEndpoint;
  readonly metrics: Registry;
  readonly log: Logger;
  /** Aborted when the process is told to stop. */
  readonly stop: AbortSignal;
}

export interface Role extends AsyncDisposable {
  readonly failed: Promise<unknown>;
}

/** An engine that lives in one process can't be shared with others. */
const SHARED: readonly (readonly [keyof EngineUrls, string])[] = [
  ["eventLog", "EVENT_LOG"],
  ["contentIndex", "CONTENT_INDEX"],
  ["activityStore", "ACTIVITY_STORE"],
  ["readState", "READ_STATE"],
];

/**
 * Runs a role as a process of its own until it is told to stop or fails, with health and metrics beside it. What was in
 * progress is finished first.
 *
 * Errors: ConfigError where an engine is embedded, and what the role failed with.
 */
export async function runRole(
  name: string,
  flags: RoleFlags,
  open: (surroundings: RoleSurroundings) => Promise<Role>,
): Promise<void> {
  const { surroundings, opened } = await prepare(name, flags);
  await using _all = opened;
  let isRunning = false;
  const health = opened.use(
    await serveHealth({ ...flags, metrics: surroundings.metrics, isReady: () => isRunning }),
  );
  const role = opened.use(await open(surroundings));
  isRunning = true;
  console.log(`${name} is running, health at ${health.baseUrl}`);
  await ended(role, surroundings.stop).finally(() => (isRunning = false));
}

/** Engines and settings of a role that is a process of its own. Disposing closes what they opened. */
export async function prepare(
  name: string,
  flags: Pick<RoleFlags, "data">,
): Promise<{ readonly surroundings: RoleSurroundings; readonly opened: AsyncDisposableStack }> {
  const config = readInstallationSettings(process.env);
  const log = roleLogger(name, config.logLevel);
  const installation = installationOf(resolve(flags.data), config);
  assertShared(name, installation);
  const stop = stopSignal({ graceMs: SHUTDOWN_GRACE_MS, log });
  const opened = new AsyncDisposableStack();
  const engine = opened.use(await startActivityEngine(installation, () => undefined));
  const activity = engine.endpoint;
  const surroundings = { config, installation, activity, metrics: new Registry(), log, stop };
  return { surroundings, opened };
}

/** Resolves when the process is told to stop; rejects with what the role failed with. */
export async function ended({ failed }: Pick<Role, "failed">, stop: AbortSignal): Promise<void> {
  const stopped = stop.aborted ? Promise.resolve() : once(stop, "abort");
  failed.catch((error: unknown) => {
    if (stop.aborted) return;
    setTimeout(() => {
      console.error(`feedctl: ${inOneLine(error)}`);
      endAtOnce();
    }, CLOSING_TIMEOUT_MS).unref();
  });
  await Promise.race([stopped, failed]);
}

function assertShared(name: string, { engines = {} }: InstallationConfig): void {
  const embedded = SHARED.filter(([engine]) => engines[engine] === undefined);
  if (embedded.length === 0) return;
  throw new ConfigError(
    embedded.map(
      ([, variable]) =>
        `${variable} is not set: feedctl ${name} is one process of several, and they share an engine outside`,
    ),
  );
}
