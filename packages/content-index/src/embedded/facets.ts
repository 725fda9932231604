import type { IndexedArticle, RecallFilter } from "../port.ts";

/**
 * Numbers for the combinations of source, category and language that occur. A filter is decided once for
 * each value and combined by table, so that 50,000 articles cost one look-up each. 0: no article.
 */
export class Facets {
  readonly #sources = new Ordinals();
  readonly #categories = new Ordinals();
  readonly #languages = new Ordinals();
  readonly #combinations = new Map<string, number>();
  /** Source, category and language ordinals of each combination, three entries each. */
  readonly #parts: number[] = [0, 0, 0];

  ordinal({ sourceId, category, language }: IndexedArticle): number {
    const parts = [
      this.#sources.of(sourceId),
      this.#categories.of(category),
      this.#languages.of(language),
    ];
    const key = parts.join(" ");
    const known = this.#combinations.get(key);
    if (known !== undefined) return known;
    const ordinal = this.#parts.length / 3;
    this.#combinations.set(key, ordinal);
    this.#parts.push(...parts);
    return ordinal;
  }

  /** One byte a combination: 1 where the filter's sources, categories and language let it pass. */
  allowed(filter: RecallFilter): Uint8Array {
    const sources = this.#sources.allowed(filter.sourcesIncluded, filter.sourcesExcluded);
    const categories = this.#categories.allowed(
      filter.categoriesIncluded,
      filter.categoriesExcluded,
    );
    const { language } = filter;
    const languages = this.#languages.allowed(language === null ? null : new Set([language]));
    const parts = this.#parts;
    const allowed = new Uint8Array(parts.length / 3);
    for (let i = 1; i < allowed.length; i++) {
      const source = sources[parts[3 * i] as number] as number;
      const category = categories[parts[3 * i + 1] as number] as number;
      const language = languages[parts[3 * i + 2] as number] as number;
      allowed[i] = source & category & language;
    }
    return allowed;
  }
}

class Ordinals {
  readonly #values: string[] = [];
  readonly #ordinals = new Map<string, number>();

  of(value: string): number {
    let ordinal = this.#ordinals.get(value);
    if (ordinal === undefined) {
      ordinal = this.#values.length;
      this.#values.push(value);
      this.#ordinals.set(value, ordinal);
    }
    return ordinal;
  }

  /** `included` null: all. Work is proportional to the sets, not to the values. */
  allowed(
    included: ReadonlySet<string> | null,
    excluded: ReadonlySet<string> = new Set(),
  ): Uint8Array {
    const allowed = new Uint8Array(this.#values.length).fill(included === null ? 1 : 0);
    for (const value of included ?? []) this.#set(allowed, value, 1);
    for (const value of excluded) this.#set(allowed, value, 0);
    return allowed;
  }

  #set(allowed: Uint8Array, value: string, byte: number): void {
    const ordinal = this.#ordinals.get(value);
    if (ordinal !== undefined) allowed[ordinal] = byte;
  }
}
