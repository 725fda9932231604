/**
 * Runs of one kind of character: Latin words and numbers with inner apostrophes and points, Han, Katakana,
 * Hiragana, and words of any other script.
 */
const RUNS =
  /[a-z0-9\u00c0-\u024f][a-z0-9\u00c0-\u024f'.]*|\p{sc=Han}[\p{sc=Han}々]*|[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /^[a-z0-9\u00c0-\u024f]/;
const NUMBER = /^[0-9.]+$/;
const HAN = /^\p{sc=Han}/u;
const KATAKANA = /^[\p{sc=Katakana}ー]/u;
const HIRAGANA = /^\p{sc=Hiragana}/u;
/** Endings that make no other word of it; what stays is a stem good enough to meet its relatives. */
const ENDINGS = /(?:ies|es|s|ing|ed|ly)$/;
const STEM_LETTERS_MIN = 5;
const PREFIX_LETTERS = 5;

/** Weights by kind, found by measuring on real news (README.md): what carries topics counts more. */
const WEIGHTS = {
  latinWord: 1.5,
  latinPrefix: 0.5,
  number: 0.3,
  hanPair: 1,
  hanTriple: 0.3,
  katakanaWord: 1,
  katakanaTriple: 0.4,
  hiraganaPair: 0.1,
  otherWord: 1,
  otherTriple: 0.3,
} as const;

/** English words that say nothing of a topic. Japanese ones are written in Hiragana, which weighs little. */
const STOP_WORDS = new Set(
  (
    "the a an of and or in on at to for from by with as is are was were be been it its this that these those " +
    "he she they we you i his her their our your my not but if so than then there here what who how why when " +
    "which will would can could should has have had do does did just about into over after before more most " +
    "new one up out no all"
  ).split(" "),
);

/** Adds the features of a folded text (NFKC, lower case), each `factor` times its weight. */
export function addFeatures(weights: Map<string, number>, text: string, factor: number): void {
  const add = (feature: string, weight: number): void => {
    weights.set(feature, (weights.get(feature) ?? 0) + weight * factor);
  };
  for (const [run] of text.matchAll(RUNS)) {
    if (LATIN.test(run)) {
      addLatin(run, add);
    } else if (HAN.test(run)) {
      addGrams(run, 2, WEIGHTS.hanPair, add);
      addGrams(run, 3, WEIGHTS.hanTriple, add);
    } else if (KATAKANA.test(run)) {
      if (run.length > 1) add(run, WEIGHTS.katakanaWord);
      addGrams(run, 3, WEIGHTS.katakanaTriple, add);
    } else if (HIRAGANA.test(run)) {
      addGrams(run, 2, WEIGHTS.hiraganaPair, add);
    } else {
      add(run, WEIGHTS.otherWord);
      addGrams(run, 3, WEIGHTS.otherTriple, add);
    }
  }
}

function addLatin(run: string, add: (feature: string, weight: number) => void): void {
  const word = run.replace(/'s?$|\.+$/, "");
  if (word.length < 2 || STOP_WORDS.has(word)) return;
  if (NUMBER.test(word)) {
    add(word, WEIGHTS.number);
    return;
  }
  const stem = word.length >= STEM_LETTERS_MIN ? word.replace(ENDINGS, "") : word;
  add(stem, WEIGHTS.latinWord);
  if (stem.length > PREFIX_LETTERS) add(`${stem.slice(0, PREFIX_LETTERS)}-`, WEIGHTS.latinPrefix);
}

/** Marked by their length, so that a gram is another feature than the word it happens to be. */
function addGrams(
  run: string,
  length: number,
  weight: number,
  add: (feature: string, weight: number) => void,
): void {
  for (let i = 0; i + length <= run.length; i++)
    add(`${length}${run.slice(i, i + length)}`, weight);
}

/** FNV-1a over UTF-16 units, 32 bits. */
export function hashOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < feature.length; i++) {
    hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
