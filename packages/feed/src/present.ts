import { signStoredPictures } from "@feed/article-body/stored-pictures";
import { BoundedCache } from "@feed/domain/bounded-cache";
import type { Source } from "@feed/domain/source";
import type { Tenant } from "@feed/domain/tenant";
import type { IndexedArticle } from "@feed/content-index";
import type { FeedDependencies } from "./dependencies.ts";
import type { BodyOptions, ContentBody, ContentItem, ItemSource } from "./service.ts";

/** Addresses in a kept item are signed with keys that rotate monthly; an hour is far inside their grace. */
const KEPT_MS = 3_600_000;
/** Of all tenants: with the JSON that is kept with them, about 3 kB each. */
const KEPT_MAX = 20_000;
/** Stands in no id (spec 2.1). */
const ID_SEPARATOR = "\n";

/** RFC 3986, section 3: what stands before the query, the query, the fragment with its `#`. */
const URL_PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;
const ATTRIBUTION = /^utm_(?:source|medium)(?:=|$)/;

interface KeptItem {
  readonly article: IndexedArticle;
  readonly item: ContentItem;
  readonly directoryVersion: number;
  readonly madeAtMs: number;
}

/** Articles in the words of the API (spec 2.1). Items without body are kept for a while. */
export class ItemPresenter {
  readonly #deps: Pick<FeedDependencies, "directory" | "pictures" | "contentIndex">;
  readonly #kept = new BoundedCache<string, KeptItem>(KEPT_MAX);

  constructor(deps: Pick<FeedDependencies, "directory" | "pictures" | "contentIndex">) {
    this.#deps = deps;
  }

  /** The item without body; undefined where the article's source is not known. */
  present(article: IndexedArticle, tenant: Tenant, nowMs: number): ContentItem | undefined {
    const directoryVersion = this.#deps.directory.version();
    const key = tenant.tenantId + ID_SEPARATOR + article.contentId;
    const kept = this.#kept.get(key);
    // A revision is another object.
    if (
      kept?.article === article &&
      kept.directoryVersion === directoryVersion &&
      nowMs - kept.madeAtMs < KEPT_MS
    )
      return kept.item;
    const source = this.#deps.directory.source(article.sourceId);
    if (source === undefined) return undefined;
    const item = this.#item(article, source, tenant);
    this.#kept.set(key, { article, item, directoryVersion, madeAtMs: nowMs });
    return item;
  }

  /**
   * The body where it is asked for and licensed; a missing licence is no error (spec 4.1 rule 6).
   */
  async body(
    article: IndexedArticle,
    tenant: Tenant,
    { includeBody, bodyFormat }: BodyOptions,
  ): Promise<ContentBody | undefined> {
    if (!includeBody) return undefined;
    if (this.#deps.directory.licence(tenant.tenantId, article.sourceId) !== "body")
      return undefined;
    const body = await this.#deps.contentIndex.body(article.contentId);
    if (body === undefined) return undefined;
    const addressOf = this.#deps.pictures.bodyPicture;
    return {
      content_body: signStoredPictures(body[bodyFormat], addressOf),
      body_format: bodyFormat,
    };
  }

  #item(article: IndexedArticle, source: Source, tenant: Tenant): ContentItem {
    return {
      id: article.contentId,
      title: article.title,
      url: attributedUrl(article.url, tenant.slug, "feed"),
      canonical_url: article.canonicalUrl,
      summary: article.summary,
      thumbnail: this.#deps.pictures.thumbnail(article, source),
      body_excerpt: article.excerpt,
      ...(article.author === undefined ? {} : { author: article.author }),
      published_at: new Date(article.publishedAtMs).toISOString(),
      source: presentSource(source),
    };
  }
}

export function presentSource(source: Source): ItemSource {
  return {
    source_id: source.sourceId,
    name: source.name,
    url: source.url,
    title_rewrite_allowed: source.titleRewriteAllowed,
  };
}

/**
 * The article's link with the tenant's attribution. Its own query and fragment stay letter by letter, but for
 * earlier values of the two parameters (decisions, "Feed").
 */
export function attributedUrl(url: string, slug: string, medium: "feed" | "push"): string {
  const [, address = url, query = "", fragment = ""] = URL_PARTS.exec(url) ?? [];
  const own = query.split("&").filter((part) => part !== "" && !ATTRIBUTION.test(part));
  const attribution = [`utm_source=${encodeURIComponent(slug)}`, `utm_medium=${medium}`];
  return `${address}?${[...own, ...attribution].join("&")}${fragment}`;
}
