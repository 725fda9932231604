import { asId, type SubjectId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS, type Scenario } from "@feed/domain/scenario";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { armOf } from "./experiment-arm.ts";
import type { FeedRequest } from "./index.ts";
import {
  contentId,
  HOUR_MS,
  openInstallation,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

/** So many that each arm has some of them, whatever the installation's secret is. */
const READERS = Array.from({ length: 40 }, (_, at) => userId(`reader-${at}`));
/** Under the variant the oldest article comes first. */
const VARIANT = { ...DEFAULT_SCENARIO_SETTINGS, pins: [contentId("a-3")] };
const of = { tenantId: TENANT, experimentId: "exp-1", scenario: "home" };
let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation();
  await installation.saveTenant();
  await installation.saveSources("source-1");
  const articles = [0, 1, 2, 3].map((at) =>
    installation.articleOf({
      contentId: contentId(`a-${at}`),
      sourceId: asId("source-1"),
      title: `article ${at}`,
      summary: "",
      publishedAtMs: installation.clock.nowMs() - (at + 1) * HOUR_MS,
    }),
  );
  await installation.publish(...(await Promise.all(articles)));
  for (const reader of READERS) await installation.tell(reader, { properties: {} });
  await installation.changeDirectory({
    type: "scenario.saved",
    tenantId: TENANT,
    name: "home",
    scenarioType: "feed",
    version: 1,
    settings: DEFAULT_SCENARIO_SETTINGS,
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

const live = () => installation.deps.directory.scenario(TENANT, "home") as Scenario;
const page = async (parts: Partial<FeedRequest>) => {
  const request = installation.request({ scenario: live(), ...parts });
  const answer = await installation.service.feed(request);
  if (answer.kind !== "page") throw new Error(`answered ${answer.kind}`);
  const facts = await installation.deliveries();
  const fact = facts.find(({ requestId }) => requestId === request.requestId);
  if (fact?.type !== "feed.delivered") throw new Error("nothing was recorded");
  const first = answer.items[0]?.content.id as string | undefined;
  return { first, place: fact.experiment, nextCursor: answer.nextCursor };
};
const subjectOf = (reader: (typeof READERS)[number]) =>
  installation.keyring.pseudonyms.subjectOfUser(TENANT, reader, 0);
const readersOf = (arm: "control" | "variant", variantShare = 0.5) =>
  READERS.filter(
    (reader) => armOf({ experimentId: "exp-1", variantShare }, subjectOf(reader)) === arm,
  );

const SUBJECTS = Array.from({ length: 20_000 }, (_, at) => asId<SubjectId>(`subject-${at}`));
const inVariant = (experimentId: string, variantShare: number) =>
  new Set(SUBJECTS.filter((one) => armOf({ experimentId, variantShare }, one) === "variant"));

describe("The arm of a user", () => {
  it("is the same wherever and whenever it is asked for", () => {
    expect(inVariant("exp-1", 0.3)).toEqual(inVariant("exp-1", 0.3));
    // Fixed for ever: a user of a running experiment would change arms with another method.
    const arms = SUBJECTS.slice(0, 8).map((one) =>
      armOf({ experimentId: "exp-1", variantShare: 0.5 }, one),
    );
    expect(arms.map((arm) => arm[0]).join("")).toBe("vvcvccvc");
  });

  // Four standard deviations of a binomial count of 20,000.
  it.each([0.01, 0.1, 0.5, 0.9])("is the variant for a share of %d of all users", (share) => {
    const deviation = Math.sqrt(share * (1 - share) * SUBJECTS.length);
    const count = inVariant("exp-1", share).size;
    expect(Math.abs(count - share * SUBJECTS.length)).toBeLessThan(4 * deviation);
  });

  it("changes with the share for those between the two alone", () => {
    const [few, many] = [inVariant("exp-1", 0.2), inVariant("exp-1", 0.3)];
    expect([...few].filter((one) => !many.has(one))).toEqual([]);
    expect(many.size).toBeGreaterThan(few.size);
  });

  it("has nothing to do with the arm in another experiment", () => {
    const [one, other] = [inVariant("exp-1", 0.5), inVariant("exp-2", 0.5)];
    const both = [...one].filter((subject) => other.has(subject)).length;
    expect(Math.abs(both - SUBJECTS.length / 4)).toBeLessThan(250);
  });
});

describe("A feed scenario that is compared with a variant", () => {
  it("ranks as before in no arm until the experiment begins", async () => {
    expect(await page({ userId: READERS[0]! })).toMatchObject({ first: "a-0", place: undefined });
  });

  it("is ranked by the settings of the user's arm, and the delivery says which", async () => {
    const walker = readersOf("variant")[0]!;
    const before = await page({ userId: walker, limit: 1 });
    await installation.changeDirectory({
      type: "experiment.started",
      ...of,
      name: "Pinned",
      controlVersion: 1,
      variantVersion: null,
      variantSettings: VARIANT,
      variantShare: 0.5,
    });
    for (const arm of ["control", "variant"] as const) {
      for (const reader of readersOf(arm).slice(0, 4))
        expect(await page({ userId: reader })).toMatchObject({
          first: arm === "variant" ? "a-3" : "a-0",
          place: { experimentId: "exp-1", arm },
        });
    }
    // A walk goes on in the list it began with, which no arm made.
    const next = await page({ userId: walker, cursor: before.nextCursor! });
    expect(next).toMatchObject({ first: "a-1", place: undefined });
  });

  it("is the control for readers without a user, in no arm", async () => {
    const nobody = { first: "a-0", place: undefined };
    expect(await page({})).toMatchObject(nobody);
    expect(await page({ userId: userId("never-seen") })).toMatchObject(nobody);
  });

  it("is a draft where a draft is asked for, in no arm", async () => {
    const draft = { ...live(), settings: { ...VARIANT, pins: [contentId("a-2")] } };
    const variant = readersOf("variant")[0]!;
    expect(await page({ userId: variant, scenario: draft })).toMatchObject({
      first: "a-2",
      place: undefined,
    });
  });

  it("tells in a preview in which arm the user is", async () => {
    const [variant, control] = [readersOf("variant")[0]!, readersOf("control")[0]!];
    for (const [reader, arm, first] of [
      [variant, "variant", "a-3"],
      [control, "control", "a-0"],
      [userId("never-seen"), null, "a-0"],
    ] as const) {
      const asked = installation.request({ scenario: live(), userId: reader });
      const preview = await installation.service.preview(asked);
      if (preview.kind !== "page") throw new Error(preview.kind);
      expect([preview.arm, preview.items[0]?.content.id]).toEqual([arm, first]);
    }
  });

  it("has no list in two arms: a user who changes arms is shown the other at once", async () => {
    const moved = readersOf("control", 0.5).find(
      (one) => !readersOf("control", 0.99).includes(one),
    )!;
    expect(await page({ userId: moved })).toMatchObject({ first: "a-0" });
    await installation.changeDirectory({ type: "experiment.share-set", ...of, variantShare: 0.99 });
    const place = { experimentId: "exp-1", arm: "variant" };
    expect(await page({ userId: moved })).toMatchObject({ first: "a-3", place });
  });

  it("is the same for everybody once the experiment has ended", async () => {
    await installation.changeDirectory({ type: "experiment.ended", ...of, outcome: "adopted" });
    expect(live().version).toBe(2);
    for (const parts of [{ userId: READERS[0]! }, {}])
      expect(await page(parts)).toMatchObject({ first: "a-3", place: undefined });
  });
});
