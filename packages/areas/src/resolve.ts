import { NO_AREAS } from "@feed/domain/area";
import type {
  AmbiguousAreaName,
  Area,
  AreaLevel,
  MatchedArea,
  ResolvedAreas,
} from "@feed/domain/area";
import type { AreaId } from "@feed/domain/ids";
import { containingAreas } from "./gazetteer.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { narrowByContext, narrowestLevel } from "./narrow-by-context.ts";

export interface AreaNames {
  readonly names: readonly string[];
  /** Only areas of this level are wanted. Absent: any level. */
  readonly level?: AreaLevel;
  readonly from: "query" | "profile";
  /** The tenant's area scope, as ids of prefectures or cities. Absent or empty: all of the gazetteer. */
  readonly scope?: readonly AreaId[];
}

export type AreaResolution =
  | { readonly kind: "resolved"; readonly areas: ResolvedAreas }
  | { readonly kind: "ambiguous"; readonly names: readonly AmbiguousAreaName[] };

/** One name and every area it can mean, whatever its level. */
interface NamedAreas {
  readonly input: string;
  readonly candidates: readonly Area[];
}

type Skipped = ResolvedAreas["skipped"][number];

/**
 * Resolves the area names of a request or a profile (spec 2.5, 4.1 rules 2 to 4, 7; decisions, "Feed").
 *
 * 1. With `level`, a name means only its areas of that level.
 * 2. A name shared by several areas is narrowed to those inside an area that another name can mean (府中市 with
 *    東京都, 北区 with 大阪). See `narrow-by-context.ts`. Names that narrow nothing change nothing.
 * 3. In a query without `level`, the name that served as context is settled by it: in `北区,大阪`, 大阪 means
 *    the city, and in `府中市,東京` 東京 means the prefecture.
 * 4. In a query without `level`, a name that after this still matches areas of different levels is ambiguous:
 *    府中 in `府中,東京` is a city and a station, but 東京 is settled. The tenant's scope doesn't settle it, so
 *    that the same request means the same for every tenant. All such names are returned at once, with the
 *    areas left to choose from, and nothing else.
 * 5. Then the tenant's scope applies: an area counts as inside when it lies in the scope or contains a part
 *    of it. A name whose areas all lie outside, shared or not, is skipped as `out_of_scope`. With neither
 *    narrowing, all matching areas are kept.
 * 6. In a profile without `level`, of what is left the narrowest level is taken: station, city, prefecture.
 *    In a profile nothing is ambiguous.
 * 7. A name without any area (of the level) is skipped as `unregistered`. With one exception: under an
 *    explicit `level`, a name that means only areas of other levels but contains a matched one (東京都 in
 *    `府中,東京都` with level city) has served as context. It is neither matched, since areas of that level
 *    alone are wanted, nor skipped.
 *
 * Without `level`, a wider name is matched too, beside what it narrows. `level` of the answer is null when
 * nothing matched; otherwise the given one, else the one all matched areas have in common, else null. Inputs
 * are trimmed; empty and repeated ones are dropped; without any, the answer is `NO_AREAS`. Two inputs may
 * match the same area.
 */
export function resolveAreas(request: AreaNames, gazetteer: Gazetteer): AreaResolution {
  const inputs = [...new Set(request.names.map((name) => name.trim()))].filter(
    (name) => name !== "",
  );
  if (inputs.length === 0) return { kind: "resolved", areas: NO_AREAS };
  const { level, from } = request;
  const lookedUp = inputs.map((input) => ({ input, candidates: gazetteer.lookup(input) }));
  const eligible = lookedUp.map(({ candidates }) =>
    level === undefined ? candidates : candidates.filter((area) => area.level === level),
  );
  const { narrowed, contexts } = narrowByContext(lookedUp, eligible, gazetteer);
  if (from === "profile" || level !== undefined) {
    return { kind: "resolved", areas: resolveNamed(lookedUp, narrowed, request, gazetteer) };
  }
  const settled = narrowed.map((areas) => settleContext(areas, contexts));
  const ambiguous = lookedUp
    .map(({ input }, index) => ({ input, candidates: settled[index] ?? [] }))
    .filter(({ candidates }) => commonLevel(candidates) === null);
  if (ambiguous.length > 0) return { kind: "ambiguous", names: ambiguous };
  return { kind: "resolved", areas: resolveNamed(lookedUp, settled, request, gazetteer) };
}

/** Of areas of different levels, those that were the context of another name, if any were. */
function settleContext(areas: readonly Area[], contexts: ReadonlySet<AreaId>): readonly Area[] {
  if (commonLevel(areas) !== null) return areas;
  const served = areas.filter((area) => contexts.has(area.id));
  return served.length > 0 ? served : areas;
}

/** `narrowed` holds what each name of `named` means, at the same index. */
function resolveNamed(
  named: readonly NamedAreas[],
  narrowed: readonly (readonly Area[])[],
  request: AreaNames,
  gazetteer: Gazetteer,
): ResolvedAreas {
  const { level, from } = request;
  const matched: MatchedArea[] = [];
  const skipped: Skipped[] = [];
  const withoutLevel: NamedAreas[] = [];
  const inScope = scopeFilter(request.scope ?? [], gazetteer);
  for (const [index, name] of named.entries()) {
    const meant = narrowed[index] ?? [];
    if (meant.length === 0) {
      withoutLevel.push(name);
      continue;
    }
    const kept = meant.filter(inScope);
    if (kept.length === 0) skipped.push({ input: name.input, reason: "out_of_scope" });
    const chosen = from === "profile" ? narrowestLevel(kept) : kept;
    matched.push(...chosen.map((area) => ({ input: name.input, area })));
  }
  const containers = new Set(matched.flatMap(({ area }) => containingAreas(area, gazetteer)));
  for (const { input, candidates } of withoutLevel) {
    const servedAsContext = candidates.some((area) => containers.has(area.id));
    if (!servedAsContext) skipped.push({ input, reason: "unregistered" });
  }
  const matchedLevel = commonLevel(matched.map(({ area }) => area)) ?? null;
  return { level: matched.length > 0 ? (level ?? matchedLevel) : null, from, matched, skipped };
}

/** The level all areas share; null when they differ; undefined when there are none. */
function commonLevel(areas: readonly Area[]): AreaLevel | null | undefined {
  const [first, ...rest] = areas;
  return rest.every((area) => area.level === first?.level) ? first?.level : null;
}

function scopeFilter(scope: readonly AreaId[], gazetteer: Gazetteer): (area: Area) => boolean {
  if (scope.length === 0) return () => true;
  const inside = new Set(scope);
  const around = new Set(
    scope.flatMap((id) => {
      const area = gazetteer.byId(id);
      return area === undefined ? [] : containingAreas(area, gazetteer);
    }),
  );
  return (area) =>
    inside.has(area.id) ||
    around.has(area.id) ||
    containingAreas(area, gazetteer).some((id) => inside.has(id));
}
