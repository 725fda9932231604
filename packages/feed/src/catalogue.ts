import type { IndexedArticle, RecallFilter, RecallLeg } from "@feed/content-index";
import { asId } from "@feed/domain/ids";
import type { ContentId } from "@feed/domain/ids";
import { foundBy } from "@feed/domain/ranking/candidates";
import type { FeedDependencies } from "./dependencies.ts";
import type { ItemPresenter } from "./present.ts";
import type { CatalogueItem, CatalogueRequest, CatalogueSearch } from "./service.ts";
import { StatedInterests } from "./stated-interests.ts";

const NEAREST_ITEMS = 100;
/** Among the newest, those that have the text itself are found too. */
const FRESH_ITEMS = 500;

/** Articles for people who look after them: charged to nobody, recorded nowhere. */
export class Catalogue {
  readonly #deps: FeedDependencies;
  readonly #presenter: ItemPresenter;
  readonly #texts: StatedInterests;

  constructor(deps: FeedDependencies, presenter: ItemPresenter) {
    this.#deps = deps;
    this.#presenter = presenter;
    this.#texts = new StatedInterests(deps.embedder);
  }

  async search(request: CatalogueSearch): Promise<readonly CatalogueItem[]> {
    const { text, limit } = request;
    const found = text === "" ? await this.#newest(request) : await this.#matching(request);
    return found.flatMap((article) => this.#present(article, request) ?? []).slice(0, limit);
  }

  async find(request: CatalogueRequest): Promise<CatalogueItem | undefined> {
    const { contentId, tenant } = request;
    const [article] = await this.#deps.contentIndex.articles([contentId]);
    const found = article && this.#present(article, request);
    if (article === undefined || found === undefined) return undefined;
    const body = await this.#presenter.body(article, tenant, {
      includeBody: true,
      bodyFormat: "markdown",
    });
    return { ...found, item: { ...found.item, ...body } };
  }

  async #newest({ nowMs }: CatalogueSearch): Promise<readonly IndexedArticle[]> {
    const leg = { kind: "fresh", language: null, limit: FRESH_ITEMS } as const;
    return (await this.#deps.contentIndex.recall(everythingBy(nowMs), [leg])).articles;
  }

  /** The article of that id, then those that have the text, then those that are about it. */
  async #matching({ text, nowMs }: CatalogueSearch): Promise<readonly IndexedArticle[]> {
    const [vector] = await this.#texts.vectorsOf([text]);
    const fresh = { kind: "fresh", language: null, limit: FRESH_ITEMS } as const;
    const legs: readonly RecallLeg[] =
      vector === undefined ? [fresh] : [{ kind: "nearest", vector, limit: NEAREST_ITEMS }, fresh];
    const { contentIndex } = this.#deps;
    const candidates = await contentIndex.recall(everythingBy(nowMs), legs);
    const wanted = text.toLowerCase();
    const having = candidates.articles.filter(({ title, summary }) =>
      `${title}\n${summary}`.toLowerCase().includes(wanted),
    );
    const nearest = candidates.articles.filter(
      (_, at) => vector !== undefined && foundBy(candidates, at, 0),
    );
    const named = await contentIndex.articles([asId<ContentId>(text)]);
    const all = [...named, ...having, ...nearest];
    return [...new Map(all.map((article) => [article.contentId, article])).values()];
  }

  #present(
    article: IndexedArticle,
    { tenant, nowMs }: Pick<CatalogueSearch, "tenant" | "nowMs">,
  ): CatalogueItem | undefined {
    const { directory } = this.#deps;
    const item = this.#presenter.present(article, tenant, nowMs);
    if (item === undefined) return undefined;
    return {
      item,
      licence: directory.licence(tenant.tenantId, article.sourceId),
      isWithheld: directory.withheldContents(tenant.tenantId).has(article.contentId),
    };
  }
}

/** Every article that is published by now. */
function everythingBy(nowMs: number): RecallFilter {
  return {
    sourcesIncluded: null,
    sourcesExcluded: new Set(),
    categoriesIncluded: null,
    categoriesExcluded: new Set(),
    contentsExcluded: new Set(),
    language: null,
    publishedAfterMs: null,
    publishedBeforeMs: nowMs,
  };
}
