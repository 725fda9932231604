import { describe, expect, it } from "vitest";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { articleAreas } from "./article-areas.ts";
import type { NamedArea } from "./article-areas.ts";

const station = asId<AreaId>("station");
const city = asId<AreaId>("city");
const prefecture = asId<AreaId>("prefecture");

function containing(areaId: AreaId): readonly AreaId[] {
  if (areaId === station) return [city, prefecture];
  return areaId === city ? [prefecture] : [];
}

function named(areaId: AreaId, confidence: number): NamedArea {
  return { areaId, confidence };
}

describe("articleAreas", () => {
  it("adds the city and prefecture that contain a station, a little less surely", () => {
    const areas = articleAreas([named(station, 0.9)], [], containing);
    expect(areas.map(({ areaId }) => areaId)).toEqual([station, city, prefecture]);
    expect(areas.map(({ confidence }) => Number(confidence.toFixed(3)))).toEqual([
      0.9, 0.81, 0.729,
    ]);
  });

  it("believes a title more than a body, and both together more than each", () => {
    const only = (title: readonly NamedArea[], body: readonly NamedArea[]): number =>
      articleAreas(title, body, () => [])[0]?.confidence ?? 0;
    const area = [named(city, 0.5)];
    expect(only(area, [])).toBeGreaterThan(only([], area));
    expect(only(area, area)).toBeGreaterThan(only(area, []));
    expect(only([named(city, 1)], area)).toBe(1);
  });

  it("keeps the surest 8", () => {
    const many = Array.from({ length: 20 }, (_, n) => named(asId<AreaId>(`a${n}`), n / 20));
    const areas = articleAreas(many, [], () => []);
    expect(areas.map(({ areaId }) => areaId)).toEqual([
      "a19",
      "a18",
      "a17",
      "a16",
      "a15",
      "a14",
      "a13",
      "a12",
    ]);
  });
});
