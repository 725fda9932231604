import { join } from "node:path";
import type { ActivityStore } from "@feed/activity-store";
import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import type { EmbeddedClickHouse } from "@feed/activity-store/embedded";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { createPictureAddresses } from "@feed/pictures";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger, systemClock } from "@feed/runtime";
import { openKeyring } from "@feed/signing";
import { openTenantDirectory } from "@feed/tenant-directory";
import type { PushDependencies } from "../dependencies.ts";

const DIMENSIONS = 64;
const BASE_URL = "https://feed.example";

export interface PartsOptions {
  readonly path: string;
  readonly root: Uint8Array;
  readonly endpoint: EmbeddedClickHouse["endpoint"];
}

/** What a process of an installation opens: real embedded parts on shared directories. */
export async function openParts({ path, root, endpoint }: PartsOptions) {
  const stack = new AsyncDisposableStack();
  const clock = systemClock;
  const log = createLogger({ service: "test", level: "silent" });
  const codec = createFactCodec(openBundledRegistry());
  const keyring = openKeyring({ root, clock });
  const embedder = stack.use(await openHashedEmbedder({ dimensions: DIMENSIONS }));
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const readState = stack.use(await openEmbeddedReadState({ directory: join(path, "state") }));
  const contentIndex = stack.use(
    await openEmbeddedContentIndex({
      directory: join(path, "index"),
      model: embedder.model,
      dimensions: DIMENSIONS,
    }),
  );
  const activityStore: ActivityStore = stack.use(await openClickHouseActivityStore(endpoint));
  const baseUrl = () => BASE_URL;
  const objectStore = stack.use(
    await openEmbeddedObjectStore({ directory: join(path, "objects"), keyring, clock, baseUrl }),
  );
  const onUnreadable = (offset: number, reason: unknown) => {
    throw new Error(`directory record ${offset}`, { cause: reason });
  };
  const directory = stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable }));
  const deps = {
    eventLog,
    codec,
    readState,
    activityStore,
    objectStore,
    contentIndex,
    directory,
    keyring,
    gazetteer: await loadGazetteer(),
    embedder,
    pictures: createPictureAddresses({ keyring, baseUrl }),
    clock,
    log,
  } satisfies PushDependencies;
  return { deps, activityStore, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
