import { asId } from "@feed/domain/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  openInstallation,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

let installation: Installation;
const reader = userId("in-osaka");

beforeAll(async () => {
  installation = await openInstallation();
  await installation.saveTenant();
  await installation.saveSources(...Array.from({ length: 6 }, (_, at) => `source-${at}`));
  const areaOf = (at: number) => {
    if (at % 10 === 3) return ["pref-13"];
    return at % 10 === 7 ? ["pref-27"] : [];
  };
  for (let at = 0; at < 60; at += 1) {
    await installation.publish(
      await installation.articleOf({
        contentId: contentId(`${areaOf(at)[0] ?? "nowhere"}-${at}`),
        sourceId: asId(`source-${at % 6}`),
        category: (["food", "sports", "culture"] as const)[at % 3] ?? "other",
        publishedAtMs: installation.clock.nowMs() - (at + 1) * HOUR_MS,
        areas: areaOf(at).map((id) => ({ areaId: asId(id), confidence: 0.9 })),
      }),
    );
  }
  await installation.tell(reader, { properties: { area_names: ["大阪府"] } });
});
afterAll(() => installation[Symbol.asyncDispose]());

const ask = async (parts: Partial<FeedRequest>) => {
  const answer = await installation.service.feed(installation.request({ limit: 10, ...parts }));
  if (answer.kind !== "page") throw new Error(answer.kind);
  const count = (area: string) =>
    answer.items.filter(({ content: { id } }) => id.startsWith(area)).length;
  return { areas: answer.resolvedAreas, tokyo: count("pref-13"), osaka: count("pref-27") };
};

describe("Area context (spec 4.1 rules 2 to 4; decisions, Feed)", () => {
  it("boosts the areas named in the request, before those of the profile", async () => {
    const none = await ask({});
    const query = await ask({ userId: reader, areaNames: ["東京"], areaLevel: "prefecture" });
    expect(query.areas).toMatchObject({ level: "prefecture", from: "query", skipped: [] });
    expect(query.tokyo).toBeGreaterThan(none.tokyo);
    expect(query.osaka).toBeLessThanOrEqual(none.osaka);
  });

  it("boosts the profile's areas where the request names none, and none where neither does", async () => {
    const none = await ask({});
    const profile = await ask({ userId: reader });
    expect(none.areas).toEqual({ level: null, from: null, matched: [], skipped: [] });
    expect(profile.areas).toMatchObject({ level: "prefecture", from: "profile" });
    expect(profile.osaka).toBeGreaterThan(none.osaka);
  });

  it("skips an unregistered name and uses the others", async () => {
    const { areas, tokyo } = await ask({ areaNames: ["どこにもない", "東京都"] });
    expect(areas.skipped).toEqual([{ input: "どこにもない", reason: "unregistered" }]);
    expect(tokyo).toBeGreaterThan((await ask({})).tokyo);
  });

  it("has no area context where all names are unregistered: the profile does not step in", async () => {
    const all = await ask({ userId: reader, areaNames: ["どこにもない", "あそこにも"] });
    expect(all.areas).toMatchObject({ from: "query", matched: [] });
    expect(all.areas.skipped).toHaveLength(2);
    expect(all.osaka).toBe((await ask({})).osaka);
  });

  it("names the candidates of a name that means areas of different levels, and charges nothing", async () => {
    const usedTenths = await installation.usedTenths();
    const answer = await installation.service.feed(installation.request({ areaNames: ["渋谷"] }));
    expect(answer).toMatchObject({ kind: "ambiguous-area", names: [{ input: "渋谷" }] });
    expect(await installation.usedTenths()).toBe(usedTenths);
    expect((await ask({ areaNames: ["渋谷"], areaLevel: "city" })).areas.matched).toHaveLength(1);
  });

  it("never finds a profile ambiguous", async () => {
    const unclear = userId("unclear");
    await installation.tell(unclear, { properties: { area_names: ["渋谷"] } });
    expect((await ask({ userId: unclear })).areas).toMatchObject({
      level: "station",
      from: "profile",
    });
    await installation.tell(unclear, { properties: { area_names: ["渋谷"], area_level: "city" } });
    expect((await ask({ userId: unclear })).areas).toMatchObject({
      level: "city",
      from: "profile",
    });
  });

  it("narrows a shared name by the tenant's scope", async () => {
    const shared = await ask({ areaNames: ["府中市"] });
    await installation.saveTenant({ areaScope: [asId("pref-34")] });
    const scoped = await ask({ areaNames: ["府中市"] });
    await installation.saveTenant();
    expect(shared.areas.matched).toHaveLength(2);
    expect(scoped.areas.matched.map(({ area }) => area.id)).toEqual(["city-34-fuchu"]);
  });
});
