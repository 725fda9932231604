import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArticle, manualClock } from "@feed/test-kit";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import type { FeedAnswer, ScenarioPreviewAnswer, ScenarioSettings } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openFeedInstallation } from "./testing/feed.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const ARTICLES = Array.from({ length: 30 }, (_, at) =>
  buildArticle({
    contentId: asId<ContentId>(`c-${at}`),
    duplicateGroup: `c-${at}`,
    sourceId: asId<SourceId>("source-1"),
    category: at % 2 === 0 ? "sports" : "food",
    publishedAtMs: Date.now() - (at + 1) * 3_600_000,
  }),
);
const CAPLESS = { exploration_share: 0, diversity_lambda: 1, caps: { source: 1, category: 1 } };
let installation: Installation;
let editor: SignedIn;
beforeAll(async () => {
  installation = await openFeedInstallation(ARTICLES, {
    // It stands: what is explored changes with the day.
    change: (deps) => ({ ...deps, clock: manualClock(deps.clock.nowMs()) }),
  });
  editor = await signInAs(installation, "editor", "one");
  await editor.call("PUT", "/tenants/one/scenarios/plain", { type: "feed", settings: CAPLESS });
});
afterAll(() => installation[Symbol.asyncDispose]());

const preview = (settings: ScenarioSettings, more: object = {}, name = "plain") =>
  editor.call("POST", `/tenants/one/scenarios/${name}/preview`, { settings, ...more });
const previewed = async (settings: ScenarioSettings, more: object = {}) =>
  (await preview(settings, more)).json as ScenarioPreviewAnswer;
const pointersOf = async (settings: object) => {
  const { status, json } = await preview(settings);
  const { errors } = json as { readonly errors: readonly { readonly pointer: string }[] };
  return [status, ...errors.map(({ pointer }) => pointer)];
};
const ids = (list: ScenarioPreviewAnswer["data"]["current"]) =>
  list.map(({ content }) => content.id);

describe("Settings that are not saved", () => {
  it("are shown beside the latest version, with the place each article has in the other", async () => {
    const rule = { match: "article", id: "c-8", factor: 20 } as const;
    const pins = ["c-25"];
    const answer = await previewed({ ...CAPLESS, pins, ranking_rules: [rule] }, { limit: 5 });
    const { current, proposed } = answer.data;
    expect(answer.meta).toEqual({ scenario: "plain", type: "feed", version: 1 });
    expect(ids(current)).toEqual(["c-0", "c-1", "c-2", "c-3", "c-4"]);
    expect(ids(proposed)).toEqual(["c-25", "c-8", "c-0", "c-1", "c-2"]);
    expect(proposed.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect(proposed.map(({ position_in_other }) => position_in_other)).toEqual([26, 9, 1, 2, 3]);
    expect(current.map(({ position_in_other }) => position_in_other)).toEqual([3, 4, 5, 6, 7]);
    expect(proposed[0]?.explanation.rule).toBe("pin");
    expect(proposed[1]?.explanation.ranking_rules).toEqual([rule]);
    expect(proposed[2]?.score).toBe(current[0]?.score);
    expect(JSON.stringify(answer)).not.toContain("tracking_token");
  });

  it("say with null what is in one list alone", async () => {
    const { current, proposed } = (
      await previewed({ ...CAPLESS, categories: { exclude: ["food"] } })
    ).data;
    expect(current.find(({ content }) => content.id === "c-1")?.position_in_other).toBeNull();
    expect(ids(proposed)).not.toContain("c-1");
  });

  it("take the service's defaults where they are left out, as a save does", async () => {
    const saved = await editor.call("PUT", "/tenants/one/scenarios/defaults", { type: "feed" });
    expect(saved.status).toBe(200);
    const answer = await preview({}, {}, "defaults");
    const { current, proposed } = (answer.json as ScenarioPreviewAnswer).data;
    expect(proposed).toEqual(current);
  });

  it("are shown as a user sees them, or as anybody does", async () => {
    const path = "/v1/users/reader";
    await call(installation, "PUT", path, { body: { properties: {} } });
    const followed = await call(installation, "PUT", `${path}/sources/source-1/follow`);
    expect(followed.status).toBe(204);
    const seen = await call(installation, "GET", "/v1/feed?user_id=reader&scenario=plain&limit=10");
    const { current } = (await previewed(CAPLESS, { user_id: "reader" })).data;
    expect(ids(current)).toEqual((seen.json as FeedAnswer).data.map(({ id }) => id));
    expect(current[0]?.explanation.boosts).toMatchObject({ followed_source: 1.25 });
    const anybody = (await previewed(CAPLESS)).data;
    expect(anybody.current[0]?.explanation.boosts).toMatchObject({ followed_source: 1 });
  });

  it("are recorded and charged nowhere, and are no version", async () => {
    const { directory, eventLog } = installation.deps;
    const kept = async () => ({
      deliveries: await eventLog.endOffsets("deliveries"),
      credits: await eventLog.endOffsets("credits"),
      // Not the end of its topic: that a key was used is noted there whenever it is written.
      versions: directory.scenarioVersions(asId<TenantId>("one"), "plain"),
    });
    const before = await kept();
    expect((await preview({ ...CAPLESS, pins: ["c-9"] })).status).toBe(200);
    expect(await kept()).toEqual(before);
  });

  it("are checked as those that are saved", async () => {
    const rule = { match: "source", id: "source-1", factor: 2 } as const;
    const cap = { id: "source-1", share: 0.1 };
    const rules = "/settings/ranking_rules";
    expect(await pointersOf({ ranking_rules: [{ ...rule, factor: 21 }] })).toEqual([
      400,
      `${rules}/0/factor`,
    ]);
    const twice = [rule, { ...rule, factor: 3 }];
    expect(await pointersOf({ ranking_rules: twice })).toEqual([400, `${rules}/1/id`]);
    const unknown = [rule, { match: "category", id: "source-1", factor: 2 }];
    expect(await pointersOf({ ranking_rules: unknown })).toEqual([400, `${rules}/1/id`]);
    expect(await pointersOf({ source_caps: [cap, { ...cap, share: 0.2 }] })).toEqual([
      400,
      "/settings/source_caps/1/id",
    ]);
    const many = Array.from({ length: 51 }, (_, at) => ({ ...rule, id: `source-${at}` }));
    expect(await pointersOf({ ranking_rules: many })).toEqual([400, rules]);
    const put = { type: "feed", settings: { ranking_rules: twice } };
    expect((await editor.call("PUT", "/tenants/one/scenarios/plain", put)).status).toBe(400);
  });

  it("belong to a scenario of the tenant that is there", async () => {
    expect((await preview({}, {}, "unknown")).status).toBe(404);
    const foreign = await editor.call("POST", "/tenants/two/scenarios/main/preview", {
      settings: {},
    });
    expect(foreign.status).toBe(404);
  });
});
