import { describe, expect, it } from "vitest";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { containingAreas } from "./gazetteer.ts";
import { loadGazetteer } from "./load.ts";

const gazetteer = await loadGazetteer();
const names = (name: string) => gazetteer.lookup(name).map((area) => area.name);

describe("looking up an area name", () => {
  it("finds all levels without suffix, and one level with it", () => {
    expect(names("渋谷")).toEqual(["渋谷区", "渋谷駅"]);
    expect(names("渋谷駅")).toEqual(["渋谷駅"]);
    expect(names("渋谷区")).toEqual(["渋谷区"]);
    expect(names("大阪")).toEqual(["大阪府", "大阪市", "大阪駅"]);
    expect(names("大阪府")).toEqual(["大阪府"]);
    expect(names("大阪市")).toEqual(["大阪市"]);
  });

  it.each([
    ["京都", ["京都府", "京都市", "京都駅"]],
    ["四日市", ["四日市市", "四日市駅"]],
    ["廿日市", ["廿日市市", "廿日市駅"]],
    ["都城", ["都城市", "都城駅"]],
    ["別府", ["別府市", "別府駅"]],
    ["市川", ["市川市", "市川駅"]],
    ["北海道", ["北海道"]],
    ["北海", []],
    ["四日", []],
  ])("takes no suffix character from a name it belongs to: %s", (name, expected) => {
    expect(names(name)).toEqual(expected);
  });

  it("prefers the city 伊勢市 to the station 伊勢市駅, whose stem is the same", () => {
    expect(names("伊勢市")).toEqual(["伊勢市"]);
    expect(names("伊勢市駅")).toEqual(["伊勢市駅"]);
  });

  it.each([
    "ｼﾌﾞﾔ駅",
    "しぶやえき",
    "シブヤ駅",
    "Shibuya Station",
    "SHIBUYA STATION",
    "shibuya-eki",
    " 渋谷 駅 ",
  ])("folds width, case, kana and spacing: %s", (name) => expect(names(name)).toEqual(["渋谷駅"]));

  it.each(["茅ヶ崎市", "茅ケ崎市", "茅が崎市", "Chigasaki City", "chigasaki-shi"])(
    "folds ヶ and ケ: %s",
    (name) => expect(names(name)).toEqual(["茅ヶ崎市"]),
  );

  it("folds macrons and hyphens", () => {
    expect(names("Shin-Ōsaka Station")).toEqual(["新大阪駅"]);
    expect(names("Tōkyō Prefecture")).toEqual(["東京都"]);
    expect(names("Shimbashi")).toEqual(names("shinbashi"));
  });

  it("knows wards by their own and their full name, and cities with their prefecture in front", () => {
    expect(names("横浜市中区")).toEqual(["横浜市中区"]);
    expect(names("中区").length).toBeGreaterThan(3);
    expect(gazetteer.lookup("広島県府中市").map((area) => area.id)).toEqual(["city-34-fuchu"]);
    expect(names("東京都渋谷")).toEqual(["渋谷区", "渋谷駅"]);
  });

  it("knows a reading that is one area's with its suffix and others' without", () => {
    expect(names("しろいし")).toEqual(expect.arrayContaining(["白井市", "白石市", "白石駅"]));
    expect(names("わかやまし")).toEqual(["和歌山市"]);
    expect(names("ほっかいどう")).toEqual(["北海道"]);
  });

  it("finds nothing for an unknown or empty name", () => {
    expect(names("ナルニア")).toEqual([]);
    expect(names("")).toEqual([]);
  });
});

describe("searching areas", () => {
  const search = (query: string, limit: number) =>
    gazetteer.search(query, limit).map((area) => area.name);

  it("finds by the start of name, reading or romanised name, exact and wide ones first", () => {
    expect(search("東京", 3)).toEqual(["東京都", "東京駅", "東京ビッグサイト駅"]);
    expect(search("しぶ", 2)).toEqual(["渋川市", "渋谷区"]);
    expect(search("ひろ", 2)).toEqual(["広駅", "広島県"]);
    expect(search("Roppo", 3)).toContain("六本木駅");
  });

  it("keeps to the limit and finds nothing for an empty query", () => {
    expect(search("し", 7)).toHaveLength(7);
    expect(search("し", 1000)).toHaveLength(100);
    expect(search(" ", 5)).toEqual([]);
  });
});

describe("containing areas", () => {
  it("go from the station over its city, and from a ward over its designated city, to the prefecture", () => {
    const containing = (id: string) => {
      const area = gazetteer.byId(asId<AreaId>(id));
      return area === undefined ? undefined : containingAreas(area, gazetteer);
    };
    expect(containing("station-13-shibuya")).toEqual(["city-13-shibuya", "pref-13"]);
    expect(containing("city-14-yokohama-naka")).toEqual(["city-14-yokohama", "pref-14"]);
    expect(containing("city-13-fuchu")).toEqual(["pref-13"]);
    expect(containing("pref-13")).toEqual([]);
  });
});
