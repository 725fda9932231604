import { createHash } from "node:crypto";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";

/** 128 bits: no two articles of any number meet. */
const ID_HEX_CHARS = 32;
/** Parameters that say how a reader came, never what is shown. */
const ATTRIBUTION = /^(utm_\w+|fbclid|gclid|yclid|mc_cid|mc_eid|ref_src|cmpid|ocid|_ga)$/i;
/** `ref` may be an article's number; with these values it is not. */
const ATTRIBUTION_VALUE = /^(rss|feed|atom|jsonfeed)$/i;

/**
 * The id of an article: of its source and of what the publisher says identifies it (a feed's guid,
 * else its address). A crawl that has lost its memory, and an import of the same article, give the
 * same id.
 */
export function contentIdOf(sourceId: SourceId, identity: string): ContentId {
  const hash = createHash("sha256")
    .update(JSON.stringify([sourceId, identity]))
    .digest("hex");
  return asId<ContentId>(hash.slice(0, ID_HEX_CHARS));
}

/** An address without fragment and attribution, under which an article is the same one. */
export function canonicalUrlOf(address: string): string {
  const url = new URL(address);
  url.hash = "";
  for (const [name, value] of Array.from(url.searchParams)) {
    const isReferrer = name === "ref" && ATTRIBUTION_VALUE.test(value);
    if (isReferrer || ATTRIBUTION.test(name)) url.searchParams.delete(name);
  }
  return url.href;
}

/** What an article is known by beside its id. */
export interface IdentifiedArticle {
  readonly sourceId: SourceId;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly title: string;
  readonly publishedAtMs?: number;
}

/**
 * Keys under which an article of a source is found again though its id has changed: its addresses, whatever
 * their scheme, and its title with the time of its publication. The top page is no article's address.
 */
export function identityKeysOf(article: IdentifiedArticle): readonly string[] {
  const { sourceId, title, publishedAtMs } = article;
  const keys = addressKeysOf(article);
  if (publishedAtMs === undefined) return keys;
  return [...keys, fingerprintOf(["title", sourceId, title, publishedAtMs])];
}

/** Those of its addresses alone. */
export function addressKeysOf(
  article: Pick<IdentifiedArticle, "sourceId" | "url" | "canonicalUrl">,
): readonly string[] {
  const { sourceId, url, canonicalUrl } = article;
  const addresses = new Set([url, canonicalUrl].map(addressKeyOf));
  return [...addresses].flatMap((address) =>
    address === undefined ? [] : fingerprintOf(["address", sourceId, address]),
  );
}

function addressKeyOf(address: string): string | undefined {
  const { hostname, pathname, search } = new URL(canonicalUrlOf(address));
  const path = pathname.replace(/\/+$/, "");
  return path === "" && search === "" ? undefined : hostname.replace(/^www\./, "") + path + search;
}

/** A fingerprint of parts, in order; no two different lists of parts share one. */
export function fingerprintOf(parts: readonly (string | number | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
