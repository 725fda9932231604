import { runCrawler } from "@feed/crawler";
import type { InstallationConfig } from "@feed/engines";
import type { LogLevel } from "@feed/runtime";
import { openIngestParts } from "../ingest-parts.ts";
import { OWN_ORIGIN, USER_AGENT } from "../settings.ts";
import { roleLogger } from "./logging.ts";
import { serveRole } from "./role-worker.ts";

const SOURCES_AT_ONCE = 32;

export interface CrawlerRoleData {
  readonly installation: InstallationConfig;
  /** Origins at private addresses that may be fetched all the same: the demo's and the operator's. */
  readonly ownOrigins: readonly string[];
  readonly logLevel: LogLevel;
}

async function openCrawlerRole({ installation, ownOrigins, logLevel }: CrawlerRoleData) {
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("crawler", logLevel);
  const parts = opened.use(await openIngestParts(installation, log));
  const crawler = opened.use(
    await runCrawler({
      ...parts,
      userAgent: USER_AGENT,
      ownOrigins: new Map(ownOrigins.map((origin) => [origin, OWN_ORIGIN])),
      sourcesAtOnce: SOURCES_AT_ONCE,
      onEvent: (event) => log.debug(event, "crawled"),
    }),
  );
  const owned = opened.move();
  return { failed: crawler.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

await serveRole(openCrawlerRole);
