import { analyseArticle } from "@feed/article-analysis";
import type { AnalysisContext } from "@feed/article-analysis";
import {
  BODY_VERSIONS,
  cleanArticleHtml,
  collectPictureUrls,
  makeExcerpt,
  makeSummary,
  toMarkdown,
} from "@feed/article-body";
import type { CleanBody } from "@feed/article-body";
import type { PictureRef } from "@feed/domain/article";
import { fingerprintOf } from "../identity.ts";
import { PICTURES_PER_ARTICLE_MAX, SPACER_SIDE_PX_MAX, THUMBNAIL_SIDE_PX_MIN } from "../limits.ts";
import type { KnownArticle } from "../state/crawl-state.ts";
import type {
  ArticleDraft,
  PreparedArticle,
  ReadyArticle,
  StorePictures,
} from "./article-draft.ts";

export interface Preparation {
  readonly storePictures: StorePictures;
  readonly analysis: AnalysisContext;
  /** What `contents` holds of it already. */
  readonly known: KnownArticle | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/**
 * Cleans and analyses an article. Undefined where `contents` holds exactly this already, or an
 * operator took it down.
 *
 * @throws ArticleBodyError for a body that can't be cleaned, ObjectStoreUnavailable, the signal's reason
 */
export async function prepareArticle(
  draft: ArticleDraft,
  preparation: Preparation,
): Promise<PreparedArticle | undefined> {
  const { known, nowMs, signal, storePictures } = preparation;
  if (known?.takenDown === true) return undefined;
  const inBody = /<img\b/i.test(draft.html) ? collectPictureUrls(draft.html, draft.baseUrl) : [];
  const stored = await storePictures(
    [...draft.leadPictureUrls.slice(0, 1), ...inBody.slice(0, PICTURES_PER_ARTICLE_MAX)],
    signal,
  );
  const body = await cleanArticleHtml(draft.html, {
    baseUrl: draft.baseUrl,
    pictureFor: (url) => pictureOf(stored.get(url)),
  });
  const thumbnail = await thumbnailOf(draft, body, stored, preparation);
  const fingerprint = fingerprintOfArticle({ ...draft, bodyHtml: body.html, thumbnail });
  if (known?.fingerprint === fingerprint && !known.withdrawn) return undefined;
  const givenMs = draft.publishedAtMs ?? known?.publishedAtMs ?? nowMs;
  // An article dated ahead would stay the newest of all until then.
  const publishedAtMs = Math.min(givenMs, nowMs);
  const article = describe(draft, body, thumbnail, publishedAtMs, preparation);
  return { article, text: body.text, fingerprint };
}

/**
 * What makes two versions of an article different; all of it is in `contents`, so it can be made
 * again from there.
 */
export function fingerprintOfArticle(article: {
  readonly url: string;
  readonly canonicalUrl: string;
  readonly title: string;
  readonly author?: string;
  readonly bodyHtml: string;
  readonly thumbnail?: PictureRef | undefined;
}): string {
  const { url, canonicalUrl, title, author, bodyHtml, thumbnail } = article;
  return fingerprintOf([url, canonicalUrl, title, author, bodyHtml, thumbnail?.id]);
}

function describe(
  draft: ArticleDraft,
  body: CleanBody,
  thumbnail: PictureRef | undefined,
  publishedAtMs: number,
  { analysis, known, nowMs }: Preparation,
): ReadyArticle {
  const { contentId, sourceId, url, canonicalUrl, title } = draft;
  const author = draft.author === undefined ? {} : { author: draft.author };
  const hint = draft.languageHint === undefined ? {} : { languageHint: draft.languageHint };
  const pictures = thumbnail === undefined ? body.pictures : [thumbnail, ...body.pictures];
  const analysed = analyseArticle(
    {
      contentId,
      url,
      title,
      text: body.text,
      pictures,
      publishedAtMs,
      ...author,
      ...hint,
      feedCategories: draft.labels,
    },
    analysis,
  );
  const language = draft.language ?? analysed.language;
  const summaryInput = { text: body.prose, title, language };
  return {
    contentId,
    sourceId,
    url,
    canonicalUrl,
    title,
    publishedAtMs,
    ...author,
    ...analysed,
    language,
    analysedBy: { ...analysed.analysedBy, ...BODY_VERSIONS },
    category: draft.category ?? analysed.category,
    // A story keeps its group for life: what was shown once under it must be found again.
    duplicateGroup: known?.duplicateGroup ?? analysed.duplicateGroup,
    revision: (known?.revision ?? 0) + 1,
    summary: makeSummary(summaryInput),
    excerpt: makeExcerpt(summaryInput),
    bodyHtml: body.html,
    bodyMarkdown: toMarkdown(body.html),
    ...(thumbnail === undefined ? {} : { thumbnail }),
    fetchedAtMs: nowMs,
  };
}

async function thumbnailOf(
  draft: ArticleDraft,
  body: CleanBody,
  stored: ReadonlyMap<string, PictureRef>,
  { storePictures, signal }: Preparation,
): Promise<PictureRef | undefined> {
  const [best, ...others] = draft.leadPictureUrls;
  const lead = best === undefined ? undefined : stored.get(best);
  const found = [lead, ...body.pictures].find(isLarge);
  if (found !== undefined || others.length === 0) return found;
  const fallbacks = await storePictures(others.slice(0, 2), signal);
  return [...fallbacks.values()].find(isLarge);
}

/** A picture whose real side is as short is a counter or a spacer, whatever its markup says. */
function pictureOf(picture: PictureRef | undefined): PictureRef | undefined {
  if (picture === undefined) return undefined;
  return Math.min(picture.width, picture.height) > SPACER_SIDE_PX_MAX ? picture : undefined;
}

function isLarge(picture: PictureRef | undefined): picture is PictureRef {
  return picture !== undefined && Math.min(picture.width, picture.height) >= THUMBNAIL_SIDE_PX_MIN;
}
