import type { ContentIndex } from "@feed/content-index";

/** Keeps generations of two indexes apart. */
export const GENERATIONS_PER_INDEX = 1e9;

/** Answers from the index that is the current one when it is asked. */
export abstract class DelegatingIndex implements ContentIndex {
  protected abstract get current(): ContentIndex;

  apply(...call: Parameters<ContentIndex["apply"]>) {
    return this.current.apply(...call);
  }
  positions() {
    return this.current.positions();
  }
  recall(...call: Parameters<ContentIndex["recall"]>) {
    return this.current.recall(...call);
  }
  articles(...call: Parameters<ContentIndex["articles"]>) {
    return this.current.articles(...call);
  }
  vectors(...call: Parameters<ContentIndex["vectors"]>) {
    return this.current.vectors(...call);
  }
  body(...call: Parameters<ContentIndex["body"]>) {
    return this.current.body(...call);
  }
  stats() {
    return this.current.stats();
  }

  abstract generation(): number;
  abstract [Symbol.asyncDispose](): Promise<void>;
}
