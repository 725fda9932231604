import type { SceneName } from "../pictures/scene.ts";

/** One hand-written story: what is new in it. The sentences around it come from the kind's banks. */
export interface Story {
  readonly title: string;
  readonly lead: string;
  readonly fact: string;
  /** Fill the slots {thing}, {who} and {place} of the bank sentences. */
  readonly thing: string;
  readonly who: string;
  readonly place: string;
}

/** A subject a publisher writes about, with the sentences its stories share. */
export interface StoryKind {
  readonly category: string;
  readonly scenes: readonly SceneName[];
  readonly headings: readonly string[];
  readonly background: readonly string[];
  readonly details: readonly string[];
  readonly quotes: readonly string[];
  readonly outlook: readonly string[];
  readonly lists: readonly { readonly heading: string; readonly items: readonly string[] }[];
  readonly tables: readonly {
    readonly heading: string;
    readonly rows: readonly { readonly label: string; readonly value: string }[];
  }[];
  readonly code: readonly string[];
  readonly stories: readonly Story[];
}

/** Everything one publisher has written. */
export interface PublisherText {
  readonly authors: readonly string[];
  readonly kinds: readonly StoryKind[];
}
