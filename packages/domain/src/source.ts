import type { SourceId } from "./ids.ts";

/** A publisher as the service knows it (spec 2.2), and how it is crawled. */
export interface Source {
  readonly sourceId: SourceId;
  readonly name: string;
  /** Top page of the source. */
  readonly url: string;
  readonly feedUrl: string;
  /** Whether applications may show a reworded title (spec 2.2, title rule). */
  readonly titleRewriteAllowed: boolean;
  readonly language?: string;
  /** `#rrggbb`, for generated placeholder pictures. */
  readonly colour: string;
  readonly crawlIntervalMs: number;
  readonly paused: boolean;
}
