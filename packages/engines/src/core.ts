import type { MessagePort } from "node:worker_threads";
import { createFactCodec, type FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { openPersonalData, type PersonalData } from "@feed/personal-data";
import type { Clock, Logger } from "@feed/runtime";
import { loadRootSecret, openKeyring, type Keyring } from "@feed/signing";
import type { EngineUrls } from "./engine-urls.ts";
import { openLog } from "./open-log.ts";
import { installationPaths } from "./paths.ts";

/** What every role of an installation has open: the log, what its records mean, and the keys. */
export interface Core extends AsyncDisposable {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly keyring: Keyring;
  readonly personalData: PersonalData;
}

export interface InstallationConfig {
  readonly dataDirectory: string;
  /** `hashed:256`, `onnx:DIRECTORY#MODEL` or the address of an OpenAI-compatible endpoint (embedder/open.ts). */
  readonly embedder: string;
  /** Bearer token of an embedding endpoint. */
  readonly embedderApiKey?: string;
  /** Base64 of 32 bytes; absent: kept in the data directory. */
  readonly rootSecret?: string;
  /** Absent: every engine is embedded. */
  readonly engines?: EngineUrls;
  /** To a thread that all roles of the process write by (`shareInstallation`); absent: a thread of the role's own. */
  readonly logWriter?: MessagePort;
  /** How long an engine outside may take to answer. Absent: as long as callers of the API wait. */
  readonly engineAnswerTimeoutMs?: number;
}

/**
 * Opens the core of an installation. `log`: see openLog.
 *
 * Errors: LogUnavailable, LogRejected, SchemaRegistryUnavailable, SchemaRefused or RootSecretUnusable, each one clear line.
 */
export async function openCore(
  config: InstallationConfig,
  clock: Clock,
  log?: Pick<Logger, "warn" | "error">,
): Promise<Core> {
  const paths = installationPaths(config.dataDirectory);
  await using opened = new AsyncDisposableStack();
  const { eventLog, registry } = await openLog(config, log);
  opened.use(eventLog);
  const root = await loadRootSecret({
    directory: paths.secrets,
    ...(config.rootSecret === undefined ? {} : { configured: config.rootSecret }),
  });
  const keyring = openKeyring({ root, clock });
  const codec = createFactCodec(registry);
  const personalData = opened.use(
    await openPersonalData({ eventLog, codec, keyring, clock, directory: paths.personalKeys }),
  );
  const owned = opened.move();
  return {
    eventLog,
    codec,
    keyring,
    personalData,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
