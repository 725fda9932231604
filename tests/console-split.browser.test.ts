import { waitFor } from "@feed/test-kit";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  ExperimentListAnswer,
  ExperimentReportAnswer,
  FeedPreviewAnswer,
} from "@feed/http-api/openapi.generated";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

/**
 * Goal: an editor compares a scenario with a variant, without anybody's help. Method: a service with demo data, whose readers
 * ask for a feed each; every fifth clicks on what stands first, and of those who are shown the variant's pinned article
 * every second.
 */
const READERS = 280;
const AT_ONCE = 14;
/** Enough that chance never sends all of them to one side: 1 of 2 to the power of 20. */
const READERS_OF_ONE_SIDE = 20;
const EVENTS_AT_ONCE = 100;
const TIMEOUT_MS = 180_000;

let service: DemoService;
let browser: Browser;
/** Of an editor of the demo tenant. */
let editor: ConsolePage;
/** An article that no feed would put first by itself. */
let pinned: string;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  editor = await openConsole(service, browser);
  const person = { email: "emi@demo.example", role: "editor", tenant_id: "demo" } as const;
  await editor.page.goto(await addPerson(service, person));
  await editor.page.getByRole("navigation").waitFor();
  const { items } = await feedOf("nobody");
  pinned = items.at(-1)!.id;
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

interface Item {
  readonly id: string;
  readonly tracking_token: string;
}

const RATE_LIMIT = 429;
/** A user who is not known yet, or a part of the service that is away for a moment. */
const FOR_THE_MOMENT = [RATE_LIMIT, 404, 503];

/** Asks again where so many readers pass the tenant's rate limit; what changes nothing, for any passing reason. */
async function callUntil(status: number, ...request: Parameters<DemoService["call"]>) {
  const passing = request[1] === undefined ? FOR_THE_MOMENT : [RATE_LIMIT];
  let answer = await service.call(...request);
  const isOver = async () => {
    if (!passing.includes(answer.status)) return true;
    answer = await service.call(...request);
    return false;
  };
  await waitFor(isOver);
  expect(answer.status).toBe(status);
  return answer;
}

/** Resolves to what comes of each reader, so many at a time. */
async function ofEach<Result>(
  readers: readonly string[],
  work: (userId: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < readers.length; from += AT_ONCE)
    results.push(...(await Promise.all(readers.slice(from, from + AT_ONCE).map(work))));
  return results;
}

async function feedOf(userId: string) {
  const answer = await callUntil(200, `/v1/feed?user_id=${userId}&limit=5&scenario=home`);
  const { data } = (await answer.json()) as { readonly data: readonly Item[] };
  return { userId, items: data };
}

async function report(events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
    const body = JSON.stringify({ events: events.slice(from, from + EVENTS_AT_ONCE) });
    await callUntil(202, "/v1/events", { method: "POST", body });
  }
}

/** Every reader comes, is shown a feed and sees its first article; some click. */
async function readersCome(): Promise<number> {
  const readers = Array.from({ length: READERS }, (_, at) => `split-${at}`);
  const about = (user_id: string, type: string) => ({ type, user_id, session_id: `of-${user_id}` });
  await report(readers.map((userId) => about(userId, "session_start")));
  await ofEach(readers, (userId) => callUntil(200, `/v1/users/${userId}`));
  const feeds = await ofEach(readers, feedOf);
  const seen = feeds.flatMap(({ userId, items: [first] }) => (first ? [{ userId, first }] : []));
  const of = (type: string) => (each: (typeof seen)[number]) => {
    const { id: content_id, tracking_token } = each.first;
    return { ...about(each.userId, type), content_id, tracking_token };
  };
  const clicking = seen.filter(({ first }, at) => at % (first.id === pinned ? 2 : 5) === 0);
  await report([...seen.map(of("impression")), ...clicking.map(of("click"))]);
  return clicking.length;
}

/** What the service says of the split that runs. */
async function reported(): Promise<ExperimentReportAnswer["data"]> {
  const path = "/tenants/demo/scenarios/home/experiments";
  const { data } = (await admin(service, path)) as ExperimentListAnswer;
  const report = await admin(service, `${path}/${data[0]?.experiment_id}/report`);
  return (report as ExperimentReportAnswer).data;
}

/** Of both arms, as far as they are counted. */
async function reactions() {
  const { control, variant } = await reported();
  return {
    users: control.users + variant.users,
    impressions: control.impressions + variant.impressions,
    clicks: control.clicks + variant.clicks,
  };
}

const controlUsers = async () => (await reported()).control.users;

/** Readers of one arm, as previews of their feeds tell, which count as served to nobody. */
async function readersOf(arm: string, count: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < READERS && found.length < count; at += 1) {
    const path = `/tenants/demo/users/by-id/split-${at}/feed?scenario=home&limit=1`;
    const { meta } = (await admin(service, path)) as FeedPreviewAnswer;
    if (meta.arm === arm) found.push(`split-${at}`);
  }
  return found;
}

/** A viewer who looks at the scenario. */
async function openViewer(email: string, options: Parameters<typeof openConsole>[2]) {
  const viewer = await openConsole(service, browser, options);
  await viewer.page.goto(await addPerson(service, { email, role: "viewer", tenant_id: "demo" }));
  await viewer.page.getByRole("navigation").waitFor();
  await viewer.open("tenants/demo/scenarios/home");
  return viewer;
}

const sumOf = (texts: readonly string[] = []) => texts.reduce((sum, text) => sum + Number(text), 0);

const split = () => editor.page.locator("section").filter({ hasText: "A/B split" });
const dialog = () => editor.page.getByRole("dialog");
const scenario = async () =>
  ((await admin(service, "/tenants/demo/scenarios/home")) as { readonly data: object }).data;
const axeRules = async () => {
  await expect.poll(() => editor.violations()).toEqual([]);
  await editor.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => editor.violations(["color-contrast"])).toEqual([]);
  await editor.page.emulateMedia({ colorScheme: "light" });
};

describe("An A/B split", () => {
  it("needs something to compare", async () => {
    await editor.open("tenants/demo/scenarios/home");
    await split().getByRole("button", { name: "Start a split" }).click();
    await expect.poll(() => dialog().textContent()).toContain("Change a setting above");
    const start = dialog().getByRole("button", { name: "Start a split" });
    await expect.poll(() => start.isDisabled()).toBe(true);
    await editor.page.keyboard.press("Escape");
  });

  it("is started with the settings as they are edited, which its dialog says", async () => {
    const { page, keep } = editor;
    await page.getByLabel("Pinned articles").fill(pinned);
    await split().getByRole("button", { name: "Start a split" }).click();
    await expect.poll(() => dialog().textContent()).toContain(`Pinned articles: – → ${pinned}`);
    await dialog().getByLabel("Name").fill("The lead story first");
    await dialog().getByLabel("Users who see the variant, in percent").fill("20");
    await axeRules();
    await keep("split-start");
    await dialog().getByRole("button", { name: "Start a split" }).click();
    await expect.poll(() => split().textContent()).toContain("Running");
    await expect.poll(() => split().textContent()).toContain("Settings that were never saved");
    await expect.poll(scenario).toMatchObject({ version: 1, settings: { pins: [] } });
  });

  it("says that there is too little data, and lets nobody save over what is compared", async () => {
    const { page } = editor;
    await expect.poll(() => split().textContent()).toContain("Too little data to compare");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("end it first");
    await page.getByRole("button", { name: "Discard changes" }).click();
  });

  it("has another share after asking", async () => {
    await split().getByRole("button", { name: "Change share" }).click();
    await expect.poll(() => dialog().textContent()).toContain("The report begins anew");
    await dialog().getByLabel("Users who see the variant, in percent").fill("50");
    await dialog().getByRole("button", { name: "Change share" }).click();
    await expect.poll(() => split().textContent()).toContain("Users who see it50%");
  });

  it(
    "shows in a report which users click more",
    async () => {
      const { page, overflows } = editor;
      const clicks = await readersCome();
      const counting = { timeout: 60_000, interval: 500 };
      const all = { users: READERS, impressions: READERS, clicks };
      await expect.poll(reactions, counting).toEqual(all);
      await split().getByRole("button", { name: "Count again" }).click();
      await expect
        .poll(() => split().textContent())
        .toContain("More of the variant's users click.");
      const rows = await split().getByRole("region", { name: "Report" }).locator("tbody tr").all();
      const cells = await Promise.all(rows.map((row) => row.locator("td").allTextContents()));
      const figures = new Map(cells.map(([name = "", ...arms]) => [name, arms]));
      expect(sumOf(figures.get("Users"))).toBe(READERS);
      expect(sumOf(figures.get("Impressions"))).toBe(READERS);
      for (const interval of figures.get("95 % interval") ?? ["none"])
        expect(interval).toMatch(/^[\d.]+% to [\d.]+%$/);
      await expect
        .poll(() => page.getByRole("img", { name: /^Share of users who clicked/ }).count())
        .toBe(1);
      await expect.poll(overflows).toBe(false);
      await axeRules();
      await page.setViewportSize({ width: 1280, height: 1320 });
      await editor.keep("split", split());
      await page.setViewportSize({ width: 1280, height: 900 });
    },
    TIMEOUT_MS,
  );

  it("is read by a viewer in Japanese on a phone, in dark colours, without a way to change it", async () => {
    const options = { locale: "ja-JP", viewport: PHONE, colorScheme: "dark" } as const;
    await using viewer = await openViewer("vera@demo.example", options);
    const section = viewer.page.locator("section").filter({ hasText: "A/Bテスト" });
    await expect.poll(() => section.textContent()).toContain("割合が高くなっています");
    await expect.poll(() => section.getByRole("button").allTextContents()).toEqual(["再集計"]);
    await expect.poll(viewer.overflows).toBe(false);
    await expect.poll(() => viewer.violations()).toEqual([]);
    await viewer.page.setViewportSize({ ...PHONE, height: 1560 });
    await viewer.keep("split-phone-dark-ja", section);
  });

  it("is told where a user's feed is looked at", async () => {
    const { page, open } = editor;
    await open("tenants/demo/users/split-0");
    await expect.poll(() => page.textContent("main")).toContain("In an A/B split of the scenario");
    await open("tenants/demo/scenarios/home");
  });

  it("ends after asking with the variant as the next version, and its report stays", async () => {
    const { page } = editor;
    await split().getByRole("button", { name: "Adopt the variant" }).click();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await split().getByRole("button", { name: "Adopt the variant" }).click();
    await dialog().getByRole("button", { name: "Adopt the variant" }).click();
    await expect.poll(() => split().textContent()).toContain("Variant adopted, as version 2");
    await expect.poll(scenario).toMatchObject({ version: 2, settings: { pins: [pinned] } });
    await expect.poll(() => page.getByLabel("Pinned articles").inputValue()).toBe(pinned);
    await split().getByRole("button", { name: "Show report: The lead story first" }).click();
    await expect.poll(() => dialog().textContent()).toContain("More of the variant's users click.");
    await axeRules();
    await editor.keep("split-past");
    await dialog().getByRole("button", { name: "Close" }).click();
  });

  it("is started with an earlier version, and warns where users are missing from a side", async () => {
    await split().getByRole("button", { name: "Start a split" }).click();
    await dialog().getByLabel("Variant", { exact: true }).selectOption("1");
    await dialog().getByLabel("Name").fill("As it was");
    await dialog().getByRole("button", { name: "Start a split" }).click();
    await expect.poll(() => split().textContent()).toContain("Too little data to compare");
    for (const reader of await readersOf("control", READERS_OF_ONE_SIDE)) await feedOf(reader);
    const counting = { timeout: 60_000, interval: 500 };
    await expect.poll(controlUsers, counting).toBe(READERS_OF_ONE_SIDE);
    await split().getByRole("button", { name: "Count again" }).click();
    await expect.poll(() => split().textContent()).toContain("The two sides can't be compared");
    await expect
      .poll(() => split().textContent())
      .toContain("0% were shown the variant; 50% were meant to");
    await axeRules();
    await editor.keep("split-mismatch", split());
  });

  it("warns in Japanese too", async () => {
    const options = { locale: "ja-JP", viewport: PHONE, colorScheme: "dark" } as const;
    await using viewer = await openViewer("jun@demo.example", options);
    const section = viewer.page.locator("section").filter({ hasText: "A/Bテスト" });
    await expect.poll(() => section.textContent()).toContain("この2つは比較できません");
    expect(await viewer.overflows()).toBe(false);
    await expect.poll(() => viewer.violations()).toEqual([]);
    await viewer.page.setViewportSize({ ...PHONE, height: 1560 });
    await viewer.keep("split-mismatch-phone-dark-ja", section);
  });

  it("ends with the current version too", async () => {
    await split().getByRole("button", { name: "Keep the current version" }).click();
    await dialog().getByRole("button", { name: "Keep the current version" }).click();
    await expect.poll(() => split().textContent()).toContain("As it wasCurrent version kept");
    await expect.poll(scenario).toMatchObject({ version: 2 });
  });

  it("is nothing for a push scenario", async () => {
    const { page, open } = editor;
    await open("tenants/demo/scenarios/daily-push");
    await page.getByRole("heading", { level: 1, name: "daily-push" }).waitFor();
    await page.getByRole("heading", { name: "Versions" }).waitFor();
    await expect.poll(() => split().count()).toBe(0);
  });
});
