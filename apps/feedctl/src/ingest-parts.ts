import { loadGazetteer, type Gazetteer } from "@feed/areas";
import type { CrawlState } from "@feed/crawler";
import { openLmdbCrawlState } from "@feed/crawler/state/lmdb-crawl-state";
import {
  installationPaths,
  openCore,
  openEmbedder,
  openObjectStore,
  type Core,
  type InstallationConfig,
} from "@feed/engines";
import type { Embedder } from "@feed/embedder";
import type { ObjectStore } from "@feed/object-store";
import { systemClock, type Clock, type Logger } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { unreadable } from "./up/logging.ts";

/** What articles pass through on their way into `contents`, for the crawler and for imports. */
export interface IngestParts extends Core {
  readonly embedder: Embedder;
  readonly objectStore: ObjectStore;
  readonly directory: TenantDirectory;
  readonly state: CrawlState;
  readonly gazetteer: Gazetteer;
  readonly clock: Clock;
  readonly log: Logger;
}

export async function openIngestParts(
  installation: InstallationConfig,
  log: Logger,
): Promise<IngestParts> {
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, clock, log));
  const embedder = opened.use(await openEmbedder(installation));
  // Pictures are stored here and no addresses are given out.
  const addresses = { keyring: core.keyring, clock, baseUrl: () => "http://localhost" };
  const objectStore = opened.use(await openObjectStore(installation, addresses));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const state = opened.use(
    openLmdbCrawlState(installationPaths(installation.dataDirectory).crawlState),
  );
  const gazetteer = await loadGazetteer();
  const owned = opened.move();
  return {
    ...core,
    embedder,
    objectStore,
    directory,
    state,
    gazetteer,
    clock,
    log,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
