import type { Category } from "../article.ts";
import { asId, type ContentId, type SourceId } from "../ids.ts";
import type { RankingCandidate } from "./candidate.ts";
import { normalised } from "./vector.ts";

export const NOW_MS = Date.UTC(2026, 4, 1);
const HOUR_MS = 3_600_000;

/** A unit vector that points mostly along one of eight axes: a topic. */
export const topic = (axis: number, tilt = 0): Float32Array => {
  const vector = new Float32Array(8);
  vector[axis] = 1;
  vector[(axis + 1) % 8] = tilt;
  return normalised(vector);
};

export interface CandidateInput {
  readonly id: string;
  readonly source?: string;
  readonly category?: Category;
  readonly language?: string;
  readonly ageHours?: number;
  readonly group?: string;
  readonly areas?: RankingCandidate["article"]["areas"];
  readonly vector?: Float32Array;
}

export const candidate = (input: CandidateInput): RankingCandidate => ({
  article: {
    contentId: asId<ContentId>(input.id),
    sourceId: asId<SourceId>(input.source ?? `source-${input.id}`),
    category: input.category ?? "other",
    language: input.language ?? "ja",
    publishedAtMs: NOW_MS - (input.ageHours ?? 1) * HOUR_MS,
    quality: 0.5,
    areas: input.areas ?? [],
    duplicateGroup: input.group ?? input.id,
  },
  vector: input.vector ?? topic(0),
});

export const ids = (scored: readonly { readonly candidate: RankingCandidate }[]) =>
  scored.map(({ candidate: { article } }) => article.contentId);
