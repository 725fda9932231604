import { analyseArticle, DUPLICATES_VERSION } from "@feed/article-analysis";
import type { AnalysisContext } from "@feed/article-analysis";
import {
  BODY_VERSIONS,
  cleanArticleHtml,
  makeExcerpt,
  makeSummary,
  toMarkdown,
} from "@feed/article-body";
import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import type { Article, PictureRef } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { PictureId } from "@feed/domain/ids";
import type { PreparedArticle } from "../ingest/article-draft.ts";
import { fingerprintOfArticle } from "../ingest/prepare-article.ts";

/**
 * A stored article with every derived field made anew, as its next revision; undefined where that
 * changes nothing. What came with the article and was not kept is replaced by what was made of it: its
 * language is a hint, its category counts as its publisher's label. It leaves its group of duplicates
 * only where that was made by another version.
 */
export async function rederive(
  article: Article,
  context: AnalysisContext,
): Promise<PreparedArticle | undefined> {
  const { title, language: languageHint, category, bodyHtml } = article;
  const pictures = article.thumbnail === undefined ? [] : [article.thumbnail];
  const {
    text,
    prose,
    pictures: inBody,
  } = await cleanArticleHtml(bodyHtml, {
    baseUrl: article.url,
    pictureFor: storedPicture,
  });
  const analysed = analyseArticle(
    {
      contentId: article.contentId,
      url: article.url,
      title,
      text,
      pictures: [...pictures, ...inBody],
      publishedAtMs: article.publishedAtMs,
      languageHint,
      feedCategories: [category],
      ...(article.author === undefined ? {} : { author: article.author }),
    },
    context,
  );
  const isGrouped = article.analysedBy["duplicates"] === DUPLICATES_VERSION;
  const { markdown, summary: summaryVersion } = BODY_VERSIONS;
  const summaryInput = { text: prose, title, language: analysed.language };
  const derived = {
    ...analysed,
    // The body itself is the source of all this; only fetching its page again makes it anew.
    analysedBy: {
      ...article.analysedBy,
      ...analysed.analysedBy,
      markdown,
      summary: summaryVersion,
    },
    duplicateGroup: isGrouped ? article.duplicateGroup : analysed.duplicateGroup,
    summary: makeSummary(summaryInput),
    excerpt: makeExcerpt(summaryInput),
    bodyMarkdown: toMarkdown(bodyHtml),
  };
  if (isUnchanged(article, derived)) return undefined;
  const { embedding: _embedding, ...kept } = article;
  const revised = { ...kept, ...derived, revision: article.revision + 1 };
  return { article: revised, text, fingerprint: fingerprintOfArticle(revised) };
}

/** Numbers come back from the log with the precision they are stored in. */
function isUnchanged(article: Article, derived: Partial<Article>): boolean {
  return Object.entries(derived).every(([name, value]) => {
    const before: unknown = article[name as keyof Article];
    return comparable(before) === comparable(value);
  });
}

function comparable(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "number") return Math.round(each * 1e6);
    const isRecord = typeof each === "object" && each !== null && !Array.isArray(each);
    return isRecord ? Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)) : each;
  });
}

/** Its size matters to nobody here. */
function storedPicture(url: string): PictureRef | undefined {
  if (!url.startsWith(STORED_PICTURE_PREFIX)) return undefined;
  return { id: asId<PictureId>(url.slice(STORED_PICTURE_PREFIX.length)), width: 1, height: 1 };
}
