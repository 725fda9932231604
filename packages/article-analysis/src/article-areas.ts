import type { ArticleArea } from "@feed/domain/article";
import type { AreaId } from "@feed/domain/ids";

/** Named in `analysedBy.areas`. */
export const AREAS_VERSION = "mentions-1";

/** A place a text names, as found by the areas package. */
export interface NamedArea {
  readonly areaId: AreaId;
  /** 0 to 1. */
  readonly confidence: number;
}

const AREAS_MAX = 8;
/** The body names places in passing; a title names what the article is about. */
const BODY_SHARE = 0.8;
/** A station's article is about its city too, but less surely so. */
const CONTAINING_SHARE = 0.9;

/**
 * The areas an article is about, surest first, 8 at most: those its title and body name, and the
 * city and prefecture that contain them (`containing`, from narrow to wide). Evidence from several
 * places adds up.
 */
export function articleAreas(
  title: readonly NamedArea[],
  body: readonly NamedArea[],
  containing: (areaId: AreaId) => readonly AreaId[],
): readonly ArticleArea[] {
  const named = new Map<AreaId, number>();
  for (const { areaId, confidence } of title) add(named, areaId, confidence);
  for (const { areaId, confidence } of body) add(named, areaId, confidence * BODY_SHARE);
  const areas = new Map(named);
  for (const [areaId, confidence] of named) {
    let share = confidence;
    for (const container of containing(areaId)) {
      share *= CONTAINING_SHARE;
      areas.set(container, Math.max(areas.get(container) ?? 0, share));
    }
  }
  return [...areas]
    .map(([areaId, confidence]) => ({ areaId, confidence }))
    .sort((a, b) => b.confidence - a.confidence || (a.areaId < b.areaId ? -1 : 1))
    .slice(0, AREAS_MAX);
}

/** Independent evidence: what is left uncertain by one is halved again by the other. */
function add(areas: Map<AreaId, number>, areaId: AreaId, confidence: number): void {
  const known = areas.get(areaId) ?? 0;
  areas.set(areaId, 1 - (1 - known) * (1 - confidence));
}
