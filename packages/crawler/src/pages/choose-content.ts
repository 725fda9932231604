import type { FeedEntry } from "../feeds/feed-entry.ts";
import { plainText } from "../plain-text.ts";

/** Japanese says in one character about what takes English two and a half. */
const WIDE_CHARACTER_LENGTH = 2.5;
/** A whole article is hardly shorter; a feed's body that is may be cut, so its page decides. */
const WHOLE_LENGTH_MIN = 800;
const READ_CHARS_MAX = 20_000;
const CUT_ENDING =
  /(\[?(…|\.\.\.|&hellip;)\]?|続きを読む|続きはこちら|もっと見る|全文を読む|read more|continue reading|full story)\s*[»>→]?\s*$/i;

/** Whether the feed carries the whole article, so that its page need not be fetched. */
export function isWhole(entry: FeedEntry): boolean {
  if (entry.contentHtml === undefined) return false;
  const text = plainText(entry.contentHtml, READ_CHARS_MAX);
  return weightedLength(text) >= WHOLE_LENGTH_MIN && !CUT_ENDING.test(text);
}

/** The fullest of what is there; the page's where it says at least as much as the feed. */
export function chooseContent(entry: FeedEntry, pageHtml: string | undefined): string {
  const fromFeed = entry.contentHtml ?? entry.summaryHtml ?? "";
  if (pageHtml === undefined) return fromFeed;
  const pageLength = weightedLength(plainText(pageHtml, READ_CHARS_MAX));
  return pageLength >= weightedLength(plainText(fromFeed, READ_CHARS_MAX)) ? pageHtml : fromFeed;
}

function weightedLength(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return text.length + wide * (WIDE_CHARACTER_LENGTH - 1);
}
