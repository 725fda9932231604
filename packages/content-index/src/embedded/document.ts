import type { Article, Category } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { IndexedArticle } from "../port.ts";

/** An article as stored: a tuple, because field names would be half of its bytes. Part of the layout. */
export type StoredArticle = readonly [
  contentId: string,
  sourceId: string,
  revision: number,
  url: string,
  /** Null: the same as `url`. */
  canonicalUrl: string | null,
  title: string,
  author: string | null,
  summary: string,
  excerpt: string,
  language: string,
  category: Category,
  areas: readonly (readonly [areaId: string, confidence: number])[],
  thumbnail: readonly [id: string, width: number, height: number] | null,
  publishedAtMs: number,
  fetchedAtMs: number,
  quality: number,
  duplicateGroup: string,
];

export function storedArticle(article: Article): StoredArticle {
  const { thumbnail } = article;
  return [
    article.contentId,
    article.sourceId,
    article.revision,
    article.url,
    article.canonicalUrl === article.url ? null : article.canonicalUrl,
    article.title,
    article.author ?? null,
    article.summary,
    article.excerpt,
    article.language,
    article.category,
    article.areas.map(({ areaId, confidence }) => [areaId, confidence]),
    thumbnail === undefined ? null : [thumbnail.id, thumbnail.width, thumbnail.height],
    article.publishedAtMs,
    article.fetchedAtMs,
    article.quality,
    article.duplicateGroup,
  ];
}

/** `intern` gives equal strings one copy: sources, languages and areas repeat in every article. */
export function indexedArticle(
  stored: StoredArticle,
  intern: (value: string) => string,
): IndexedArticle {
  const [contentId, sourceId, revision, url, canonicalUrl, title, author, summary, excerpt] =
    stored;
  const [, , , , , , , , , language, category, areas, thumbnail] = stored;
  const [, , , , , , , , , , , , , publishedAtMs, fetchedAtMs, quality, duplicateGroup] = stored;
  return {
    contentId: asId(contentId),
    sourceId: asId(intern(sourceId)),
    revision,
    url,
    canonicalUrl: canonicalUrl ?? url,
    title,
    ...(author === null ? {} : { author }),
    summary,
    excerpt,
    language: intern(language),
    category,
    areas: areas.map(([areaId, confidence]) => ({ areaId: asId(intern(areaId)), confidence })),
    ...(thumbnail === null
      ? {}
      : { thumbnail: { id: asId(thumbnail[0]), width: thumbnail[1], height: thumbnail[2] } }),
    publishedAtMs,
    fetchedAtMs,
    quality,
    duplicateGroup: duplicateGroup === contentId ? contentId : duplicateGroup,
  };
}
