import { describe, expect, it } from "vitest";
import { loadGazetteer } from "./load.ts";

const gazetteer = await loadGazetteer();
const ofLevel = (level: string) => gazetteer.areas.filter((area) => area.level === level);
const ids = (name: string) => gazetteer.lookup(name).map((area) => area.id);

/** Cities (市) of each prefecture from Hokkaido to Okinawa, as of 2024; 792 in all. */
const CITIES_PER_PREFECTURE = [
  35, 10, 14, 14, 13, 13, 13, 32, 14, 12, 40, 37, 26, 19, 20, 10, 11, 9, 13, 19, 21, 23, 38, 14, 13,
  15, 33, 29, 12, 9, 4, 8, 15, 14, 13, 8, 8, 11, 11, 29, 10, 13, 14, 14, 9, 19, 11,
];

describe("bundled areas", () => {
  it("has the 47 prefectures, each in itself", () => {
    expect(ofLevel("prefecture")).toHaveLength(47);
    for (const area of ofLevel("prefecture")) expect(area.prefectureId).toBe(area.id);
  });

  it("has every city of every prefecture", () => {
    const counts = ofLevel("prefecture").map(
      ({ id }) =>
        ofLevel("city").filter((area) => area.name.endsWith("市") && area.prefectureId === id)
          .length,
    );
    expect(counts).toEqual(CITIES_PER_PREFECTURE);
    expect(counts.reduce((sum, count) => sum + count)).toBe(792);
  });

  it("has Tokyo's 23 special wards and the 171 wards of designated cities", () => {
    const wards = ofLevel("city").filter((area) => area.name.endsWith("区"));
    expect(
      wards.filter((area) => area.cityId === undefined && area.prefecture === "東京都"),
    ).toHaveLength(23);
    expect(wards.filter((area) => area.cityId !== undefined)).toHaveLength(171);
  });

  it("has at least 700 stations, each in a city of its prefecture", () => {
    expect(ofLevel("station").length).toBeGreaterThanOrEqual(700);
    for (const station of ofLevel("station")) {
      const city = station.cityId === undefined ? undefined : gazetteer.byId(station.cityId);
      expect(city?.level).toBe("city");
      expect(city?.prefectureId).toBe(station.prefectureId);
    }
  });

  it("has no id twice and a reading for every area", () => {
    expect(new Set(gazetteer.areas.map((area) => area.id)).size).toBe(gazetteer.areas.length);
    expect(gazetteer.areas.filter((area) => area.reading === undefined)).toEqual([]);
  });

  it("keeps places of the same name apart", () => {
    expect(ids("府中市")).toEqual(["city-13-fuchu", "city-34-fuchu"]);
    expect(ids("伊達市")).toEqual(["city-01-date", "city-07-date"]);
    expect(ids("日本橋駅")).toEqual(["station-13-nihonbashi", "station-27-nipponbashi"]);
    expect(gazetteer.lookup("府中駅").map((area) => area.cityId)).toContain("city-13-fuchu");
  });
});
