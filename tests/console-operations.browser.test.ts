import type { ReadModelRebuildStep } from "@feed/domain/operating-facts";
import { openLog } from "@feed/engines/open-log";
import { createFactCodec } from "@feed/event-codec";
import { runFeedctl } from "@feed/test-kit/service-process";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

let service: DemoService;
let browser: Browser;
let operator: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  operator = await openConsole(service, browser);
  await operator.page.goto(service.facts.sign_in_url);
  await operator.page.getByRole("navigation").waitFor();
  // While the demo's site is crawled for the first time, records come without end.
  await service.crawled();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

interface Buried {
  readonly reason: string;
  readonly stage: "read-state.users" | "activity-store.contents";
}

/**
 * Writes to the log of the running service what its projector writes when it gives a record up: one that nobody can
 * read, or the first article.
 */
async function bury({ reason, stage }: Buried): Promise<void> {
  const { eventLog, registry } = await openLog({ dataDirectory: service.dataDirectory });
  await using _log = eventLog;
  const sourceTopic = stage === "read-state.users" ? "users" : "contents";
  const ends = await eventLog.endOffsets(sourceTopic);
  const sourcePartition = ends.findIndex((end) => sourceTopic === "users" || end > 0);
  const { records } = await eventLog.read("contents", sourcePartition, 0, 1);
  const [first] = sourceTopic === "contents" ? records : [];
  const value = createFactCodec(registry).encode({
    type: "dead-letter",
    sourceTopic,
    sourcePartition,
    sourceOffset: first?.offset ?? 12,
    stage,
    reason,
    original: first?.value ?? Buffer.from("a record"),
    atMs: Date.now(),
  });
  const place = { topic: "dead-letters", partition: 0, key: stage } as const;
  await eventLog.append([{ ...place, value, timestampMs: Date.now() }]);
}

/** Appends what a rebuild that runs tells of itself. */
async function tellOfRebuild(
  told: Omit<ReadModelRebuildStep, "type" | "actor" | "report" | "reason"> & { reason?: string },
): Promise<void> {
  const { eventLog, registry } = await openLog({ dataDirectory: service.dataDirectory });
  await using _log = eventLog;
  const always = { actor: "feedctl, a test", report: null, reason: "" };
  const fact = { type: "read-model.rebuild-step", ...always, ...told } as const;
  const value = createFactCodec(registry).encode(fact);
  const place = { topic: "read-models", partition: 0, key: told.readModel } as const;
  await eventLog.append([{ ...place, value, timestampMs: Date.now() }]);
}

const audit = (kind: string) => admin(service, `/audit?kind=${kind}`);

/** Presses "Refresh" until a part of the page is as it should be: the service hears of what others record a moment later. */
function refreshedUntil(look: () => Promise<string | null>) {
  const { page } = operator;
  const refresh = async () => {
    const answered = page.waitForResponse("**/admin/v1/operations");
    await page.getByRole("button", { name: "Refresh" }).click();
    await (await answered).finished();
    return look();
  };
  return expect.poll(refresh, { interval: 500 });
}
/** Opens the page anew until the first of these rows is as it should be. */
function reopenedUntil(rows: Locator) {
  const reopened = async () => {
    await operator.reopen();
    return firstOf(rows);
  };
  return expect.poll(reopened);
}
/** The text of the first row of a table that has one. */
const firstOf = async (rows: Locator) => (await rows.allTextContents())[0] ?? null;

describe("Operations", () => {
  const table = (name: string) => operator.page.getByRole("region", { name, exact: true });

  it("say how far each consumer lies behind, and that all are at the end", async () => {
    const { page, open, keep } = operator;
    await open("operations");
    const consumers = table("Consumers of the log");
    const index = consumers.getByRole("row", { name: /^projector.content-index/ });
    // The page asks again by itself while one is behind.
    await expect
      .poll(async () => {
        const all = (await page.textContent("main"))?.includes("Every consumer is at the end");
        return [all, await index.textContent()];
      })
      .toEqual([true, "projector.content-indexcontents00 secAt the end"]);
    await keep("operations");
  });

  it("say which version of each read model is live", async () => {
    const facts = operator.page.locator(".facts div");
    const live = ["content-index", "read-state", "activity-store"].map(
      (name) => `${name}Version 1 live`,
    );
    await expect.poll(() => facts.allTextContents()).toEqual(live);
  });

  it("show how far a rebuild is while it runs", async () => {
    const { page, keep } = operator;
    const startedAtMs = Date.now();
    // Of a minute later: one that tells nothing for half a minute is taken for dead.
    const times = { startedAtMs, atMs: startedAtMs + 60_000 };
    const counts = { done: 500, total: 1_000 };
    const steps = { readModel: "activity-store", version: 2, ...times, ...counts } as const;
    await tellOfRebuild({ ...steps, step: "building" });
    const bar = page.getByRole("progressbar", { name: "activity-store, version 2, being built" });
    const text = "50%, 500 of 1,000 records, 8 per second, 1 min left";
    const shown = () => bar.evaluateAll(([found]) => found?.getAttribute("aria-valuetext") ?? null);
    await refreshedUntil(shown).toBe(text);
    await page.setViewportSize({ width: 1280, height: 1500 });
    await keep("rebuild");
    const ofProxy = { status: 421, contentType: "text/html", body: "<h1>Misdirected</h1>" };
    await page.route("**/admin/v1/operations", (route) => route.fulfill(ofProxy));
    await expect.poll(() => page.textContent("main")).toContain("The service can't be reached.");
    await page.unroute("**/admin/v1/operations");
    const reason = "interrupted: the live version is as it was";
    await tellOfRebuild({ ...steps, step: "failed", reason });
    // Without a click: the page asks for as long as one runs, and after an answer that failed.
    await expect.poll(() => bar.count()).toBe(0);
    const row = table("Rebuilds").locator("tbody tr");
    await expect
      .poll(() => row.textContent())
      .toMatch(/^activity-store Version 2.*Failedinterrupted: the live/);
  });

  it("keep what came of a rebuild", async () => {
    const { page, keep } = operator;
    const data = ["--data", service.dataDirectory];
    const done = await runFeedctl(["rebuild", "content-index", ...data]);
    expect(done).toMatchObject({ code: 0 });
    const rows = table("Rebuilds").locator("tbody tr");
    await refreshedUntil(() => firstOf(rows)).toMatch(
      /^content-index Version 2.*Built.*The two agree.*Switched to\.$/,
    );
    const row = rows.first();
    await row.getByText("Report of content-index").click();
    await expect.poll(() => row.textContent()).toMatch(/articles: \d+/);
    await keep("rebuilds");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("say how the crawling of each source goes, pause one and crawl it again", async () => {
    const { page, keep, announced } = operator;
    const sources = table("Sources");
    const first = sources.locator("tbody tr").first();
    await expect.poll(() => first.textContent()).toMatch(/First crawlNot ended yet|Well/);
    const name = (await first.locator("td").first().textContent())?.split("http")[0] ?? "";
    await first.getByRole("button", { name: `Pause ${name}` }).click();
    await expect.poll(() => first.textContent()).toContain("Paused");
    await expect.poll(() => announced).toContain(`${name} is paused.`);
    await page.setViewportSize({ width: 1280, height: 2400 });
    await keep("sources");
    await page.setViewportSize({ width: 1280, height: 900 });
    await first.getByRole("button", { name: `Resume ${name}` }).click();
    await expect.poll(() => first.textContent()).not.toContain("Paused");
    await first.getByRole("button", { name: `Crawl again: ${name}` }).click();
    await expect.poll(() => announced.join()).toContain("is looked at again soon");
  });

  it("list records that were given up, to be discarded for a reason", async () => {
    const { page, keep } = operator;
    await expect.poll(() => page.textContent("main")).toContain("No record was given up.");
    await bury({ reason: "schema 99 is not registered", stage: "read-state.users" });
    const letter = table("Dead letters").locator("tbody tr");
    await reopenedUntil(letter).toContain("schema 99 is not registered");
    await page.getByRole("button", { name: "Discard letter 0" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Discard" });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Why").fill("Written by a test.");
    await keep("dead-letter");
    await confirm.click();
    await expect.poll(() => letter.textContent()).toContain("DiscardedWritten by a test.");
    await expect.poll(() => page.getByRole("button", { name: "Discard letter 0" }).count()).toBe(0);
  });

  it("replay a record through the projectors that run, and say what came of it", async () => {
    const { page, keep, confirm } = operator;
    const rows = table("Dead letters").locator("tbody tr");
    let asked = 0;
    /** Once more where no projector has answered in time. */
    const replay = async (): Promise<void> => {
      const button = rows.first().getByRole("button", { name: /^Replay letter/ });
      await button.click();
      await confirm("Replay");
      asked += 1;
      if ((await page.textContent("main"))?.includes("answered in time")) await replay();
    };
    await bury({ reason: "schema 98 is not registered", stage: "activity-store.contents" });
    await reopenedUntil(rows).toContain("schema 98 is not registered");
    await replay();
    await expect.poll(() => page.textContent("main")).toContain("was replayed and has its effect");
    await expect.poll(() => rows.first().textContent()).toContain("Replayed");
    await bury({ reason: "schema 97 is not registered", stage: "read-state.users" });
    await reopenedUntil(rows).toContain("schema 97 is not registered");
    await replay();
    const refused = "read-state.users refuses the record still.";
    await expect.poll(() => rows.first().textContent()).toContain(refused);
    const { data } = (await audit("dead-letter.replay-requested")) as { readonly data: object[] };
    expect(data).toHaveLength(asked);
    await page.setViewportSize({ width: 1280, height: 2100 });
    await keep("dead-letter-replayed");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("break no rule of axe", async () => {
    await expect.poll(() => operator.violations()).toEqual([]);
  });

  it("fit a phone, in Japanese and dark colours", async () => {
    const { page, open, overflows, keep } = operator;
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "日本語" }).click();
    await open("operations");
    await page.getByRole("heading", { name: "運用" }).waitFor();
    await page.getByRole("region", { name: "ソース", exact: true }).waitFor();
    await expect.poll(overflows).toBe(false);
    await keep("operations-phone-dark-ja");
  });

  it("are for operators alone", async () => {
    const person = {
      email: "admin@demo.example",
      role: "tenant_admin",
      tenant_id: "demo",
    } as const;
    await using tenant = await openConsole(service, browser);
    await tenant.page.goto(await addPerson(service, person));
    await tenant.page.getByRole("navigation").waitFor();
    await expect.poll(() => tenant.page.getByRole("link", { name: "Operations" }).count()).toBe(0);
    await tenant.open("operations");
    await expect.poll(() => tenant.page.textContent("main")).toContain("There is no such screen.");
    expect(await tenant.page.textContent("main")).not.toContain("Consumers of the log");
  });
});

describe("All of it", () => {
  it("broke no rule of its content security policy", () => {
    expect(operator.complaints).toEqual([]);
  });
});
