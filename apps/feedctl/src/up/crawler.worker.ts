import {
  openCore,
  openEmbedder,
  openObjectStore,
  installationPaths,
  type InstallationConfig,
} from "@feed/engines";
import { loadGazetteer } from "@feed/areas";
import { runCrawler } from "@feed/crawler";
import { systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory } from "@feed/tenant-directory";
import { roleLogger } from "./logging.ts";
import { serveRole } from "./role-worker.ts";

export interface CrawlerRoleData {
  readonly installation: InstallationConfig;
  /** Origins on private addresses that may be fetched all the same: the demo's. */
  readonly allowedOrigins: readonly string[];
  readonly logLevel: LogLevel;
}

async function openCrawler({ installation, allowedOrigins, logLevel }: CrawlerRoleData) {
  const log = roleLogger("crawler", logLevel);
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, clock));
  const embedder = opened.use(await openEmbedder(installation));
  // The crawler stores pictures and gives out no addresses.
  const baseUrl = () => "http://localhost";
  const objectStore = opened.use(
    await openObjectStore(installation, { keyring: core.keyring, clock, baseUrl }),
  );
  const directory = opened.use(
    await openTenantDirectory({
      ...core,
      clock,
      onUnreadable: (offset, reason) =>
        log.error({ offset, err: reason }, "unreadable record in tenants"),
    }),
  );
  const crawler = opened.use(
    await runCrawler({
      ...core,
      embedder,
      objectStore,
      directory,
      gazetteer: await loadGazetteer(),
      stateDirectory: installationPaths(installation.dataDirectory).crawlState,
      allowedOrigins,
      clock,
      log,
    }),
  );
  const owned = opened.move();
  return { failed: crawler.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

await serveRole(openCrawler, ({ logLevel }) => roleLogger("crawler", logLevel));
