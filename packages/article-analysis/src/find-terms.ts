import type { WeightedTerm } from "./terms.ts";

/** How often a term was found. */
export interface TermCount {
  readonly term: WeightedTerm;
  readonly count: number;
}

/** Terms keyed so that a text is read once, whatever their number. */
export interface TermIndex {
  /** By the first character. A term may stand for several categories. */
  readonly byStart: ReadonlyMap<string, readonly TermGroup[]>;
}

interface TermGroup {
  readonly text: string;
  readonly terms: readonly WeightedTerm[];
}

export function indexTerms(terms: readonly WeightedTerm[]): TermIndex {
  const groups = Map.groupBy(terms, ({ term }) => term);
  const entries = [...groups].map(([text, group]): TermGroup => ({ text, terms: group }));
  const byStart = Map.groupBy(entries, ({ text }) => text.charAt(0));
  // The longest first: 映画館 is not also 映画.
  for (const group of byStart.values()) group.sort((a, b) => b.text.length - a.text.length);
  return { byStart };
}

/** Folds width and case, so that ｉＰｈｏｎｅ and iPhone are one term. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Terms in a folded text, from left to right, the longest at each place, without overlap. */
export function findTerms(folded: string, index: TermIndex): readonly TermCount[] {
  const counts = new Map<TermGroup, number>();
  let at = 0;
  while (at < folded.length) {
    const found = index.byStart
      .get(folded.charAt(at))
      ?.find(({ text }) => standsAt(folded, text, at));
    if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
    at += found?.text.length ?? 1;
  }
  return [...counts].flatMap(([group, count]) => group.terms.map((term) => ({ term, count })));
}

const LATIN = /[a-z0-9\u00c0-\u024f]/;
const KATAKANA = /[\u30a1-\u30ff]/;
const HAN = /[\u3400-\u9fff々]/;
/** Longer katakana words are seldom part of another: アプリ could be, スマートフォン is not. */
const KATAKANA_ALONE_CHARS_MAX = 3;

function standsAt(folded: string, term: string, at: number): boolean {
  if (!folded.startsWith(term, at)) return false;
  const before = folded.charAt(at - 1);
  const after = folded.charAt(at + term.length);
  if (LATIN.test(term.charAt(0)) && LATIN.test(before)) return false;
  if (LATIN.test(term.charAt(term.length - 1)))
    return !LATIN.test(withoutEnding(folded, at + term.length));
  const script = term.length === 1 && HAN.test(term) ? HAN : KATAKANA;
  if (script === KATAKANA && (term.length > KATAKANA_ALONE_CHARS_MAX || !isKatakana(term)))
    return true;
  return !script.test(before) && !script.test(after);
}

function isKatakana(term: string): boolean {
  return [...term].every((character) => KATAKANA.test(character));
}

/** The character behind a Latin word and its plural or possessive ending. */
function withoutEnding(folded: string, end: number): string {
  const ending = /^(?:['’]s|e?s)(?![a-z0-9])/.exec(folded.slice(end, end + 3));
  return folded.charAt(end + (ending?.[0].length ?? 0));
}
