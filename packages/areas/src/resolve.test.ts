import { describe, expect, it } from "vitest";
import { NO_AREAS } from "@feed/domain/area";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { loadGazetteer } from "./load.ts";
import { resolveAreas } from "./resolve.ts";
import type { AreaNames } from "./resolve.ts";

const gazetteer = await loadGazetteer();
const scope = (...ids: string[]) => ids.map((id) => asId<AreaId>(id));

function resolve(
  names: string,
  options: Omit<AreaNames, "names" | "from"> & { from?: "profile" } = {},
) {
  const resolution = resolveAreas(
    { from: "query", ...options, names: names.split(",") },
    gazetteer,
  );
  if (resolution.kind === "ambiguous")
    return { ambiguous: resolution.names.map((name) => name.input) };
  const { level, matched, skipped } = resolution.areas;
  return {
    level,
    matched: matched.map(({ input, area }) => `${input}=${area.id}`),
    skipped: skipped.map(({ input, reason }) => `${input}:${reason}`),
  };
}

describe("area names of a query", () => {
  it("are ambiguous when they match different levels and no level is given; all such names are listed", () => {
    expect(resolve("渋谷,府中,新宿駅")).toEqual({ ambiguous: ["渋谷", "府中"] });
  });

  it("come with their candidates when ambiguous", () => {
    const resolution = resolveAreas({ from: "query", names: ["渋谷"] }, gazetteer);
    expect(
      resolution.kind === "ambiguous" && resolution.names[0]?.candidates.map((area) => area.name),
    ).toEqual(["渋谷区", "渋谷駅"]);
  });

  it.each([
    ["北区,大阪", ["北区=city-27-osaka-kita", "大阪=city-27-osaka"]],
    ["大阪,北区", ["大阪=city-27-osaka", "北区=city-27-osaka-kita"]],
    ["北区,大阪府", ["北区=city-27-osaka-kita", "北区=city-27-sakai-kita", "大阪府=pref-27"]],
    ["青葉区,仙台", ["青葉区=city-04-sendai-aoba", "仙台=city-04-sendai"]],
    ["日本橋,大阪", ["日本橋=station-27-nipponbashi", "大阪=city-27-osaka"]],
    ["日本橋,東京", ["日本橋=station-13-nihonbashi", "東京=pref-13"]],
    ["府中市,東京", ["府中市=city-13-fuchu", "東京=pref-13"]],
    ["府中,徳島県", ["府中=station-36-ko", "徳島県=pref-36"]],
    ["Kita Ward,Osaka", ["Kita Ward=city-27-osaka-kita", "Osaka=city-27-osaka"]],
  ])("narrow a shared name and are settled by serving as its context: %s", (names, matched) => {
    expect(resolve(names).matched).toEqual(matched);
  });

  it.each([
    ["府中,東京都", ["府中"]],
    ["府中,東京", ["府中"]],
    ["四日市,三重", ["四日市"]],
    ["大和,神奈川県", ["大和"]],
    ["渋谷駅,大阪", ["大阪"]],
    ["渋谷駅,東京", ["東京"]],
  ])("stay ambiguous when areas of different levels are left in the context: %s", (names, left) => {
    expect(resolve(names)).toEqual({ ambiguous: left });
  });

  it("narrow nothing when each of two names could be the wider one", () => {
    expect(resolve("千代田区,東京")).toEqual({ ambiguous: ["東京"] });
    expect(resolve("大阪市,大阪")).toEqual({ ambiguous: ["大阪"] });
  });

  it("come with the candidates the context has left", () => {
    const resolution = resolveAreas({ from: "query", names: ["府中", "東京都"] }, gazetteer);
    expect(
      resolution.kind === "ambiguous" && resolution.names[0]?.candidates.map((area) => area.id),
    ).toEqual(["city-13-fuchu", "station-13-fuchu"]);
  });

  it("stay ambiguous although the tenant's scope would leave one level", () => {
    expect(resolve("渋谷", { scope: scope("pref-13") })).toHaveProperty("ambiguous");
    expect(resolve("府中", { scope: scope("pref-36") })).toHaveProperty("ambiguous");
  });

  it("are settled by a suffix or by area_level", () => {
    expect(resolve("渋谷駅")).toEqual({
      level: "station",
      matched: ["渋谷駅=station-13-shibuya"],
      skipped: [],
    });
    expect(resolve("渋谷", { level: "city" }).matched).toEqual(["渋谷=city-13-shibuya"]);
    expect(resolve("渋谷", { level: "station" }).matched).toEqual(["渋谷=station-13-shibuya"]);
  });

  it("shared by areas of one level are narrowed by a higher-level name of the request, which matches too", () => {
    expect(resolve("府中市,東京都")).toEqual({
      level: null,
      matched: ["府中市=city-13-fuchu", "東京都=pref-13"],
      skipped: [],
    });
    expect(resolve("中央区,札幌市").matched).toEqual([
      "中央区=city-01-sapporo-chuo",
      "札幌市=city-01-sapporo",
    ]);
  });

  it("are narrowed by the higher-level name first and the tenant's scope second", () => {
    expect(resolve("府中市", { scope: scope("pref-34") }).matched).toEqual([
      "府中市=city-34-fuchu",
    ]);
    expect(resolve("府中市,東京都", { scope: scope("pref-34") })).toEqual({
      level: null,
      matched: [],
      skipped: ["府中市:out_of_scope", "東京都:out_of_scope"],
    });
  });

  it("are all kept when nothing narrows them, and a name that narrows nothing takes nothing away", () => {
    expect(resolve("府中市").matched).toEqual(["府中市=city-13-fuchu", "府中市=city-34-fuchu"]);
    expect(resolve("府中市,大阪府").matched).toHaveLength(3);
    expect(resolve("渋谷駅,大阪府").matched).toEqual([
      "渋谷駅=station-13-shibuya",
      "大阪府=pref-27",
    ]);
  });

  it("under an explicit level use names of other levels as context, neither matched nor skipped", () => {
    expect(resolve("府中,東京", { level: "city" })).toEqual({
      level: "city",
      matched: ["府中=city-13-fuchu"],
      skipped: [],
    });
  });

  it("under an explicit level skip a name of another level that contains nothing matched", () => {
    expect(resolve("渋谷,大阪府", { level: "city" })).toEqual({
      level: "city",
      matched: ["渋谷=city-13-shibuya"],
      skipped: ["大阪府:unregistered"],
    });
  });

  it("have no level in the answer when nothing matched, whatever level was asked for", () => {
    expect(resolve("渋谷", { level: "prefecture" })).toEqual({
      level: null,
      matched: [],
      skipped: ["渋谷:unregistered"],
    });
  });

  it("are skipped when unregistered, without touching the others", () => {
    expect(resolve("ナルニア,渋谷駅")).toEqual({
      level: "station",
      matched: ["渋谷駅=station-13-shibuya"],
      skipped: ["ナルニア:unregistered"],
    });
    expect(resolve("ナルニア")).toEqual({
      level: null,
      matched: [],
      skipped: ["ナルニア:unregistered"],
    });
  });

  it("outside the tenant's scope are skipped; a wider area that contains the scope is not outside", () => {
    const shibuya = scope("city-13-shibuya");
    expect(resolve("大阪府", { scope: shibuya }).skipped).toEqual(["大阪府:out_of_scope"]);
    expect(resolve("東京都,渋谷駅", { scope: shibuya }).matched).toHaveLength(2);
    expect(resolve("新宿駅", { scope: shibuya }).skipped).toEqual(["新宿駅:out_of_scope"]);
  });

  it("are trimmed, and empty and repeated ones dropped; none at all is no area context", () => {
    expect(resolve(" 渋谷駅 ,,渋谷駅").matched).toEqual(["渋谷駅=station-13-shibuya"]);
    expect(resolveAreas({ from: "query", names: [" "] }, gazetteer)).toEqual({
      kind: "resolved",
      areas: NO_AREAS,
    });
  });
});

describe("area names of a profile", () => {
  it("are never ambiguous: station, then city, then prefecture (spec 2.5)", () => {
    expect(resolve("渋谷,世田谷,沖縄県", { from: "profile" })).toEqual({
      level: null,
      matched: ["渋谷=station-13-shibuya", "世田谷=city-13-setagaya", "沖縄県=pref-47"],
      skipped: [],
    });
  });

  it("are narrowed before the level is chosen", () => {
    expect(resolve("福島,大阪府", { from: "profile" }).matched).toContain(
      "福島=station-27-fukushima",
    );
    expect(resolve("旭,横浜市", { from: "profile" }).matched).toContain(
      "旭=city-14-yokohama-asahi",
    );
    expect(resolve("府中", { from: "profile", scope: scope("pref-34") }).matched).toEqual([
      "府中=station-34-fuchu",
    ]);
  });

  it("keep to area_level where the profile has one", () => {
    expect(resolve("渋谷,世田谷", { from: "profile", level: "station" })).toEqual({
      level: "station",
      matched: ["渋谷=station-13-shibuya"],
      skipped: ["世田谷:unregistered"],
    });
  });
});
