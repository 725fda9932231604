import type { SceneName } from "./pictures/scene.ts";

/** A part of an article's body. Texts are plain; the renderer escapes them. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string }
  | {
      readonly kind: "statement";
      readonly before: string;
      readonly said: string;
      readonly after: string;
    }
  | { readonly kind: "quote"; readonly text: string; readonly by: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly rows: readonly { readonly label: string; readonly value: string }[];
    }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "figure"; readonly caption: string }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "related";
      readonly before: string;
      readonly articleId: string;
      readonly text: string;
    };

/** One article as its publisher has it. Times are integer milliseconds since the Unix epoch. */
export interface Article {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly author: string;
  readonly category: string;
  readonly blocks: readonly Block[];
  readonly publishedAtMs: number;
  /** Absent: the article has no picture. */
  readonly scene: SceneName | undefined;
  /** Seed of its pictures, so that a wire story keeps its motif with every publisher. */
  readonly pictureSeed: string;
}
