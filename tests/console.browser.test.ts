import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

const PASSWORD = "correct horse battery";

let service: DemoService;
let browser: Browser;
let operator: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  operator = await openConsole(service, browser);
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const headingOf = ({ page }: ConsolePage) => page.getByRole("heading", { level: 1 });

describe("The console's files", () => {
  const get = (path: string) => fetch(`${service.facts.base_url}${path}`, { redirect: "manual" });

  it("allow nothing inline and nothing from elsewhere, and keep only what never changes", async () => {
    const index = await get("/console/");
    const policy = index.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain("unsafe");
    expect(index.headers.get("cache-control")).toBe("no-cache");
    const html = await index.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|https?:\/\//);
    const [asset = ""] = /\/console\/assets\/[\w-]+\.js/.exec(html) ?? [];
    expect((await get(asset)).headers.get("cache-control")).toBe(
      "public, max-age=31536000, immutable",
    );
  });

  it("are found without the slash, and nothing else is", async () => {
    expect((await get("/console")).headers.get("location")).toBe("/console/");
    expect((await get("/console/assets/nothing.js")).status).toBe(404);
  });
});

describe("Signing in", () => {
  it("by the link the demo prints takes the token out of the address", async () => {
    const { page } = operator;
    await page.goto(service.facts.sign_in_url);
    await page.getByRole("navigation").waitFor();
    await expect.poll(() => page.url()).toBe(`${service.facts.base_url}/console/#/`);
    await expect.poll(() => page.getByRole("navigation").textContent()).toContain("Demo operator");
  });

  it("by a link that was used says what to do", async () => {
    await using other = await openConsole(service, browser);
    await other.page.goto(service.facts.sign_in_url);
    await expect.poll(() => other.page.textContent("main")).toContain("This link has been used");
  });

  it("by a password works once one is set; a wrong one is refused in words", async () => {
    const { page, open, keep } = operator;
    await open("account");
    await page.getByLabel("New password").waitFor();
    await keep("account");
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("breaks a rule");
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByLabel("Current password").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("E-mail address").fill("operator@demo.example");
    await page.getByLabel("Password").fill("incorrect horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("is wrong");
    await expect.poll(() => page.textContent("main")).not.toContain("Your session has ended");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation").waitFor();
  });

  it("is asked for again where the session has ended elsewhere", async () => {
    const email = "leaver@demo.example";
    const link = await addPerson(service, { email, role: "viewer", tenant_id: "demo" });
    await using leaver = await openConsole(service, browser);
    await leaver.page.goto(link);
    await leaver.page.getByRole("navigation").waitFor();
    const { data } = (await admin(service, "/people?tenant_id=demo")) as {
      readonly data: readonly { readonly person_id: string; readonly email: string }[];
    };
    const id = data.find((person) => person.email === email)?.person_id;
    await admin(service, `/people/${id}`, "PATCH", { status: "disabled" });
    await expect
      .poll(async () => {
        await leaver.open("tenants/demo/keys");
        await leaver.open("tenants/demo/billing");
        return leaver.page.textContent("main");
      })
      .toContain("Your session has ended.");
  });
});

describe("The shell", () => {
  it("is read in Japanese or English, and in light or dark colours, and keeps the choice", async () => {
    const { page, open } = operator;
    await open("account");
    await page.getByRole("button", { name: "日本語" }).click();
    await expect.poll(() => headingOf(operator).textContent()).toBe("アカウント");
    await page.getByLabel("配色").selectOption("dark");
    await page.reload();
    await expect.poll(() => headingOf(operator).textContent()).toBe("アカウント");
    await expect.poll(() => page.getAttribute("html", "lang")).toBe("ja");
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(background).toBe("rgb(18, 23, 26)");
    await page.getByLabel("配色").selectOption("system");
    await expect.poll(background).toBe("rgb(245, 247, 248)");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(background).toBe("rgb(18, 23, 26)");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "English" }).click();
  });

  it("begins with a way past the navigation, and puts the focus on a screen's heading", async () => {
    const { page, open } = operator;
    await open("account");
    await page.reload();
    await headingOf(operator).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.getByRole("link", { name: "Skip to the content" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    expect(page.url()).toContain("#/account");
  });

  it("offers operators every tenant, and everybody else the own one", async () => {
    await admin(service, "/tenants/acme", "PUT", { name: "Acme News" });
    const { page, open } = operator;
    await open("");
    await page.reload();
    await page.getByLabel("Tenant").selectOption({ label: "Acme News" });
    await expect.poll(() => page.url()).toContain("#/tenants/acme/");
    const link = await addPerson(service, {
      email: "viewer@acme.example",
      role: "viewer",
      tenant_id: "acme",
    });
    await using viewer = await openConsole(service, browser);
    await viewer.page.goto(link);
    await viewer.page.getByRole("navigation").waitFor();
    await expect
      .poll(() => viewer.page.getByRole("navigation").textContent())
      .toContain("Acme News");
    await expect.poll(() => viewer.page.getByLabel("Tenant").count()).toBe(0);
    await viewer.open("tenants/demo/overview");
    const shown = () => viewer.page.textContent("main");
    await expect.poll(shown).toContain("There is no such screen.");
    expect(await viewer.page.textContent("body")).not.toContain("Demo tenant");
    await page.getByLabel("Tenant").selectOption({ label: "Demo tenant" });
    await expect.poll(() => page.url()).toContain("#/tenants/demo/");
    await page.getByRole("link", { name: "Account" }).click();
    await expect.poll(() => headingOf(operator).textContent()).toBe("Account");
    await expect.poll(() => page.getByLabel("Tenant").inputValue()).toBe("demo");
  });

  it("fits a phone, where the screens are behind a button", async () => {
    const { page, open, overflows, keep } = operator;
    await open("account");
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.getByRole("link", { name: "Account" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await keep("phone-menu");
    await page.getByRole("link", { name: "Account" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Account" }).isVisible()).toBe(false);
    await expect.poll(overflows).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

/** Makes feeds until one is answered so. Those that come to nothing are free. */
const feedIsAnswered = (status: number) =>
  expect.poll(async () => (await service.call("/v1/feed?limit=1")).status).toBe(status);

/** Of rows that name a day and give a figure to each endpoint: feeds of one minute may lie on two days. */
function sumOfDays(rows: readonly string[]) {
  const figures = rows.map((row) => Array.from(row.slice("2026-01-01".length), Number));
  const sumAt = (column: number) => figures.reduce((sum, row) => sum + (row[column] ?? 0), 0);
  return { feeds: sumAt(0), articles: sumAt(1), push: sumAt(2), all: sumAt(3) };
}

describe("The overview", () => {
  it("says what is used of plan and cap, by day, and when the count begins anew", async () => {
    const plan = { included_credits: 100, unit_price: 2.5, currency: "JPY" };
    await admin(service, "/tenants/demo", "PATCH", { plan });
    await admin(service, "/tenants/demo/usage-cap", "PUT", { credits: 10 });
    for (let count = 0; count < 7; count += 1) await feedIsAnswered(200);
    const { page, open, reopen, keep } = operator;
    await open("tenants/demo/overview");
    await expect
      .poll(async () => {
        await reopen();
        // The first feed is the one the demo makes to print an article's id.
        const cap = await page.getByRole("progressbar").nth(1).getAttribute("aria-valuetext");
        const days = await page.locator("tbody tr").allTextContents();
        return [cap, sumOfDays(days), await page.locator(".chart canvas").count()];
      })
      .toEqual(["8 of 10 (80%)", { feeds: 8, articles: 0, push: 0, all: 8 }, 1]);
    await expect
      .poll(() => page.textContent("main"))
      .toContain("80 % of the cap of 10 credits, or more");
    await expect.poll(() => page.textContent("main")).toMatch(/Next reset.* 1, .*12:00\sAM JST/);
    await page.getByText("The numbers as a table").click();
    await expect
      .poll(() => page.getByRole("columnheader", { name: "Feeds" }).isVisible())
      .toBe(true);
    await keep("overview");
  });

  it("leads to the screen where something can be done", async () => {
    const { page } = operator;
    await page.getByRole("link", { name: "Open" }).first().click();
    await expect.poll(() => headingOf(operator).textContent()).toBe("Billing");
  });
});

describe("Billing", () => {
  it("sets a cap that stops feeds, after asking, and lifts it again", async () => {
    const { page, open, keep, confirm, announced } = operator;
    await open("tenants/demo/billing");
    await page.getByLabel("Credits a month").fill("8");
    await page.getByRole("button", { name: "Set cap" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.textContent()).toContain("More than that is used already");
    await confirm("Set cap");
    await expect.poll(() => announced).toContain("The cap is in force.");
    await feedIsAnswered(402);
    await expect.poll(() => page.textContent("main")).toContain("The cap is 8 credits");
    await keep("billing");
    await page.getByRole("button", { name: "Lift cap" }).click();
    await confirm("Lift cap");
    await expect.poll(() => page.textContent("main")).toContain("There is no cap.");
    await feedIsAnswered(200);
  });

  it("shows plan, price, and earlier months", async () => {
    const { page } = operator;
    await expect
      .poll(() => page.textContent("main"))
      .toContain("Price of a credit beyond the plan¥2.5");
    await page.getByLabel("Month", { exact: true }).selectOption({ index: 1 });
    await expect.poll(() => page.textContent("main")).toContain("Nothing was used in this month.");
  });

  it("lets a viewer read, and change nothing", async () => {
    const person = { email: "reader@demo.example", role: "viewer", tenant_id: "demo" } as const;
    await using viewer = await openConsole(service, browser, { locale: "ja-JP", viewport: PHONE });
    await viewer.page.goto(await addPerson(service, person));
    await viewer.page.getByRole("navigation").waitFor();
    await viewer.open("tenants/demo/billing");
    await expect
      .poll(() => viewer.page.textContent("main"))
      .toContain("テナントの管理者が設定します");
    await expect
      .poll(() => viewer.page.getByRole("button", { name: "上限を設定" }).count())
      .toBe(0);
    await viewer.page.locator(".chart canvas").waitFor();
    await expect.poll(viewer.overflows).toBe(false);
    await viewer.page.getByLabel("配色").selectOption("dark");
    await viewer.keep("billing-phone-dark-ja");
    expect(viewer.complaints).toEqual([]);
  });
});

describe("The audit log", () => {
  const rows = () => operator.page.locator("tbody tr");

  it("says who changed what, newest first, with what it is from then on", async () => {
    const { open, keep } = operator;
    await open("tenants/demo/audit");
    await rows().first().waitFor();
    const lifted = rows().filter({ hasText: "Usage cap set" }).first();
    await expect.poll(() => lifted.textContent()).toContain("operator@demo.example");
    await lifted.getByText("Details").click();
    await expect.poll(() => lifted.locator("pre").textContent()).toContain('"credits": null');
    await keep("audit");
  });

  it("is filtered", async () => {
    const { page } = operator;
    await page.getByLabel("What").selectOption("usage-cap.set");
    await page.getByLabel("By", { exact: true }).fill("admin-api");
    await page.getByRole("button", { name: "Show" }).click();
    const isOfAdmin = (row: string) => row.includes("admin-api") && row.includes("Usage cap set");
    await expect
      .poll(async () => new Set((await rows().allTextContents()).map(isOfAdmin)))
      .toEqual(new Set([true]));
    await page.getByLabel("Before (JST)").fill("2026-01-01T00:00");
    await page.getByRole("button", { name: "Show" }).click();
    await expect.poll(() => page.textContent("main")).toContain("Nothing was recorded that fits.");
    await page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => rows().count()).toBeGreaterThan(5);
  });

  it("is downloaded as JSON Lines", async () => {
    const { page } = operator;
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download as JSON Lines" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
    expect(lines.length).toBeGreaterThan(5);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ tenant_id: "demo" });
  });
});

describe("All of it", () => {
  it("broke no rule of its content security policy", () => {
    expect(operator.complaints).toEqual([]);
  });
});
