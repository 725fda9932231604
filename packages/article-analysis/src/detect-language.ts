import { eld } from "eld/small";

/** Named in `analysedBy.language`; a change of rules or model is a new version. */
export const LANGUAGE_VERSION = "script-eld-1";

export interface DetectLanguageInput {
  readonly title: string;
  readonly text: string;
  /**
   * What the feed or the page says of itself, a BCP 47 tag; believed where the text leaves it
   * open.
   */
  readonly hint?: string;
}

/** Statistics of letters settle within this many characters. */
const CHARS_READ_MAX = 2_000;
/** Below this the model guesses: a title such as "iPhone 17" came out as Danish. */
const LETTERS_FOR_MODEL_MIN = 25;
/** Japanese quotes, brands and emoticons stay below this share in articles of other languages. */
const JAPANESE_SHARE_MIN = 0.1;
const LANGUAGE_UNKNOWN = "und";

/**
 * The language an article is written in: BCP 47 primary language, lower case; `und` where nothing
 * tells.
 *
 * Scripts decide first, as no statistics are needed for kana and Hangul. Han alone follows the
 * hint; without one a headline counts as Japanese, a longer text as Chinese. The rest goes to
 * n-gram statistics, the hint as prior.
 */
export function detectLanguage({ title, text, hint }: DetectLanguageInput): string {
  const sample = `${title}\n${text}`.slice(0, CHARS_READ_MAX);
  const hinted = primaryLanguage(hint);
  const letters = count(sample, /\p{L}/gu);
  const kana = count(sample, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(sample, /\p{Script=Han}/gu);
  const hangul = count(sample, /\p{Script=Hangul}/gu);
  if (letters === 0) return hinted ?? LANGUAGE_UNKNOWN;
  if (kana > 0 && kana + han >= letters * JAPANESE_SHARE_MIN) return "ja";
  if (hangul >= letters * JAPANESE_SHARE_MIN) return "ko";
  if (han >= letters * JAPANESE_SHARE_MIN)
    return hinted === "ja" || hinted === "ko" ? hinted : hanLanguage(letters, hinted);
  return fromStatistics(sample, letters, hinted);
}

/** A headline in Han alone may well be Japanese; a longer text without any kana is not. */
function hanLanguage(letters: number, hinted: string | undefined): string {
  return hinted === undefined && letters < LETTERS_FOR_MODEL_MIN ? "ja" : "zh";
}

function fromStatistics(sample: string, letters: number, hinted: string | undefined): string {
  const result = eld.detect(sample);
  if (result.language === "") return hinted ?? LANGUAGE_UNKNOWN;
  if (letters < LETTERS_FOR_MODEL_MIN || !result.isReliable()) return hinted ?? result.language;
  return result.language;
}

function primaryLanguage(tag: string | undefined): string | undefined {
  return /^([a-z]{2,3})(?:[-_]|$)/.exec(tag?.trim().toLowerCase() ?? "")?.[1];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
