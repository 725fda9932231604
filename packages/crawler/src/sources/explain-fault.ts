import type { FeedErrorCode } from "../feeds/feed-entry.ts";
import type { FetchErrorCode } from "@feed/safe-fetch";
import type { CrawlFault } from "../state/crawl-state.ts";

const WORDS: Readonly<Record<FetchErrorCode | FeedErrorCode, string>> = {
  "bad-url": "The address is no http address, carries a password, or is too long.",
  "blocked-address": "The address is not on the public internet.",
  unresolved: "The host name has no address.",
  unreachable: "The host did not answer, or broke off.",
  timeout: "The host took too long.",
  "too-large": "The answer is larger than the crawler takes.",
  "bad-encoding": "The answer is compressed in a way that can't be read.",
  "too-many-redirects": "The address redirects too often.",
  "bad-redirect": "The address redirects to nowhere.",
  "robots-disallowed": "The site's robots.txt does not allow it, or could not be had.",
  "backing-off":
    "The host asked for quiet or failed several times, so it is left alone for a while.",
  "bad-status": "The host answered with an error.",
  "not-a-feed": "What is there is no feed.",
  broken: "The feed is broken and can't be read.",
  doctype: "The feed has a document type declaration, which is refused.",
};

const OTHERS: Readonly<Record<string, string>> = {
  "page-unreadable": "The page is no readable HTML, or is nested too deep.",
  internal: "A fault of the service; its log says more.",
};

const STATUSES: Readonly<Record<number, string>> = {
  401: "The host wants a password (401).",
  403: "The host refuses the crawler (403).",
  404: "There is nothing at the address (404).",
  410: "What was at the address is gone for good (410).",
  429: "The host says it is asked too often (429).",
};

/** What went wrong, as a sentence for an operator. */
export function explainFault({ code, status }: Pick<CrawlFault, "code" | "status">): string {
  if (status !== undefined) {
    return STATUSES[status] ?? `The host answered with status ${status}.`;
  }
  const known: Readonly<Record<string, string>> = { ...WORDS, ...OTHERS };
  return known[code] ?? `The article's body could not be cleaned (${code}).`;
}
