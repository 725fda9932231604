import type { ReadModelRebuildStep } from "@feed/domain/operating-facts";
import { openLog } from "@feed/engines/open-log";
import { createFactCodec } from "@feed/event-codec";
import { waitFor } from "@feed/test-kit";
import { runFeedctl } from "@feed/test-kit/service-process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

const FIRST_CRAWL_TIMEOUT_MS = 200_000;

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
  await waitFor(isCrawled, { timeoutMs: FIRST_CRAWL_TIMEOUT_MS });
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
  await eventLog.append([{ ...place, value, timestampMs: told.atMs }]);
}

const audit = (kind: string) => admin(service, `/audit?kind=${kind}`);

interface SourcesAnswer {
  readonly data: readonly { readonly health: { readonly status: string } }[];
}

/** Whether the crawler has been once through every source. */
async function isCrawled(): Promise<boolean> {
  const { data } = (await admin(service, "/sources")) as SourcesAnswer;
  return data.length > 0 && data.every(({ health }) => health.status !== "new");
}

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
    const atMs = Date.now();
    const steps = { readModel: "activity-store", version: 2, done: 500, total: 1_000 } as const;
    await tellOfRebuild({ ...steps, step: "building", startedAtMs: atMs - 60_000, atMs });
    await page.getByRole("button", { name: "Refresh" }).click();
    const bar = page.getByRole("progressbar", { name: "activity-store, version 2, being built" });
    const text = "50%, 500 of 1,000 records, 8 per second, 1 min left";
    await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe(text);
    await page.setViewportSize({ width: 1280, height: 1500 });
    await keep("rebuild");
    const ofProxy = { status: 421, contentType: "text/html", body: "<h1>Misdirected</h1>" };
    await page.route("**/admin/v1/operations", (route) => route.fulfill(ofProxy), { times: 1 });
    await expect.poll(() => page.textContent("main")).toContain("The service can't be reached.");
    const reason = "interrupted: the live version is as it was";
    await tellOfRebuild({ ...steps, step: "failed", startedAtMs: atMs - 60_000, atMs, reason });
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
    await page.getByRole("button", { name: "Refresh" }).click();
    const row = table("Rebuilds").locator("tbody tr").first();
    await expect
      .poll(() => row.textContent())
      .toMatch(/^content-index Version 2.*Built.*The two agree/);
    await expect.poll(() => row.textContent()).toMatch(/Switched to\.$/);
    await row.getByText("Report of content-index").click();
    await expect.poll(() => row.textContent()).toMatch(/articles: \d+/);
    await keep("rebuilds");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("say how the crawling of each source goes, pause one and crawl it again", async () => {
    const { page, keep } = operator;
    const sources = table("Sources");
    const first = sources.locator("tbody tr").first();
    await expect.poll(() => first.textContent()).toMatch(/First crawlNot ended yet|Well/);
    const name = (await first.locator("td").first().textContent())?.split("http")[0] ?? "";
    await first.getByRole("button", { name: `Pause ${name}` }).click();
    await expect.poll(() => first.textContent()).toContain("Paused");
    await expect.poll(() => page.textContent(".announced")).toBe(`${name} is paused.`);
    await page.setViewportSize({ width: 1280, height: 2400 });
    await keep("sources");
    await page.setViewportSize({ width: 1280, height: 900 });
    await first.getByRole("button", { name: `Resume ${name}` }).click();
    await expect.poll(() => first.textContent()).not.toContain("Paused");
    await first.getByRole("button", { name: `Crawl again: ${name}` }).click();
    await expect.poll(() => page.textContent(".announced")).toContain("is looked at again soon");
  });

  it("list records that were given up, to be discarded for a reason", async () => {
    const { page, keep } = operator;
    await expect.poll(() => page.textContent("main")).toContain("No record was given up.");
    await bury({ reason: "schema 99 is not registered", stage: "read-state.users" });
    await page.reload();
    const letter = table("Dead letters").locator("tbody tr");
    await expect.poll(() => letter.textContent()).toContain("schema 99 is not registered");
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
    const { page, keep } = operator;
    const rows = table("Dead letters").locator("tbody tr");
    const replay = async (): Promise<void> => {
      await rows
        .first()
        .getByRole("button", { name: /^Replay letter/ })
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    };
    await bury({ reason: "schema 98 is not registered", stage: "activity-store.contents" });
    await page.reload();
    await replay();
    await expect.poll(() => page.textContent("main")).toContain("was replayed and has its effect");
    await expect.poll(() => rows.first().textContent()).toContain("Replayed");
    await bury({ reason: "schema 97 is not registered", stage: "read-state.users" });
    await page.reload();
    await replay();
    const refused = "read-state.users refuses the record still.";
    await expect.poll(() => rows.first().textContent()).toContain(refused);
    const { data } = (await audit("dead-letter.replay-requested")) as { readonly data: object[] };
    expect(data).toHaveLength(2);
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
    await expect.poll(() => tenant.page.textContent("main")).not.toContain("Consumers of the log");
  });
});

describe("All of it", () => {
  it("broke no rule of its content security policy", () => {
    expect(operator.complaints).toEqual([]);
  });
});
