import { ContentIndexUnavailable, ContentRejected } from "@feed/content-index";
import type { ContentChange, ContentIndex } from "@feed/content-index";
import type { ContentFact } from "@feed/domain/facts";
import type { FactCodec } from "@feed/event-codec";
import { projectContentFact } from "@feed/projections";
import { decodeFacts, isContentFact } from "../decoding.ts";
import type { ProjectionTarget } from "../target.ts";

/** Articles for retrieval. */
export function contentsTarget(
  contentIndex: ContentIndex,
  codec: FactCodec,
): ProjectionTarget<ContentFact, ContentChange> {
  return {
    name: "content-index",
    topic: "contents",
    lingerMs: 0,
    reportsUnreadable: true,
    decode: async (batch) => decodeFacts(batch, codec, isContentFact),
    fold: async (facts) => ({
      changes: facts.map(({ fact, offset }) => projectContentFact(fact, offset)),
      refused: [],
    }),
    positions: () => contentIndex.positions(),
    apply: (changes, positions) => contentIndex.apply(changes, positions),
    isUnavailable: (error) => error instanceof ContentIndexUnavailable,
    isRefusal: (error) => error instanceof ContentRejected,
  };
}
