import type { Explanation } from "@feed/feed";
import type { ContentItem } from "@feed/feed/service";

/** One item of a list that is not delivered. */
export interface RankedPreview {
  readonly content: ContentItem;
  readonly score: number;
  readonly explanation: Explanation;
}

export interface ComparedPreview extends RankedPreview {
  /** From 1. */
  readonly position: number;
  /** In the other list; null where that doesn't have it. */
  readonly positionInOther: number | null;
}

/** The first items of a list, with the places that another one gives them. */
export function comparedWith(
  other: readonly RankedPreview[],
  list: readonly RankedPreview[],
  itemsMax: number,
): readonly ComparedPreview[] {
  const places = new Map(other.map(({ content }, at) => [content.id, at + 1]));
  return list.slice(0, itemsMax).map((item, at) => ({
    ...item,
    position: at + 1,
    positionInOther: places.get(item.content.id) ?? null,
  }));
}
