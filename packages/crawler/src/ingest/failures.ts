import { ArticleBodyError } from "@feed/article-body";
import { EmbedderUnavailable } from "@feed/embedder";
import { LogUnavailable } from "@feed/event-log";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { FetchError } from "@feed/safe-fetch";
import { PageUnreadable } from "../pages/read-page.ts";
import { CrawlStateUnavailable } from "../state/crawl-state.ts";

/** How often an article that could not be had is tried again, at later crawls. */
export const ARTICLE_ATTEMPTS_MAX = 3;

const PASSING_CODES = new Set(["unresolved", "unreachable", "timeout", "backing-off"]);

/** Whether one of our own parts was away: no fault of the article, and no reason to go on without it. */
export function isOwnOutage(error: unknown): boolean {
  return (
    error instanceof LogUnavailable ||
    error instanceof ObjectStoreUnavailable ||
    error instanceof EmbedderUnavailable ||
    error instanceof CrawlStateUnavailable
  );
}

/** A short code for logs and health, by the kind of error. */
export function failureCodeOf(error: unknown): string {
  if (error instanceof FetchError || error instanceof ArticleBodyError) return error.code;
  if (error instanceof PageUnreadable) return "page-unreadable";
  return isOwnOutage(error) ? "own-outage" : "internal";
}

/** Whether the same article may be had at the next crawl. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof FetchError)) return false;
  // A robots.txt that could not be had forbids for a while only.
  if (error.code === "robots-disallowed") return error.retryAtMs !== undefined;
  const status = error.status ?? 0;
  return PASSING_CODES.has(error.code) || status === 429 || status >= 500;
}
