import { signStoredPictures } from "@feed/article-body/stored-pictures";
import type { TenantId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { Tenant } from "@feed/domain/tenant";
import type { IndexedArticle } from "@feed/content-index";
import type { FeedDependencies } from "./dependencies.ts";
import type { BodyOptions, ContentItem, ItemSource } from "./service.ts";

/** Addresses in a kept item are signed with keys that rotate monthly; an hour is far inside their grace. */
const KEPT_MS = 3_600_000;

/** RFC 3986, section 3: what stands before the query, the query, the fragment with its `#`. */
const URL_PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;
const ATTRIBUTION = /^utm_(?:source|medium)(?:=|$)/;

interface KeptItem {
  readonly item: ContentItem;
  readonly directoryVersion: number;
  readonly madeAtMs: number;
}

/** Articles in the words of the API (spec 2.1). Items without body are kept while their article is. */
export class ItemPresenter {
  readonly #deps: Pick<FeedDependencies, "directory" | "pictures" | "contentIndex">;
  readonly #kept = new WeakMap<IndexedArticle, Map<TenantId, KeptItem>>();

  constructor(deps: Pick<FeedDependencies, "directory" | "pictures" | "contentIndex">) {
    this.#deps = deps;
  }

  /** The item without body; undefined where the article's source is not known. */
  present(article: IndexedArticle, tenant: Tenant, nowMs: number): ContentItem | undefined {
    const directoryVersion = this.#deps.directory.version();
    let byTenant = this.#kept.get(article);
    const kept = byTenant?.get(tenant.tenantId);
    if (kept?.directoryVersion === directoryVersion && nowMs - kept.madeAtMs < KEPT_MS)
      return kept.item;
    const source = this.#deps.directory.source(article.sourceId);
    if (source === undefined) return undefined;
    const item = this.#item(article, source, tenant);
    if (byTenant === undefined) this.#kept.set(article, (byTenant = new Map()));
    byTenant.set(tenant.tenantId, { item, directoryVersion, madeAtMs: nowMs });
    return item;
  }

  /**
   * `content_body` and `body_format`, both or neither: only where asked for and licensed; a missing licence is no
   * error (spec 4.1 rule 6).
   */
  async body(
    article: IndexedArticle,
    tenant: Tenant,
    { includeBody, bodyFormat }: BodyOptions,
  ): Promise<Pick<ContentItem, "content_body" | "body_format">> {
    if (!includeBody) return {};
    if (this.#deps.directory.licence(tenant.tenantId, article.sourceId) !== "body") return {};
    const body = await this.#deps.contentIndex.body(article.contentId);
    if (body === undefined) return {};
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
