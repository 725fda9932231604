import type { ExperimentPlace } from "@feed/domain/experiment";
import type { ContentId, SubjectId } from "@feed/domain/ids";
import { FEED_SNAPSHOT_TTL_MS } from "@feed/domain/limits";
import { isSamePlace } from "./experiment-arm.ts";
import type { Explanation } from "./service.ts";

/**
 * A list made for new articles is good for this long; a newer one is made when the index has moved on.
 * Publications reach readers within minutes (spec 1), so seconds cost nothing and spare most of the work.
 */
const REUSE_WHILE_INDEX_MOVES_MS = 10_000;
/** Popularity and freshness drift even where nothing is published. */
const REUSE_MS_MAX = 60_000;

/** One ranked feed of at most FEED_WALK_ITEMS_MAX items: the snapshot behind a cursor. */
export interface RankedList extends RankedItems {
  readonly listId: string;
  /** Whose list it is; null for a generic one. */
  readonly subjectId: SubjectId | null;
  readonly builtAtMs: number;
  /** What it was made from; a first page is served from it while these are the same. */
  readonly madeFrom: ListInputs;
}

/** Items in columns: packed and unpacked with every page, where objects would take several times as long. */
export interface RankedItems {
  readonly contentIds: readonly ContentId[];
  readonly scores: readonly number[];
  /** Where the request asked for them. */
  readonly explanations?: readonly Explanation[];
}

export interface ListInputs {
  /** Offset of the last fact that changed what ranking sees of the user; -1 without one. */
  readonly rankingOffset: number;
  readonly scenarioVersion: number;
  /** The arm whose settings it was ranked with; null: the scenario's own, in no experiment. */
  readonly place: ExperimentPlace | null;
  readonly directoryVersion: number;
  readonly indexGeneration: number;
}

/** Whether a first page may come from a list made earlier: nothing new for this reader. */
export function isReusable(list: RankedList, now: ListInputs, nowMs: number): boolean {
  const ageMs = nowMs - list.builtAtMs;
  const { madeFrom } = list;
  return (
    madeFrom.rankingOffset === now.rankingOffset &&
    madeFrom.scenarioVersion === now.scenarioVersion &&
    isSamePlace(madeFrom.place, now.place) &&
    madeFrom.directoryVersion === now.directoryVersion &&
    ageMs >= 0 &&
    ageMs <
      (madeFrom.indexGeneration === now.indexGeneration ? REUSE_MS_MAX : REUSE_WHILE_INDEX_MOVES_MS)
  );
}

export function listExpiresAtMs(list: RankedList): number {
  return list.builtAtMs + FEED_SNAPSHOT_TTL_MS;
}
