import type { ReadModelChanged, ReadModelRebuildStep } from "./operating-facts.ts";

/** A total in both versions. */
export interface ComparedTotal {
  readonly name: string;
  readonly live: number;
  readonly next: number;
  readonly agrees: boolean;
}

/** The live version of a read model and the next one, compared. */
export interface ParityReport {
  readonly agrees: boolean;
  readonly totals: readonly ComparedTotal[];
  /** Records looked at one by one. */
  readonly samples: number;
  /** Names of those that differ, at most 20. */
  readonly differing: readonly string[];
  /** How many those are. */
  readonly differingSamples: number;
  /** False: the live version is not kept up, so that the two do not stand at the same place. */
  readonly comparable: boolean;
}

/** One rebuild as the facts so far tell it: how far it is, and what became of its version. */
export interface Rebuild extends Omit<ReadModelRebuildStep, "type"> {
  /** When its version became live, the last time. */
  readonly liveAtMs?: number;
  /** When another became live in its place, and which. */
  readonly replaced?: { readonly atMs: number; readonly by: number };
  readonly droppedAtMs?: number;
}

const REBUILDS_KEPT_MAX = 20;

/** A rebuild tells of itself every 2 seconds: one that is silent for so long has been killed. */
export const REBUILD_SILENT_MS_MAX = 30_000;

/** The latest rebuilds, oldest first, after one more fact. */
export function rebuildsAfter(
  rebuilds: readonly Rebuild[],
  fact: ReadModelChanged | ReadModelRebuildStep,
): readonly Rebuild[] {
  if (fact.type === "read-model.changed") return changed(rebuilds, fact);
  const { type: _, ...step } = fact;
  const isSame = (each: Rebuild): boolean =>
    each.readModel === fact.readModel && each.startedAtMs === fact.startedAtMs;
  if (rebuilds.some(isSame))
    return rebuilds.map((each) => (isSame(each) ? { ...each, ...step } : each));
  return [...rebuilds, step].slice(-REBUILDS_KEPT_MAX);
}

/** The latest of a version: one that was interrupted before it was kept has left its number to the next. */
function changed(
  rebuilds: readonly Rebuild[],
  { readModel, version, state, atMs }: ReadModelChanged,
): readonly Rebuild[] {
  const own = rebuilds.findLastIndex(
    (each) => each.readModel === readModel && each.version === version,
  );
  return rebuilds.map((each, at) => {
    if (each.readModel !== readModel) return each;
    if (at === own && state === "dropped") return { ...each, droppedAtMs: atMs };
    if (state !== "live") return each;
    const { replaced: _, ...rest } = each;
    if (at === own) return { ...rest, liveAtMs: atMs };
    const wasLive = each.liveAtMs !== undefined && each.replaced === undefined;
    return wasLive ? { ...each, replaced: { atMs, by: version } } : each;
  });
}
