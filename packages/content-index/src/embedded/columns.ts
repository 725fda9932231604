import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import type { IndexedArticle } from "../port.ts";
import { indexedArticle } from "./document.ts";
import { Facets } from "./facets.ts";
import { Features } from "./features.ts";
import { Matrix } from "./matrix.ts";
import { NearestSearch } from "./nearest.ts";
import { ExactProducts } from "./products.ts";
import type { StoredChange } from "./store.ts";
import { compareAge, compareIds, TimeOrder } from "./time-order.ts";

/** From this many changes at once (and a share of all), sorting anew is cheaper than inserting each. */
const REBUILD_CHANGES_MIN = 256;
const REBUILD_SHARE = 32;

/**
 * The index in memory, by slot: an article's number in this process, kept until it ends, also when the
 * article is withdrawn. What a recall touches for every article lies in the matrix, the rest in objects.
 */
export class Columns {
  readonly matrix: Matrix;
  readonly nearest: NearestSearch;
  readonly products: ExactProducts;
  readonly facets = new Facets();
  readonly features = new Features();
  readonly ids: ContentId[] = [];
  readonly publishedAtMs: number[] = [];
  /** Undefined: withdrawn. */
  readonly articles: (IndexedArticle | undefined)[] = [];
  readonly newest = new TimeOrder(this);
  readonly newestOfSource = new Map<SourceId, TimeOrder>();
  readonly newestOfArea = new Map<AreaId, TimeOrder>();
  readonly newestOfLanguage = new Map<string, TimeOrder>();
  /** Moves with every refresh that changed something. */
  generation = 0;
  /** Of the last change applied here. */
  sequence = 0;
  readonly #slots = new Map<string, number>();
  readonly #strings = new Map<string, string>();

  constructor(dimensions: number) {
    this.matrix = new Matrix(dimensions);
    this.nearest = new NearestSearch(this.matrix, (left, right) => compareIds(this, left, right));
    this.products = new ExactProducts(this.matrix);
  }

  slotOf(contentId: ContentId): number | undefined {
    return this.#slots.get(contentId);
  }

  get articleCount(): number {
    return this.newest.slots.length;
  }

  /** Applies stored changes, `latest` being the sequence of the last one. */
  refresh(changes: Iterable<StoredChange>, latest: number): void {
    const limit = Math.max(REBUILD_CHANGES_MIN, this.articleCount / REBUILD_SHARE);
    const expected = latest - this.sequence;
    if (expected <= 0) return;
    // The feed skips sequences of articles changed again, so `expected` is an upper bound.
    if (expected > limit) {
      this.loadPart(changes);
      this.completeLoad();
    } else {
      for (const change of changes) this.#take(change, false);
      this.generation++;
    }
    this.sequence = Math.max(this.sequence, latest);
  }

  /** Takes in changes that no recall finds before `completeLoad`; how many there were. */
  loadPart(changes: Iterable<StoredChange>): number {
    let count = 0;
    for (const change of changes) {
      this.#take(change, true);
      count++;
    }
    return count;
  }

  completeLoad(): void {
    this.#rebuildOrders();
    this.generation++;
  }

  #take(change: StoredChange, rebuild: boolean): void {
    this.#apply(change, rebuild);
    this.sequence = change.sequence;
  }

  #apply({ contentId, article: stored, vectorBytes }: StoredChange, rebuild: boolean): void {
    if (vectorBytes === undefined) return;
    const slot = this.#slots.get(contentId) ?? this.#addSlot(contentId);
    this.matrix.setVector(slot, vectorBytes);
    const before = this.articles[slot];
    if (before !== undefined && !rebuild) {
      for (const order of this.#ordersOf(before)) order.remove(slot);
    }
    const article = stored && indexedArticle(stored, (value) => this.#intern(value));
    this.articles[slot] = article;
    this.publishedAtMs[slot] = article?.publishedAtMs ?? 0;
    const facet = article === undefined ? 0 : this.facets.ordinal(article);
    this.matrix.setFacet(slot, facet, this.publishedAtMs[slot] ?? 0);
    if (article !== undefined) this.features.set(slot, article);
    if (article !== undefined && !rebuild) {
      for (const order of this.#ordersOf(article)) order.insert(slot);
    }
  }

  #addSlot(contentId: string): number {
    const slot = this.ids.length;
    this.ids.push(contentId as ContentId);
    this.publishedAtMs.push(0);
    this.articles.push(undefined);
    this.#slots.set(contentId, slot);
    return slot;
  }

  #rebuildOrders(): void {
    this.newest.slots.length = 0;
    this.newestOfSource.clear();
    this.newestOfArea.clear();
    this.newestOfLanguage.clear();
    const live = [...this.ids.keys()].filter((slot) => this.articles[slot] !== undefined);
    live.sort((left, right) => compareAge(this, left, right));
    for (const slot of live) {
      const article = this.articles[slot];
      if (article === undefined) continue;
      for (const order of this.#ordersOf(article)) order.append(slot);
    }
  }

  /** Every order an article stands in, each once. */
  #ordersOf(article: IndexedArticle): Set<TimeOrder> {
    const orders = new Set([
      this.newest,
      this.#order(this.newestOfSource, article.sourceId),
      this.#order(this.newestOfLanguage, article.language),
    ]);
    for (const { areaId } of article.areas) orders.add(this.#order(this.newestOfArea, areaId));
    return orders;
  }

  #order<Key>(orders: Map<Key, TimeOrder>, key: Key): TimeOrder {
    let order = orders.get(key);
    if (order === undefined) {
      order = new TimeOrder(this);
      orders.set(key, order);
    }
    return order;
  }

  #intern(value: string): string {
    const known = this.#strings.get(value);
    if (known !== undefined) return known;
    this.#strings.set(value, value);
    return value;
  }
}
