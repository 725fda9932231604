import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

let service: DemoService;
let browser: Browser;
/** Of the demo tenant's administrator. */
let readers: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  readers = await openConsole(service, browser, { acceptDownloads: true });
  const person = { email: "admin@demo.example", role: "tenant_admin", tenant_id: "demo" } as const;
  await readers.page.goto(await addPerson(service, person));
  await readers.page.getByRole("navigation").waitFor();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const PROFILE = {
  interests: ["猫", "football"],
  language: "ja",
  area_names: ["渋谷"],
  area_level: "station",
};
const main = () => readers.page.textContent("main");

describe("Users", () => {
  it("are taken from a file of JSON Lines; a line with a fault is named and left out", async () => {
    const { page, open, keep } = readers;
    await open("tenants/demo/users");
    const lines = [
      { user_id: "tama", properties: PROFILE, followed_sources: ["nowhere"] },
      { user_id: "tama", properties: PROFILE },
      { user_id: "pochi", properties: { language: "en" } },
      { user_id: "kuro" },
    ];
    await page.getByLabel("File of JSON Lines").setInputFiles({
      name: "users.jsonl",
      mimeType: "application/x-ndjson",
      buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")),
    });
    await page.getByRole("button", { name: "Import" }).click();
    await expect.poll(main).toContain("3 of 4 lines were taken.");
    const faults = page.getByRole("region", { name: "Lines that were left out" });
    await expect
      .poll(() => faults.locator("tbody").textContent())
      .toContain("1/followed_sources/0");
    await keep("users-import");
  });

  it("are listed once the activity store knows them", async () => {
    const { page, keep } = readers;
    await expect
      .poll(async () => {
        await readers.reopen();
        return page.getByRole("row", { name: "tama" }).allTextContents();
      })
      .toEqual([expect.stringContaining("猫, football")]);
    await keep("users");
    await expect.poll(() => readers.violations()).toEqual([]);
  });

  it("are looked up by id: profile, sessions, and interests in words", async () => {
    const { page, keep } = readers;
    const start = { type: "session_start", user_id: "tama", session_id: "s-1" };
    const events = JSON.stringify({ events: [start] });
    expect((await service.call("/v1/events", { method: "POST", body: events })).status).toBe(202);
    await page.getByLabel("User ID").fill("tama");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("tama");
    const fact = (name: string) => page.locator(".facts div", { hasText: name }).locator("dd");
    await expect
      .poll(async () => {
        await readers.reopen();
        return fact("Sessions").textContent();
      })
      .toBe("1");
    await expect
      .poll(() => fact("Interests").locator(".badge").allTextContents())
      .toEqual(["猫", "football"]);
    await expect.poll(() => fact("Areas").textContent()).toBe("渋谷  (stations)");
    await expect.poll(() => fact("Last active").textContent()).toContain("JST");
    const why = page.getByRole("region", { name: "Why this feed" }).locator("tbody tr");
    await expect.poll(() => why.first().textContent()).toMatch(/^1.*relevance 0.*freshness 0/);
    await keep("user");
    await expect.poll(() => readers.violations()).toEqual([]);
  });

  it("who are not there are said not to be", async () => {
    await readers.open("tenants/demo/users/nobody-here");
    await expect.poll(main).toContain("No user of this tenant has this ID.");
    await expect
      .poll(() => readers.page.getByRole("button", { name: "Delete user" }).count())
      .toBe(0);
  });

  it("are exported as JSON Lines", async () => {
    const { page, open } = readers;
    await open("tenants/demo/users");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as JSON Lines" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("demo-users.jsonl");
    const chunks = (await download.createReadStream()).setEncoding("utf8").toArray();
    const users = (await chunks).join("").trim().split("\n");
    const ids = users.map((line) => (JSON.parse(line) as { user_id: string }).user_id);
    expect(ids).toContain("tama");
  });

  it("are deleted for good once their id is typed", async () => {
    const { page, open, announced } = readers;
    await open("tenants/demo/users/pochi");
    await page.getByRole("button", { name: "Delete user" }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Delete user" });
    await dialog.getByRole("textbox").fill("poch");
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("pochi");
    await readers.confirm("Delete user");
    await expect.poll(() => announced).toContain("The user is deleted.");
    await expect.poll(async () => (await service.call("/v1/users/pochi")).status).toBe(404);
  });

  it("are read by a viewer in Japanese on a phone, who can neither export nor delete them", async () => {
    const person = { email: "eve@demo.example", role: "viewer", tenant_id: "demo" } as const;
    const options = { locale: "ja-JP", viewport: PHONE, colorScheme: "dark" } as const;
    await using viewer = await openConsole(service, browser, options);
    await viewer.page.goto(await addPerson(service, person));
    await viewer.page.getByRole("navigation").waitFor();
    await viewer.open("tenants/demo/users");
    await viewer.page.getByRole("heading", { name: "すべてのユーザー" }).waitFor();
    await expect
      .poll(() => viewer.page.getByRole("link", { name: "エクスポート" }).count())
      .toBe(0);
    await viewer.open("tenants/demo/users/tama");
    await viewer.page.getByText("猫").waitFor();
    await expect
      .poll(() => viewer.page.getByRole("button", { name: "ユーザーを削除" }).count())
      .toBe(0);
    await expect.poll(viewer.overflows).toBe(false);
    await viewer.keep("user-phone-dark-ja");
  });
});

describe("Push jobs", () => {
  const order = async (body: object) => {
    const [scenario] = service.facts.scenarios.push;
    const answer = await service.call("/v1/push-candidates", {
      method: "POST",
      body: JSON.stringify({ scenario, ...body }),
    });
    expect(answer.status).toBe(202);
    return ((await answer.json()) as { readonly job_id: string }).job_id;
  };
  /** 200; 409 where it has ended. Where it is recorded and not seen yet, 503: then it is asked once more. */
  const statusOfCancelling = async (job: string) =>
    (await service.call(`/v1/push-candidates/${job}/cancel`, { method: "POST" })).status;
  let byConditions: string;

  it("are followed to their end, with counters and a funnel to the audience", async () => {
    const { page, open, keep } = readers;
    byConditions = await order({ target_mode: "condition", conditions: { last_active_days: 30 } });
    await open(`tenants/demo/push/${byConditions}`);
    await page.getByRole("heading", { name: "From all users to the audience" }).waitFor();
    const bar = page.getByRole("progressbar", { name: "Progress" });
    await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe("100%");
    const fact = (name: string) => page.locator(".facts div", { hasText: name }).locator("dd");
    await expect.poll(() => fact("Users in the audience").textContent()).toBe("1");
    const funnel = page.getByRole("region", { name: "From all users to the audience" });
    const steps = async () =>
      (await funnel.locator("tbody tr").allTextContents()).map((text) => text.trim());
    await expect
      .poll(steps)
      .toEqual(["All users2100%", "Left out: never active150%", "Audience150%"]);
    await page.getByRole("button", { name: "Show sample rows" }).click();
    const rows = page.getByRole("region", { name: "The first rows" });
    await expect.poll(() => rows.locator("tbody tr").first().textContent()).toMatch(/^tama./);
    await keep("push-job");
    await expect.poll(() => readers.violations()).toEqual([]);
  });

  it("have a result to download", async () => {
    const [download] = await Promise.all([
      readers.page.waitForEvent("download"),
      readers.page.getByRole("link", { name: "Download the result" }).click(),
    ]);
    const chunks = (await download.createReadStream()).setEncoding("utf8").toArray();
    expect(JSON.parse((await chunks).join(""))).toMatchObject({ user_id: "tama" });
  });

  it("are listed, those that run with how far they are, and cancelled after asking", async () => {
    const { page, open, keep } = readers;
    // Beside others of its size, with which it shares the threads: more than is done before the job is cancelled.
    const user_ids = Array.from({ length: 100_000 }, (_, at) => `reader-${at}`);
    const jobs: string[] = [];
    while (jobs.length < 4) jobs.push(await order({ target_mode: "manual", user_ids }));
    const running = jobs.pop() ?? "";
    await open("tenants/demo/push");
    const row = page.getByRole("row", { name: running });
    await expect.poll(() => row.textContent()).toMatch(/Named users(Queued|Running)/);
    await keep("push-jobs");
    await row.getByRole("link").click();
    await page.getByRole("button", { name: "Cancel job" }).click();
    await readers.confirm("Cancel job");
    await expect.poll(main).toContain("The job failed: It was cancelled.");
    await expect.poll(() => page.getByRole("button", { name: "Cancel job" }).count()).toBe(0);
    await page.getByRole("link", { name: "All jobs" }).click();
    await expect.poll(() => row.textContent()).toContain("Failed");
    await expect.poll(() => page.getByRole("row").last().textContent()).toContain(byConditions);
    for (const job of jobs) await expect.poll(() => statusOfCancelling(job)).toBeOneOf([200, 409]);
  });

  it("stay listed as far as they were asked for, while the list asks again by itself", async () => {
    const { page, open } = readers;
    let asked = 0;
    // Pages of one job: two are more than one. And one that goes on for as long as it is looked at.
    await page.route("**/push-candidates*", async (route) => {
      asked += 1;
      const url = new URL(route.request().url());
      url.searchParams.set("limit", "1");
      const response = await route.fetch({ url: url.href });
      const answer = (await response.json()) as { readonly data: readonly object[] };
      const data = answer.data.map((job) => ({ ...job, status: "processing" }));
      await route.fulfill({ response, json: { ...answer, data } });
    });
    await open(`tenants/demo/push/${byConditions}`);
    await page.getByRole("link", { name: "All jobs" }).click();
    await page.getByRole("button", { name: "Show more" }).click();
    const jobs = page.locator("tbody tr");
    await expect.poll(() => jobs.count()).toBe(2);
    const askedBefore = asked;
    await expect.poll(() => asked).toBeGreaterThanOrEqual(askedBefore + 3);
    await expect.poll(() => jobs.count()).toBe(2);
    await page.unrouteAll({ behavior: "wait" });
  });

  it("fit a phone", async () => {
    const { page, open, overflows } = readers;
    await page.setViewportSize(PHONE);
    await open(`tenants/demo/push/${byConditions}`);
    await page.getByRole("heading", { name: "From all users to the audience" }).waitFor();
    await expect.poll(overflows).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe("All of it", () => {
  it("broke no rule of its content security policy", () => {
    expect(readers.complaints).toEqual([]);
  });
});
