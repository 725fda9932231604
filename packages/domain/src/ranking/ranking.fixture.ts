import type { Category } from "../article.ts";
import { asId, type ContentId, type SourceId } from "../ids.ts";
import { DEFAULT_SCENARIO_SETTINGS } from "../scenario.ts";
import { candidatesFrom, type Candidate } from "./candidates-from.ts";
import type { Candidates } from "./candidates.ts";
import { NO_INTERESTS } from "./interests.ts";
import { scoreCandidates, type Ranking, type RankingContext } from "./score.ts";
import { normalised } from "./vector.ts";
import { NO_ENGAGEMENT } from "./worth.ts";

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
  readonly areas?: Candidate["article"]["areas"];
  readonly vector?: Float32Array;
}

export const candidate = (input: CandidateInput): Candidate => ({
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
  legs: [],
});

/** What is known of a user of whom nothing is, but for these changes. */
export const context = (changes: Partial<RankingContext> = {}): RankingContext => ({
  settings: DEFAULT_SCENARIO_SETTINGS,
  interests: NO_INTERESTS,
  followedSources: new Set(),
  areaIds: new Set(),
  language: null,
  engagement: NO_ENGAGEMENT,
  nowMs: NOW_MS,
  ...changes,
});

/** Content ids of candidates, in the order of these numbers. */
export const ids = ({ articles }: Candidates, numbers: Iterable<number>) =>
  Array.from(numbers, (at) => articles[at]?.contentId as string);

/** Candidates scored, with their ids, best first. */
export const rank = (
  list: readonly Candidate[],
  context: RankingContext,
): Ranking & { readonly ids: readonly string[] } => {
  const candidates = candidatesFrom(list);
  const ranking = scoreCandidates(candidates, context);
  return { ...ranking, ids: ids(candidates, ranking.order) };
};
