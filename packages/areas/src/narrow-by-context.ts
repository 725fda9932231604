import { AREA_LEVELS } from "@feed/domain/area";
import type { Area } from "@feed/domain/area";
import type { AreaId } from "@feed/domain/ids";
import { containingAreas } from "./gazetteer.ts";
import type { Gazetteer } from "./gazetteer.ts";

interface Narrowed {
  /** What is left of each name's eligible areas, at the same index. */
  readonly narrowed: readonly (readonly Area[])[];
  /** Areas that another name's areas were narrowed by. */
  readonly contexts: ReadonlySet<AreaId>;
}

/**
 * Narrows names shared by several areas by the higher-level names beside them (spec 4.1 rule 4).
 *
 * A name is context for another when an area it can mean contains an area the other can mean. Where areas of
 * several levels do, the narrowest counts, as everywhere (spec 2.5): 大阪 beside 北区 is the city of Osaka.
 * Where each of two names can contain the other (東京 and 千代田区: prefecture, ward, station), nothing says
 * which of them is meant as the wider one, and neither narrows the other.
 *
 * @param named each name with all areas it can mean.
 * @param eligible at the same index, the areas among them that are wanted.
 */
export function narrowByContext(
  named: readonly { readonly candidates: readonly Area[] }[],
  eligible: readonly (readonly Area[])[],
  gazetteer: Gazetteer,
): Narrowed {
  const contexts = new Set<AreaId>();
  const aroundEligible = eligible.map((areas) => containersOf(areas, gazetteer));
  const aroundCandidates = named.map(({ candidates }) => containersOf(candidates, gazetteer));
  const narrowed = eligible.map((areas, index) => {
    if (areas.length < 2) return areas;
    const around = new Set<AreaId>();
    for (const [other, { candidates }] of named.entries()) {
      const isContained = areas.some((area) => aroundCandidates[other]?.has(area.id));
      if (other === index || isContained) continue;
      const holding = candidates.filter((area) => aroundEligible[index]?.has(area.id));
      for (const { id } of narrowestLevel(holding)) around.add(id);
    }
    for (const id of around) contexts.add(id);
    const inside = areas.filter((area) =>
      containingAreas(area, gazetteer).some((id) => around.has(id)),
    );
    return inside.length > 0 ? inside : areas;
  });
  return { narrowed, contexts };
}

/** Spec 2.5: "resolved in order station, city, prefecture". */
export function narrowestLevel(areas: readonly Area[]): readonly Area[] {
  const narrowest = AREA_LEVELS.find((level) => areas.some((area) => area.level === level));
  return areas.filter((area) => area.level === narrowest);
}

function containersOf(areas: readonly Area[], gazetteer: Gazetteer): ReadonlySet<AreaId> {
  return new Set(areas.flatMap((area) => containingAreas(area, gazetteer)));
}
