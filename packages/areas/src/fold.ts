/** Kanji written both ways in names of the same place: the left form is folded to the right one. */
const VARIANT_KANJI: Readonly<Record<string, string>> = {
  龍: "竜",
  竈: "釜",
  檜: "桧",
  澤: "沢",
  濱: "浜",
};

const VARIANT_KANJI_PATTERN = new RegExp(`[${Object.keys(VARIANT_KANJI).join("")}]`, "gu");

/**
 * One spelling for the written variants of a Japanese place name: width (NFKC), `ヶ`, `ケ` and `ヵ` as in
 * 茅ヶ崎 / 茅ケ崎 / 茅が崎, and old kanji. Kana otherwise stay as they are, so that the result still reads as text.
 */
export function foldPlaceSpelling(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[ヶヵ]|(?<=[\p{Script=Han}\p{Script=Hiragana}])ケ(?=\p{Script=Han})/gu, "が")
    .replace(VARIANT_KANJI_PATTERN, (kanji) => VARIANT_KANJI[kanji] ?? kanji);
}

/** Lower case without macrons, words separated by one space: `Shin-Ōsaka` and `shin osaka` meet. */
export function foldRomanised(text: string): string {
  return text
    .normalize("NFD")
    .replace(/(?<=[A-Za-z])\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’.]+/gu, "")
    .replace(/[\s\p{Dash_Punctuation}]+/gu, " ");
}

/**
 * The key under which an area name is stored and looked up. Names that differ only in width, case, kana
 * (katakana or hiragana), macrons, spacing, hyphens or a written variant have the same key.
 */
export function foldAreaName(name: string): string {
  return foldRomanised(foldPlaceSpelling(name))
    .replace(/[ァ-ヶ]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/(?<=\p{Script=Han})っ(?=\p{Script=Han})/gu, "つ")
    .replace(/[ ・]/gu, "");
}
