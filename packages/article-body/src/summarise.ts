import { EXCERPT_CHARS_MAX, SUMMARY_CHARS_MAX } from "@feed/domain/limits";

export interface SummaryInput {
  /** Sentences of the body, a line for each block; may be empty. */
  readonly text: string;
  /** Stands in where the text is empty. */
  readonly title: string;
  /** BCP 47; decides where sentences end. */
  readonly language: string;
}

/**
 * The `summary` of spec 2.1: at most 200 characters, whole sentences where possible, never empty.
 */
export function makeSummary(input: SummaryInput): string {
  return startOf(input, SUMMARY_CHARS_MAX);
}

/**
 * The `body_excerpt` of spec 2.1: at most 400 characters, whole sentences where possible, never
 * empty.
 */
export function makeExcerpt(input: SummaryInput): string {
  return startOf(input, EXCERPT_CHARS_MAX);
}

function startOf({ text, title, language }: SummaryInput, charsMax: number): string {
  const summary = summarise(text, language, charsMax);
  return summary === "" ? summarise(title, language, charsMax) : summary;
}

/**
 * Whole sentences that fill less than this share of the room say too little: the next one is begun
 * too.
 */
const FILLED_SHARE_MIN = 0.25;
const ELLIPSIS = "…";
/** Sentence segmentation is not linear; no summary needs more than this. */
const INPUT_CHARS_PER_OUTPUT_CHAR = 4;

/**
 * The start of `text` in at most `charsMax` UTF-16 units (so also characters): whole sentences as
 * far as they fit. Where not even one fits, or they fill too little, the next is cut between words
 * or graphemes and ends in `…`. Empty only when `text` shows nothing.
 */
export function summarise(text: string, language: string, charsMax: number): string {
  const read = text.slice(0, charsMax * INPUT_CHARS_PER_OUTPUT_CHAR);
  const beginning = oneLine(read.replace(/[\ud800-\udbff]$/, ""));
  if (beginning.length <= charsMax && text.length === read.length) return beginning;
  let length = 0;
  for (const sentence of sentences(beginning, language)) {
    if (length + sentence.trimEnd().length > charsMax) break;
    length += sentence.length;
  }
  const whole = beginning.slice(0, length).trimEnd();
  return whole.length >= charsMax * FILLED_SHARE_MIN ? whole : cut(beginning, language, charsMax);
}

/** Lines joined as they would be read on: Japanese sentences need no space between them. */
function oneLine(text: string): string {
  return text
    .replaceAll(/(?<=[。！？」』）])\s*\n\s*/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(language: string, granularity: "sentence" | "grapheme"): Intl.Segmenter {
  const key = `${granularity} ${language}`;
  const known = segmenters.get(key);
  if (known !== undefined) return known;
  const locale = Intl.Segmenter.supportedLocalesOf([language].filter(isLocale))[0] ?? "en";
  const made = new Intl.Segmenter(locale, { granularity });
  // Languages come from outside; a few hundred exist.
  if (segmenters.size < 500) segmenters.set(key, made);
  return made;
}

function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}

/**
 * A full stop behind these rarely ends a sentence, though a capital follows (Unicode's rules don't
 * know words).
 */
const ABBREVIATION = new RegExp(
  '(?:^|[\\s(“"])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gov|Sen|Rep|Gen|Lt|Col|Capt|Sgt|Inc|Ltd|Corp|Co|No|vs|' +
    "[A-Z]|(?:[A-Z]\\.)+[A-Z])\\.\\s*$",
);
/** `１．`, `3.` and `Q．` stand before what they number. */
const NUMBERING = /(?:^|[\s。！？」』）)])(?:[0-9０-９]{1,2}|[QＱAＡ])[.．]\s*$/;
/** What a sentence begins with and never ends with. */
const OPENING = /[「『（(【［[〈《“‘＜■●◆▼※][「『（(【［[〈《“‘＜■●◆▼※\s]*$/;
/** `「はい。」と言った。` is one sentence, and so is all that a quotation holds. */
const CLOSED_QUOTE = /[。！？][」』）]$/;

function sentences(text: string, language: string): readonly string[] {
  const joined: string[] = [];
  let quotesOpen = 0;
  let carried = "";
  for (const { segment } of segmenter(language, "sentence").segment(text)) {
    // Unicode's rules count an opening bracket to the sentence before it.
    const opening = OPENING.exec(segment)?.[0] ?? "";
    const sentence = carried + segment.slice(0, segment.length - opening.length);
    carried = opening;
    const last = joined.at(-1);
    const goesOn =
      quotesOpen > 0 ||
      ABBREVIATION.test(last?.slice(-20) ?? "") ||
      NUMBERING.test(last?.slice(-20) ?? "") ||
      CLOSED_QUOTE.test(last?.slice(-2) ?? "");
    if (last !== undefined && goesOn) joined[joined.length - 1] = last + sentence;
    else joined.push(sentence);
    quotesOpen = Math.max(0, quotesOpen + count(sentence, /[「『]/g) - count(sentence, /[」』]/g));
  }
  return carried === "" ? joined : [...joined, carried];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Never within a grapheme, and in languages with spaces never within a word if a space is near. */
function cut(text: string, language: string, charsMax: number): string {
  const room = charsMax - ELLIPSIS.length;
  let length = 0;
  for (const { segment, index } of segmenter(language, "grapheme").segment(text)) {
    if (index + segment.length > room) break;
    length = index + segment.length;
  }
  const kept = text.slice(0, length);
  const space = kept.lastIndexOf(" ");
  const endsAtWord = text[length] === " " || space < charsMax * 0.8;
  const words = endsAtWord ? kept : kept.slice(0, space);
  return words.replace(/[\s、,;:]{0,3}$/, "") + ELLIPSIS;
}
