import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ArmCounts } from "@feed/activity-store";
import type {
  AuditAnswer,
  ExperimentAnswer,
  ExperimentListAnswer,
  ExperimentReportAnswer,
} from "./openapi.generated.ts";
import { openInstallation, type Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const SETTINGS = { freshness_half_life_hours: 6 };
const START = { name: "Fresher", variant: { settings: SETTINGS }, variant_share: 0.2 };
const COUNTS = { users: 0, feeds: 0, items: 0, impressions: 0, clicks: 0, usersClicked: 0 };

let installation: Installation;
let editor: SignedIn;
let arms: { readonly control: ArmCounts; readonly variant: ArmCounts };
let asked: readonly unknown[] = [];
let scenario: string;
let scenarios = 0;
beforeAll(async () => {
  installation = await openInstallation({
    activityStore: {
      experimentArms: (...question) => {
        asked = question;
        return Promise.resolve(arms);
      },
    },
  });
  editor = await signInAs(installation, "editor", "one");
});
afterAll(() => installation[Symbol.asyncDispose]());
beforeEach(async () => {
  scenarios += 1;
  scenario = `compared-${scenarios}`;
  arms = { control: COUNTS, variant: COUNTS };
  await save({});
});

const pathOf = (name = scenario) => `/tenants/one/scenarios/${name}`;
const save = (settings: object) => editor.call("PUT", pathOf(), { type: "feed", settings });
const start = (changes: object = {}) =>
  editor.call("POST", `${pathOf()}/experiments`, { ...START, ...changes });
const started = async () => ((await start()).json as ExperimentAnswer).data;
const change = (id: string, variant_share: number) =>
  editor.call("PATCH", `${pathOf()}/experiments/${id}`, { variant_share });
const end = (id: string, outcome: "adopted" | "kept") =>
  editor.call("POST", `${pathOf()}/experiments/${id}/end`, { outcome });

describe("An experiment", () => {
  it("is started with settings, and is found and listed", async () => {
    const answer = await start();
    expect([answer.status, answer.json]).toMatchObject([
      201,
      {
        data: {
          scenario,
          name: "Fresher",
          status: "running",
          control_version: 1,
          variant: { version: null, settings: { ...SETTINGS, diversity_lambda: 0.75 } },
          variant_share: 0.2,
          started_by: editor.me.person_id,
          end: null,
        },
      },
    ]);
    const { data } = answer.json as ExperimentAnswer;
    expect(data.share_set_at).toBe(data.started_at);
    const path = `${pathOf()}/experiments`;
    expect((await editor.call("GET", `${path}/${data.experiment_id}`)).json).toEqual({ data });
    expect((await editor.call("GET", path)).json).toEqual({ data: [data] });
    expect((await editor.call("GET", `${path}/exp_unknown`)).status).toBe(404);
    const foreign = await signInAs(installation, "editor", "two");
    expect((await foreign.call("GET", `${path}/${data.experiment_id}`)).status).toBe(404);
  });

  it("is started with an earlier version", async () => {
    await save(SETTINGS);
    const answer = await start({ variant: { version: 1 } });
    expect(answer.json).toMatchObject({ data: { control_version: 2, variant: { version: 1 } } });
  });

  it.each([
    ["a share of nobody", { variant_share: 0 }, "/variant_share"],
    ["a share of everybody", { variant_share: 1 }, "/variant_share"],
    ["no variant", { variant: {} }, "/variant"],
    ["two variants", { variant: { version: 1, settings: {} } }, "/variant"],
    ["an unknown version", { variant: { version: 7 } }, "/variant/version"],
    ["the live version", { variant: { version: 1 } }, "/variant"],
    ["the settings that are live", { variant: { settings: {} } }, "/variant"],
    ["a name of spaces", { name: "  " }, "/name"],
    [
      "settings that rank nothing",
      {
        variant: {
          settings: { weights: { relevance: 0, freshness: 0, engagement: 0, quality: 0 } },
        },
      },
      "/variant/settings/weights",
    ],
  ])("is refused with %s", async (_what, changes, pointer) => {
    const answer = await start(changes);
    expect([answer.status, answer.json]).toMatchObject([400, { errors: [{ pointer }] }]);
  });

  it("is refused for a push scenario, and says so", async () => {
    const answer = await editor.call("POST", `${pathOf("daily")}/experiments`, START);
    expect([answer.status, answer.json]).toMatchObject([
      400,
      { errors: [{ detail: expect.stringContaining("push scenario") }] },
    ]);
    expect((await editor.call("POST", `${pathOf("unknown")}/experiments`, START)).status).toBe(404);
  });

  it("is the only one of its scenario that runs, also where two are started at once", async () => {
    const starts = await Promise.all([start(), start(), start()]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { data } = (await editor.call("GET", `${pathOf()}/experiments`))
      .json as ExperimentListAnswer;
    expect(data).toHaveLength(1);
    expect((await start({ expected_version: 5 })).status).toBe(409);
  });

  it("keeps its scenario as it is while it runs", async () => {
    const { experiment_id: id } = await started();
    expect((await save({ exploration_share: 0.3 })).status).toBe(409);
    const restore = await editor.call("POST", `${pathOf()}/restore`, { version: 1 });
    expect(restore.status).toBe(409);
    await end(id, "kept");
    expect((await save({ exploration_share: 0.3 })).status).toBe(200);
  });

  it("has another share from a moment on, from which it is counted", async () => {
    const { experiment_id: id, share_set_at } = await started();
    const same = (await change(id, 0.2)).json as ExperimentAnswer;
    expect(same.data.share_set_at).toBe(share_set_at);
    const changed = (await change(id, 0.5)).json as ExperimentAnswer;
    expect(changed.data.variant_share).toBe(0.5);
    expect((await change(id, 0.999)).status).toBe(400);
    const report = await editor.call("GET", `${pathOf()}/experiments/${id}/report`);
    expect((report.json as ExperimentReportAnswer).data.counted_from).toBe(
      changed.data.share_set_at,
    );
    expect(asked).toEqual(["one", id, Date.parse(changed.data.share_set_at)]);
  });

  it.each(["adopted", "kept"] as const)("ends once, its variant %s", async (outcome) => {
    const { experiment_id: id } = await started();
    const ended = await end(id, outcome);
    const adopted_version = outcome === "adopted" ? 2 : null;
    expect(ended.json).toMatchObject({
      data: {
        status: "ended",
        end: { outcome, ended_by: editor.me.person_id, adopted_version },
      },
    });
    const live = await editor.call("GET", pathOf());
    expect(live.json).toMatchObject({
      data: outcome === "adopted" ? { version: 2, settings: SETTINGS } : { version: 1 },
    });
    expect((await end(id, "adopted")).status).toBe(409);
    expect((await change(id, 0.5)).status).toBe(409);
    expect((await start({ variant: { settings: { exploration_share: 0.4 } } })).status).toBe(201);
  });

  it("is in the audit log with all that was done to it", async () => {
    const { experiment_id: id } = await started();
    await change(id, 0.5);
    await end(id, "kept");
    const audit = (await editor.call("GET", "/audit?tenant_id=one&limit=3")).json as AuditAnswer;
    expect(audit.data.map(({ kind, subject, actor }) => [kind, subject, actor])).toEqual(
      ["experiment.ended", "experiment.share-set", "experiment.started"].map((kind) => [
        kind,
        scenario,
        editor.me.person_id,
      ]),
    );
    expect(audit.data[1]?.details).toMatchObject({ experiment_id: id, variant_share: 0.5 });
  });
});

describe("The report of an experiment", () => {
  const report = async () => {
    const { experiment_id: id } = ((await start({ variant_share: 0.5 })).json as ExperimentAnswer)
      .data;
    return (
      (await editor.call("GET", `${pathOf()}/experiments/${id}/report`))
        .json as ExperimentReportAnswer
    ).data;
  };

  it("compares the shares of users who clicked", async () => {
    // Newcombe 1998, table II (a): 56 of 70 and 48 of 80, here ten times as many.
    arms = {
      control: { ...COUNTS, users: 800, feeds: 900, items: 9_000, usersClicked: 480 },
      variant: {
        users: 700,
        feeds: 800,
        items: 8_000,
        impressions: 4_000,
        clicks: 900,
        usersClicked: 560,
      },
    };
    const { control, variant, sample_ratio, conclusion, difference } = await report();
    expect(conclusion).toBe("variant_higher");
    expect(sample_ratio).toEqual({
      variant_share: 0.466667,
      planned_variant_share: 0.5,
      chi_squared: 6.666667,
      p_value: 0.00982,
      mismatch: false,
    });
    expect(difference?.value).toBeCloseTo(0.2);
    expect(difference?.low).toBeGreaterThan(0.1);
    expect(difference?.high).toBeLessThan(0.3);
    expect(variant).toMatchObject({ users: 700, users_clicked: 560, click_through_rate: 0.225 });
    expect(variant.users_clicked_share?.value).toBe(0.8);
    expect(control).toMatchObject({
      click_through_rate: null,
      users_clicked_share: { value: 0.6 },
    });
  });

  it("says that there is too little to say", async () => {
    const few = { ...COUNTS, users: 8, feeds: 8, usersClicked: 3 };
    arms = { control: few, variant: COUNTS };
    const { control, variant, sample_ratio, conclusion, difference } = await report();
    expect([sample_ratio, conclusion, difference]).toEqual([null, "too_little_data", null]);
    expect(control.users_clicked_share?.value).toBe(0.375);
    expect(variant.users_clicked_share).toBeNull();
  });

  it("says that users are missing from an arm instead of which clicked more (p < 0.001)", async () => {
    const counts = (users: number, usersClicked: number) => ({ ...COUNTS, users, usersClicked });
    arms = { control: counts(821_588, 82_000), variant: counts(815_482, 90_000) };
    const { sample_ratio, conclusion, difference } = await report();
    expect([conclusion, difference]).toEqual(["sample_ratio_mismatch", null]);
    expect(sample_ratio).toMatchObject({ p_value: 0.00000182, mismatch: true });
  });
});
