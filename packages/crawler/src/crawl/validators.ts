import type { Fetched } from "@feed/safe-fetch";
import type { Validators } from "../state/crawl-state.ts";

/** A validator that is longer is no validator. */
const VALIDATOR_CHARS_MAX = 1_000;

export function validatorsOf({ headers }: Pick<Fetched, "headers">): Validators {
  const { etag, "last-modified": lastModified } = headers;
  return {
    ...(isUsable(etag) ? { etag } : {}),
    ...(isUsable(lastModified) ? { lastModified } : {}),
  };
}

/** Both, where both are known: a server uses the stronger (RFC 9110, 13.2.2). */
export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
  };
}

function isUsable(value: string | undefined): value is string {
  return value !== undefined && value.length <= VALIDATOR_CHARS_MAX && /^[\x20-\x7e]+$/.test(value);
}
