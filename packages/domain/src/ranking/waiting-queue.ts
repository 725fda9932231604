import type { IndexedArticleForRanking } from "./candidate.ts";

/** No place in the queue. */
export const NONE = -1;

/**
 * Ranked candidates, by index, that wait for a place. When one is taken, all that tell its story leave. What the
 * search for a place reads lies in typed arrays: it passes over thousands of entries a feed.
 */
export class WaitingQueue {
  readonly sourceCount: number;
  readonly categoryCount: number;
  readonly #sources: Uint16Array;
  readonly #categories: Uint16Array;
  /** Ordinals by rank, so an article's is its rank among stories. */
  readonly #stories: Uint16Array;
  readonly #next: Int32Array;
  readonly #isTold: Uint8Array;
  #first = NONE;

  /** `ahead` are indexes of articles that stand before all others. */
  constructor(ranked: readonly IndexedArticleForRanking[], ahead: readonly number[]) {
    const sources = new Ordinals();
    const categories = new Ordinals();
    const stories = new Ordinals();
    this.#sources = new Uint16Array(ranked.length);
    this.#categories = new Uint16Array(ranked.length);
    this.#stories = new Uint16Array(ranked.length);
    for (let at = 0; at < ranked.length; at += 1) {
      const article = ranked[at] as IndexedArticleForRanking;
      this.#sources[at] = sources.of(article.sourceId);
      this.#categories[at] = categories.of(article.category);
      this.#stories[at] = stories.of(article.duplicateGroup);
    }
    this.sourceCount = sources.count;
    this.categoryCount = categories.count;
    this.#isTold = new Uint8Array(stories.count);
    this.#next = new Int32Array(ranked.length).fill(NONE);
    const isAhead = new Set(ahead);
    let last = NONE;
    const append = (at: number) => {
      if (last === NONE) this.#first = at;
      else this.#next[last] = at;
      last = at;
    };
    for (const at of ahead) append(at);
    for (let at = 0; at < ranked.length; at += 1) if (!isAhead.has(at)) append(at);
  }

  /** The first that waits, or NONE. */
  get first(): number {
    while (this.#first !== NONE && !this.isWaiting(this.#first)) {
      this.#first = this.#next[this.#first] as number;
    }
    return this.#first;
  }

  /** The next that waits, or NONE. */
  after(at: number): number {
    let next = this.#next[at] as number;
    while (next !== NONE && !this.isWaiting(next)) next = this.#next[next] as number;
    // The taken ones in between are passed over once.
    this.#next[at] = next;
    return next;
  }

  isWaiting(at: number): boolean {
    return this.#isTold[this.#stories[at] as number] === 0;
  }

  take(at: number): void {
    this.#isTold[this.#stories[at] as number] = 1;
  }

  /** Place by score among stories. */
  rankOf(at: number): number {
    return this.#stories[at] as number;
  }

  sourceOf(at: number): number {
    return this.#sources[at] as number;
  }

  categoryOf(at: number): number {
    return this.#categories[at] as number;
  }
}

/** Numbers strings 0, 1, 2, ... in order of appearance. */
class Ordinals {
  readonly #known = new Map<string, number>();

  of(value: string): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const next = this.#known.size;
    this.#known.set(value, next);
    return next;
  }

  get count(): number {
    return this.#known.size;
  }
}
