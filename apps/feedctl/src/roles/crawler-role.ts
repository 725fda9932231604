import { openLmdbSubscriptions } from "@feed/crawler/websub/lmdb-subscriptions";
import { installationPaths, type InstallationConfig } from "@feed/engines";
import type { LogLevel } from "@feed/runtime";
import { openIngestParts } from "../ingest-parts.ts";
import { OWN_ORIGIN, USER_AGENT } from "../settings.ts";
import { roleLogger } from "../up/logging.ts";
import { whenNeeded } from "./when-needed.ts";

const SOURCES_AT_ONCE = 32;

export interface CrawlerRoleData {
  readonly installation: InstallationConfig;
  /** Origins at private addresses that may be fetched all the same: the demo's and the operator's. */
  readonly ownOrigins: readonly string[];
  /** Where hubs reach the API; absent: none is asked to push. */
  readonly publicUrl?: string;
  readonly logLevel: LogLevel;
}

/**
 * Crawls the sources of the directory. What reads pages takes a hundred megabytes: it is loaded when there is a source to
 * crawl, or a subscription to end.
 */
export async function openCrawlerRole({
  installation,
  ownOrigins,
  publicUrl,
  logLevel,
}: CrawlerRoleData) {
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("crawler", logLevel);
  const parts = opened.use(await openIngestParts(installation, log));
  const { crawlState } = installationPaths(installation.dataDirectory);
  const subscriptions = opened.use(openLmdbSubscriptions(crawlState));
  const callbackBase = publicUrl === undefined ? {} : { callbackBase: publicUrl };
  const isNeeded = () =>
    parts.directory.sources().some(({ paused }) => !paused) || subscriptions.all().length > 0;
  const open = async () => {
    const { runCrawler } = await import("@feed/crawler");
    return runCrawler({
      ...parts,
      userAgent: USER_AGENT,
      ownOrigins: new Map(ownOrigins.map((origin) => [origin, OWN_ORIGIN])),
      sourcesAtOnce: SOURCES_AT_ONCE,
      websub: { subscriptions, ...callbackBase },
      onEvent: (event) => log.debug(event, "crawled"),
    });
  };
  const crawler = opened.use(await whenNeeded(isNeeded, open));
  const owned = opened.move();
  return { failed: crawler.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
