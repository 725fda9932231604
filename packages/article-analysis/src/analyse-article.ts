import { containingAreas, findAreaMentions } from "@feed/areas";
import type { Gazetteer } from "@feed/areas";
import type { Article, PictureRef } from "@feed/domain/article";
import type { AreaId } from "@feed/domain/ids";
import { AREAS_VERSION, articleAreas } from "./article-areas.ts";
import { CATEGORY_VERSION, categorise } from "./categorise.ts";
import { LANGUAGE_VERSION, detectLanguage } from "./detect-language.ts";
import type { DuplicateFinder } from "./duplicate-finder.ts";
import { DUPLICATES_VERSION, duplicateSignature } from "./duplicate-signature.ts";
import { QUALITY_VERSION, qualityOf } from "./quality.ts";

/** What is known of an article before it is analysed. */
export interface AnalyseArticleInput {
  readonly contentId: string;
  readonly url: string;
  readonly title: string;
  /** Text of the body, a line for each block. */
  readonly text: string;
  readonly author?: string;
  readonly pictures: readonly PictureRef[];
  /** Labels the publisher gave it, from its feed. */
  readonly feedCategories: readonly string[];
  /** BCP 47 tag the feed or page carries, if any. */
  readonly languageHint?: string;
  readonly publishedAtMs: number;
}

/** What the analysers look things up in. */
export interface AnalysisContext {
  readonly gazetteer: Gazetteer;
  readonly duplicates: DuplicateFinder;
}

export type ArticleAnalysis = Pick<
  Article,
  "language" | "category" | "areas" | "quality" | "duplicateGroup" | "analysedBy"
>;

const ANALYSED_BY: Article["analysedBy"] = {
  language: LANGUAGE_VERSION,
  category: CATEGORY_VERSION,
  areas: AREAS_VERSION,
  quality: QUALITY_VERSION,
  duplicates: DUPLICATES_VERSION,
};

/**
 * Every derived field of an article but its embedding. The article joins its group in
 * `context.duplicates`.
 */
export function analyseArticle(
  input: AnalyseArticleInput,
  context: AnalysisContext,
): ArticleAnalysis {
  const { title, text, url, feedCategories, contentId, publishedAtMs } = input;
  const hint = input.languageHint === undefined ? {} : { hint: input.languageHint };
  const language = detectLanguage({ title, text, ...hint });
  return {
    language,
    category: categorise({ title, text, language, feedCategories, url }).category,
    areas: articleAreas(
      findAreaMentions(title, context.gazetteer),
      findAreaMentions(text, context.gazetteer),
      (areaId) => areasAround(areaId, context.gazetteer),
    ),
    quality: qualityOf({
      text,
      title,
      pictures: input.pictures.length,
      hasAuthor: input.author !== undefined,
    }),
    duplicateGroup: context.duplicates.groupOf({
      contentId,
      signature: duplicateSignature(title, text),
      publishedAtMs,
    }),
    analysedBy: ANALYSED_BY,
  };
}

function areasAround(areaId: AreaId, gazetteer: Gazetteer): readonly AreaId[] {
  const area = gazetteer.byId(areaId);
  return area === undefined ? [] : containingAreas(area, gazetteer);
}
