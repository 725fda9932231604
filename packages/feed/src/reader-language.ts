import type { ContentIndex } from "@feed/content-index";
import { INTEREST_MARKS_USED_MAX } from "@feed/domain/ranking/interests";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { UserState } from "@feed/domain/user";
import type { RegisteredReader } from "./reader.ts";

/** A language is taken from clicks when there are this many and this share of them agree. */
const LANGUAGE_MARKS_MIN = 3;
const LANGUAGE_SHARE_MIN = 0.7;

/**
 * The language a reader wants: the profile's, else that of nearly everything they clicked. One who clicks in
 * another language than the profile's reads both, and gets no preference; a filter keeps to the profile.
 */
export async function readerLanguage(
  contentIndex: Pick<ContentIndex, "articles">,
  user: Pick<RegisteredReader, "state"> | undefined,
  mode: ScenarioSettings["language"]["mode"],
): Promise<string | null> {
  if (user === undefined) return null;
  const { language: tag } = user.state.properties;
  const stated = tag === undefined ? null : primaryLanguage(tag);
  if (stated !== null && mode === "filter") return stated;
  const learnt = await languageOfClicks(contentIndex, user.state);
  if (stated === null || learnt === null) return stated ?? learnt;
  return stated === learnt ? stated : null;
}

async function languageOfClicks(
  contentIndex: Pick<ContentIndex, "articles">,
  { interests }: UserState,
): Promise<string | null> {
  const liked = interests.filter(({ weight }) => weight > 0).slice(-INTEREST_MARKS_USED_MAX);
  if (liked.length < LANGUAGE_MARKS_MIN) return null;
  const articles = await contentIndex.articles(liked.map(({ contentId }) => contentId));
  const counts = new Map<string, number>();
  for (const { language } of articles) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [top] = [...counts].toSorted((left, right) => right[1] - left[1]);
  return top !== undefined && top[1] >= articles.length * LANGUAGE_SHARE_MIN ? top[0] : null;
}

/** `ja-JP` speaks `ja` (BCP 47: the primary subtag comes first). */
function primaryLanguage(tag: string): string {
  return (tag.split("-")[0] ?? tag).toLowerCase();
}
