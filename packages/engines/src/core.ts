import { createFactCodec, openBundledRegistry, type FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openPersonalData, type PersonalData } from "@feed/personal-data";
import type { Clock } from "@feed/runtime";
import { loadRootSecret, openKeyring, type Keyring } from "@feed/signing";
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
}

/** Opens the core of an installation. Errors: LogUnavailable or RootSecretUnusable, each one clear line. */
export async function openCore(config: InstallationConfig, clock: Clock): Promise<Core> {
  const paths = installationPaths(config.dataDirectory);
  await using opened = new AsyncDisposableStack();
  const eventLog = opened.use(await openEmbeddedEventLog({ directory: paths.eventLog }));
  const root = await loadRootSecret({
    directory: paths.secrets,
    ...(config.rootSecret === undefined ? {} : { configured: config.rootSecret }),
  });
  const keyring = openKeyring({ root, clock });
  const codec = createFactCodec(openBundledRegistry());
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
