import type { AreaId } from "./ids.ts";

/** The three levels an area name can mean (spec 2.5), from narrow to wide. */
export const AREA_LEVELS = ["station", "city", "prefecture"] as const;
export type AreaLevel = (typeof AREA_LEVELS)[number];

/**
 * One place of the gazetteer.
 *
 * `name` is the full official form with its suffix (`渋谷駅`, `渋谷区`, `東京都`); `stem` is the same
 * without it. `cityId` is set on stations and on wards of designated cities (横浜市 for 横浜市中区),
 * `prefectureId` on everything (a prefecture names itself).
 */
export interface Area {
  readonly id: AreaId;
  readonly level: AreaLevel;
  readonly name: string;
  readonly stem: string;
  /** Reading in hiragana, without suffix, where known. */
  readonly reading?: string;
  /** English or romanised names, lower case. */
  readonly romanised?: readonly string[];
  readonly cityId?: AreaId;
  readonly prefectureId: AreaId;
  /** Full name of the prefecture, for `meta.resolved_areas`. */
  readonly prefecture: string;
}

export type AreaSkipReason = "unregistered" | "out_of_scope";

/** One area name of a request or profile, resolved. */
export interface MatchedArea {
  readonly input: string;
  readonly area: Area;
}

/** How a list of area names was understood (decisions, "Feed": `meta.resolved_areas`). */
export interface ResolvedAreas {
  readonly level: AreaLevel | null;
  readonly from: "query" | "profile" | null;
  readonly matched: readonly MatchedArea[];
  readonly skipped: readonly { readonly input: string; readonly reason: AreaSkipReason }[];
}

/** A query name that means areas of different levels with nothing to settle it: 400 at the edge. */
export interface AmbiguousAreaName {
  readonly input: string;
  readonly candidates: readonly Area[];
}

export const NO_AREAS: ResolvedAreas = { level: null, from: null, matched: [], skipped: [] };
