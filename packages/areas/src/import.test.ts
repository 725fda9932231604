import { describe, expect, it } from "vitest";
import { createGazetteer } from "./gazetteer.ts";
import { AREA_COLUMNS, importAreasCsv } from "./import.ts";

const HEADER = AREA_COLUMNS.join(",");
const importRows = (...rows: string[]) => importAreasCsv([HEADER, ...rows].join("\n"));
const PREFECTURE = "p,prefecture,岩手県,いわて,iwate,,p";
const CITY = "c,city,盛岡市,もりおか,morioka,,p";

describe("importing areas", () => {
  it("reads rows in any order", () => {
    const { areas, problems } = importRows(
      "s,station,盛岡駅,もりおか,morioka,c,p",
      CITY,
      PREFECTURE,
    );
    expect(problems).toEqual([]);
    expect(areas.find((area) => area.id === "s")).toEqual({
      id: "s",
      level: "station",
      name: "盛岡駅",
      stem: "盛岡",
      reading: "もりおか",
      romanised: ["morioka"],
      cityId: "c",
      prefectureId: "p",
      prefecture: "岩手県",
    });
  });

  it("may refer to areas that are known already, and replaces one with the same id", () => {
    const known = importRows(PREFECTURE, CITY).areas;
    const { areas, problems } = importAreasCsv(`${HEADER}\nc,city,盛岡市,もりおか,mo,,p`, known);
    expect(problems).toEqual([]);
    const gazetteer = createGazetteer([...known, ...areas]);
    expect(gazetteer.areas).toHaveLength(2);
    expect(gazetteer.lookup("mo")).toHaveLength(1);
  });

  it("cuts the city off the stem of a ward, and nothing off 北海道", () => {
    const { areas } = importRows(
      "h,prefecture,北海道,,,,h",
      "s,city,札幌市,,,,h",
      "n,city,札幌市北区,きた,kita,s,h",
    );
    expect(areas.map((area) => area.stem)).toEqual(["北海道", "札幌", "北"]);
  });

  it.each([
    ["x,station,盛岡駅,,,,p", /station needs a city_id/u],
    ["x,station,盛岡駅,,,nowhere,p", /names no city/u],
    ["x,station,盛岡,,,c,p", /full form of a station/u],
    ["x,town,盛岡駅,,,c,p", /level "town" must be one of/u],
    ["x,city,盛岡市,モリオカ,,,p", /must be in hiragana/u],
    ["x,city,盛岡市,,Morioka,,p", /lower-case names/u],
    ["x,city,盛岡市,,,,c", /names no prefecture/u],
    ["x,city,北区,,,c,p", /must start with the name of its city/u],
    ["x,prefecture,青森県,,,,p", /must be its own id/u],
    ["X!,city,盛岡市,,,,p", /must be 1 to 80 of a-z/u],
    ["c,city,盛岡市,,,,p", /used twice/u],
    ["x,city,盛岡市,,p", /5 fields where 7 are needed/u],
  ])("refuses %s and says why, with its line", (row, why) => {
    const { areas, problems } = importRows(PREFECTURE, CITY, row);
    expect(problems).toEqual([{ line: 4, problem: expect.stringMatching(why) }]);
    expect(areas.map((area) => area.id)).toEqual(["p", "c"]);
  });

  it("refuses a station whose city lies in another prefecture", () => {
    const { problems } = importRows(
      PREFECTURE,
      CITY,
      "q,prefecture,青森県,,,,q",
      "s,station,盛岡駅,,,c,q",
    );
    expect(problems).toEqual([{ line: 5, problem: 'city_id "c" lies in prefecture p, not q' }]);
  });

  it("refuses a text without the header", () => {
    expect(importAreasCsv(PREFECTURE).problems).toEqual([
      { line: 1, problem: `the header must be ${HEADER}` },
    ]);
  });
});
