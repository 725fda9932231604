import { CandidateNumbers } from "@feed/domain/ranking/candidates-from";
import { emptyColumns, type NumberColumns } from "@feed/domain/ranking/candidates";
import type { IndexedArticle } from "../port.ts";

const SLOTS_AT_FIRST = 1_024;

/** What ranking reads of articles, in columns by slot: `legs` are those of the recall in progress, else 0. */
export class Features {
  columns: NumberColumns = emptyColumns(SLOTS_AT_FIRST);
  readonly #numbers = new CandidateNumbers();

  set(slot: number, article: IndexedArticle): void {
    this.#reserve(slot);
    const { columns } = this;
    columns.ids[slot] = slot;
    columns.sources[slot] = this.#numbers.sources.of(article.sourceId);
    columns.categories[slot] = this.#numbers.categories.of(article.category);
    columns.languages[slot] = this.#numbers.languages.of(article.language);
    columns.stories[slot] = this.#numbers.stories.of(article.duplicateGroup);
    columns.publishedAtMs[slot] = article.publishedAtMs;
    columns.quality[slot] = article.quality;
  }

  /** Doubles, so that what growing copies stays below what is held. */
  #reserve(slot: number): void {
    const slots = this.columns.legs.length;
    if (slot < slots) return;
    const grown = emptyColumns(Math.max(2 * slots, slot + 1));
    for (const name of Object.keys(grown) as (keyof NumberColumns)[]) {
      grown[name].set(this.columns[name]);
    }
    this.columns = grown;
  }
}
