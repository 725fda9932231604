import { foldPlaceSpelling, foldRomanised } from "./fold.ts";
import type { FormNode, MentionForm, MentionIndex } from "./mention-index.ts";
import {
  FAMILY_NAME_ROMANISED,
  PLACE_FOLLOWERS,
  SUFFIX_FOLLOWERS,
  WORDS_BEFORE_PLACES,
} from "./mention-words.ts";

/** How often a form occurs, and whether a sign of place stood behind it at least once. */
export interface FormOccurrences {
  readonly count: number;
  readonly asPlace: boolean;
}

/** Finds the forms of `index` in a text. Linear in the text: one walk of the trie at each position. */
export function scanForms(
  text: string,
  index: MentionIndex,
): ReadonlyMap<MentionForm, FormOccurrences> {
  const found = new Map<MentionForm, FormOccurrences>();
  const spelled = foldPlaceSpelling(text);
  scanJapanese(spelled, index.japanese, found);
  scanRomanised(spelled, index.romanised, found);
  return found;
}

function record(
  found: Map<MentionForm, FormOccurrences>,
  form: MentionForm,
  asPlace: boolean,
): void {
  const before = found.get(form) ?? { count: 0, asPlace: false };
  found.set(form, { count: before.count + 1, asPlace: before.asPlace || asPlace });
}

function scanJapanese(
  text: string,
  root: FormNode,
  found: Map<MentionForm, FormOccurrences>,
): void {
  let previousEnd = 0;
  for (let start = 0; start < text.length;) {
    const form = formsAt(text, start, root).find((one) =>
      standsAlone(text, start, one, previousEnd),
    );
    if (form === undefined) {
      start += 1;
      continue;
    }
    const end = start + form.text.length;
    record(
      found,
      form,
      PLACE_FOLLOWERS.some((follower) => text.startsWith(follower, end)),
    );
    previousEnd = end;
    start = end;
  }
}

/** Forms starting at `start`, longest first. */
function formsAt(text: string, start: number, root: FormNode): MentionForm[] {
  const forms: MentionForm[] = [];
  let node: FormNode | undefined = root.next.get(text.charCodeAt(start));
  for (let index = start + 1; node !== undefined; index += 1) {
    if (node.form !== undefined) forms.unshift(node.form);
    node = node.next.get(text.charCodeAt(index));
  }
  return forms;
}

const HAN = /\p{Script=Han}/u;
const HIRAGANA = /\p{Script=Hiragana}/u;
const KATAKANA = /[\p{Script=Katakana}ー]/u;
/** Kanji that open the next word behind a name: 大阪北部, 神戸東灘. */
const DIRECTIONS = new Set("東西南北新");

/**
 * Whether the form is a word of its own rather than part of another: 光駅 inside 観光駅前, 日光 in 日光浴,
 * 香川 in 香川真司. Japanese has no spaces, so the script of the neighbours has to tell.
 */
function standsAlone(text: string, start: number, form: MentionForm, previousEnd: number): boolean {
  const end = start + form.text.length;
  const before = start === 0 || start === previousEnd ? "" : (text[start - 1] ?? "");
  const after = text[end] ?? "";
  if (HIRAGANA.test(form.text[0] ?? "") && HIRAGANA.test(before)) return false;
  if (KATAKANA.test(form.text[0] ?? "") && KATAKANA.test(before)) return false;
  if (form.strength === "official") return officialStandsAlone(form.text, before, after);
  if (HAN.test(before)) return false;
  if (KATAKANA.test(form.text.slice(-1)) && KATAKANA.test(after)) return false;
  if (!HAN.test(after)) return true;
  return (
    DIRECTIONS.has(after) || PLACE_FOLLOWERS.some((follower) => text.startsWith(follower, end))
  );
}

/** Two characters with suffix are easily part of a longer word; longer ones seldom are. */
function officialStandsAlone(name: string, before: string, after: string): boolean {
  if (name.endsWith("市") && after === "場") return false;
  if (name.endsWith("区") && HAN.test(after) && !SUFFIX_FOLLOWERS.has(after)) return false;
  return name.length > 2 || !HAN.test(before);
}

/** Most words of one romanised form, suffix included. */
const ROMANISED_WORDS_MAX = 4;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function scanRomanised(
  text: string,
  forms: ReadonlyMap<string, MentionForm>,
  found: Map<MentionForm, FormOccurrences>,
): void {
  const words = [...text.matchAll(/[A-Za-zÀ-ž]+(?:['’][A-Za-zÀ-ž]+)*/gu)].map((match): Word => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  for (let index = 0; index < words.length;) {
    index += recordRomanisedAt(text, words, index, forms, found);
  }
}

/** Records the longest form that starts at a capitalised word. Returns how many words it used, at least 1. */
function recordRomanisedAt(
  text: string,
  words: readonly Word[],
  index: number,
  forms: ReadonlyMap<string, MentionForm>,
  found: Map<MentionForm, FormOccurrences>,
): number {
  const first = words[index];
  if (first === undefined || !/^\p{Lu}/u.test(first.text)) return 1;
  for (let count = ROMANISED_WORDS_MAX; count > 0; count -= 1) {
    const last = words[index + count - 1];
    if (last === undefined) continue;
    const form = forms.get(foldRomanised(text.slice(first.start, last.end)));
    if (form === undefined) continue;
    if (!isPersonsName(form, text, words[index - 1], first)) record(found, form, false);
    return count;
  }
  return 1;
}

/** Naomi Osaka, but not "in Osaka". */
function isPersonsName(
  form: MentionForm,
  text: string,
  before: Word | undefined,
  word: Word,
): boolean {
  if (!FAMILY_NAME_ROMANISED.has(form.text) || before === undefined) return false;
  if (text.slice(before.end, word.start) !== " " || !/^\p{Lu}/u.test(before.text)) return false;
  return !WORDS_BEFORE_PLACES.has(before.text.toLowerCase());
}
