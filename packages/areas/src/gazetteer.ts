import type { Area, AreaLevel } from "@feed/domain/area";
import type { AreaId } from "@feed/domain/ids";
import { foldAreaName } from "./fold.ts";
import { nameForms } from "./name-forms.ts";

/** Most areas one search returns. */
export const SEARCH_AREAS_MAX = 100;

/** All known areas and the ways to find one. Immutable. */
export interface Gazetteer {
  /** In data order: prefectures in their official order, then cities, wards and stations. */
  readonly areas: readonly Area[];
  byId(id: AreaId): Area | undefined;
  /**
   * Areas a name can mean, all levels. Folded (see `foldAreaName`); the suffix may be left out. A name that
   * is some area's form *with* suffix means only areas with such a form: 渋谷駅 is the station, 渋谷 also the
   * ward, and 伊勢市 is the city although a station 伊勢市駅 exists. A reading may be one and the other: しろいし is
   * 白井市 and 白石. Unknown name: empty.
   */
  lookup(name: string): readonly Area[];
  /**
   * Areas of which a name, reading or romanised name starts with `query`: exact ones first, then from wide
   * to narrow, then in data order. At most `limit`, never over `SEARCH_AREAS_MAX`; an empty query finds none.
   */
  search(query: string, limit: number): readonly Area[];
}

const LEVEL_ORDER: Readonly<Record<AreaLevel, number>> = { prefecture: 0, city: 1, station: 2 };

interface SearchEntry {
  readonly key: string;
  readonly area: Area;
  readonly order: number;
}

/**
 * Builds a gazetteer. An id that occurs again replaces the earlier area, so that an operator's areas can be
 * appended to the bundled ones. About 0.1 s for the bundled data: build once and keep it.
 */
export function createGazetteer(areas: readonly Area[]): Gazetteer {
  const byId = new Map(areas.map((area) => [area.id, area]));
  const distinct = [...byId.values()];
  const withSuffix = new Map<string, Area[]>();
  const withoutSuffix = new Map<string, Area[]>();
  const searchEntries: SearchEntry[] = [];
  for (const [order, area] of distinct.entries()) {
    const forms = nameForms(area);
    const official = folded(forms.official);
    const bare = folded(forms.bare);
    for (const key of new Set([...official, ...folded(forms.qualified)]))
      append(withSuffix, key, area);
    for (const key of new Set([...bare, ...folded(forms.qualifiedBare)]))
      append(withoutSuffix, key, area);
    for (const key of new Set([...official, ...bare])) searchEntries.push({ key, area, order });
  }
  admitSameReadings(withSuffix, withoutSuffix);
  searchEntries.sort((a, b) => compareText(a.key, b.key));
  return {
    areas: distinct,
    byId: (id) => byId.get(id),
    lookup(name) {
      const key = foldAreaName(name);
      return withSuffix.get(key) ?? withoutSuffix.get(key) ?? [];
    },
    search: (query, limit) => searchByPrefix(searchEntries, query, limit),
  };
}

/** Ids of the areas that contain `area`, from narrow to wide: ward, city, prefecture. A prefecture: none. */
export function containingAreas(area: Area, gazetteer: Gazetteer): readonly AreaId[] {
  if (area.level === "prefecture") return [];
  const city = area.cityId === undefined ? undefined : gazetteer.byId(area.cityId);
  return city === undefined ? [area.prefectureId] : [city.id, ...containingAreas(city, gazetteer)];
}

/** Only in kanji does the last character say for sure that it is a suffix. */
function admitSameReadings(
  withSuffix: ReadonlyMap<string, Area[]>,
  withoutSuffix: ReadonlyMap<string, readonly Area[]>,
): void {
  for (const [key, areas] of withSuffix) {
    if (/\p{Script=Han}/u.test(key)) continue;
    const others = withoutSuffix.get(key) ?? [];
    areas.push(
      ...others.filter((area) => !areas.includes(area) && !withSuffix.has(foldAreaName(area.stem))),
    );
  }
}

function searchByPrefix(
  entries: readonly SearchEntry[],
  query: string,
  limit: number,
): readonly Area[] {
  const prefix = foldAreaName(query);
  if (prefix === "") return [];
  const found = new Map<Area, { readonly exact: boolean; readonly order: number }>();
  for (let index = lowerBound(entries, prefix); index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined || !entry.key.startsWith(prefix)) break;
    const exact = entry.key === prefix || found.get(entry.area)?.exact === true;
    found.set(entry.area, { exact, order: entry.order });
  }
  return [...found]
    .sort(
      ([areaA, a], [areaB, b]) =>
        Number(b.exact) - Number(a.exact) ||
        LEVEL_ORDER[areaA.level] - LEVEL_ORDER[areaB.level] ||
        a.order - b.order,
    )
    .slice(0, Math.min(limit, SEARCH_AREAS_MAX))
    .map(([area]) => area);
}

function lowerBound(entries: readonly SearchEntry[], key: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.key ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function folded(forms: readonly string[]): ReadonlySet<string> {
  return new Set(forms.map(foldAreaName));
}

function append(index: Map<string, Area[]>, key: string, area: Area): void {
  const areas = index.get(key);
  if (areas === undefined) index.set(key, [area]);
  else areas.push(area);
}
