import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { getDomain } from "tldts";

/** Sources are replaced when they change, so one is worked out once. */
const known = new WeakMap<object, string>();

/**
 * Whose a source is: its publisher as an operator named it, else the registrable domain of its top page, sites of
 * shared hosts apart (Public Suffix List with its private part). Empty for an address without a domain: such a source
 * is its own publisher.
 */
export function publisherOf(source: Pick<Source, "publisher" | "url">): string {
  const worked = known.get(source);
  if (worked !== undefined) return worked;
  const publisher = source.publisher ?? getDomain(source.url, { allowPrivateDomains: true }) ?? "";
  known.set(source, publisher);
  return publisher;
}

/** Other sources of the same publisher. */
export function siblingsOf(source: Source, sources: readonly Source[]): readonly SourceId[] {
  const publisher = publisherOf(source);
  if (publisher === "") return [];
  return sources
    .filter((other) => other.sourceId !== source.sourceId && publisherOf(other) === publisher)
    .map(({ sourceId }) => sourceId);
}
