import type { Answer } from "../../shared/api.ts";

export type Operations = Answer<"adminGetOperations">["data"];
export type Consumer = Operations["consumers"][number];
export type ReadModel = Operations["read_models"][number];
export type Rebuild = Operations["rebuilds"][number];

/** A record that waits longer than any batch takes: its consumer is away or can't keep up. */
const LATE_SECONDS = 60;

/** How a consumer does: at the end of the log, on its way there, or too far behind. */
export function stateOf({ lag_records, lag_seconds }: Consumer): "well" | "working" | "late" {
  if (lag_records === 0) return "well";
  return lag_seconds > LATE_SECONDS ? "late" : "working";
}

export function isRunning({ state }: Rebuild): boolean {
  return state === "building" || state === "comparing";
}

/** What became of the version that a rebuild has made. */
export interface Becoming {
  readonly what: "switched" | "replaced" | "rolledBack" | "dropped" | "notSwitched";
  /** Null: it has not been. */
  readonly at: string | null;
  /** Which version took its place. */
  readonly by: number | null;
}

/** In order. Another version in its place is a way back where its number is lower. */
export function becameOf(rebuild: Rebuild): readonly Becoming[] {
  const { version, state, live_at, replaced_at, replaced_by: by, dropped_at } = rebuild;
  const became: Becoming[] = [];
  if (live_at !== null) became.push({ what: "switched", at: live_at, by: null });
  else if (state === "built") became.push({ what: "notSwitched", at: null, by: null });
  if (replaced_at !== null && by !== null)
    became.push({ what: by < version ? "rolledBack" : "replaced", at: replaced_at, by });
  if (dropped_at !== null) became.push({ what: "dropped", at: dropped_at, by: null });
  return became;
}
