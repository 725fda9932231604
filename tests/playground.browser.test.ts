import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { NOT_YET, REFUSAL } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

/** Set to keep pictures of the pages in docs/screenshots. */
const KEEP_SCREENSHOTS = process.env["KEEP_SCREENSHOTS"] !== undefined;
const SCREENSHOTS = resolve(import.meta.dirname, "../docs/screenshots");
const VIEWPORT = { width: 1280, height: 900 };

let service: DemoService;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  page = await browser.newPage({ viewport: VIEWPORT });
  page.on("console", (message) => {
    if (message.type() === "error" && !REFUSAL.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  // Articles with a body and without, and more of them than fill a page.
  await service.crawled();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const cardIds = () =>
  page
    .locator(".card")
    .evaluateAll((cards) => cards.map((card) => card.getAttribute("data-content-id")));
const keep = async (name: string) => {
  if (!KEEP_SCREENSHOTS) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.waitForFunction(() =>
    [...document.images].every(({ naturalWidth }) => naturalWidth > 0),
  );
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
};

/** Presses a button until its effect is there: once more where it is recorded and not seen yet, as the page then says. */
async function press(button: Locator, hasEffect: () => Promise<boolean>): Promise<void> {
  await button.click();
  const isDone = async () => {
    if (NOT_YET.test((await page.locator("#status").textContent()) ?? "")) await button.click();
    return hasEffect();
  };
  await expect.poll(isDone).toBe(true);
}

/** The page as its reader has it, with the article open. */
async function gotoArticle(item: Item | undefined): Promise<void> {
  const address = new URL(page.url());
  address.searchParams.set("article", item?.id ?? "none");
  await page.goto(address.href);
}

interface Item {
  readonly id: string;
  readonly source: { readonly name: string };
  readonly content_body?: string;
}

describe("The playground", () => {
  it("shows the generic feed as cards with pictures, each saying why it is there", async () => {
    await page.goto(`${service.facts.base_url}/playground`);
    await page.locator(".card").nth(5).waitFor();
    const whys = await page.locator(".card .why p:first-child").allTextContents();
    expect(whys.every((why) => why.startsWith("Here because it is "))).toBe(true);
    await expect
      .poll(() =>
        page
          .locator(".card img")
          .first()
          .evaluate((picture: HTMLImageElement) => picture.naturalWidth),
      )
      .toBeGreaterThan(100);
  });

  it("makes a reader, whose click takes the article out of the next feed", async () => {
    const isKnown = async () => (await page.getByText("user_id").count()) === 1;
    await press(page.getByRole("button", { name: "New reader" }), isKnown);
    await page.locator(".card [data-action=like]").first().waitFor();
    const [clicked] = await cardIds();
    await page.locator(".card h3 button").first().click();
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(cardIds).not.toContain(clicked);
    await expect
      .poll(() => page.locator(".card .why").allTextContents())
      .toContainEqual(expect.stringContaining("like “"));
    await keep("playground");
  });

  it("opens a licensed article as HTML with its pictures and as Markdown, with its source", async () => {
    const asked = await service.call("/v1/feed?limit=50&include_body=true&body_format=html");
    const { data } = (await asked.json()) as { readonly data: readonly Item[] };
    const withPicture = data.find(({ content_body }) => content_body?.includes("<img")) ?? data[0];
    await gotoArticle(withPicture);
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.locator(".body p").count()).toBeGreaterThan(1);
    const picture = dialog.locator(".body img").first();
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(100);
    await expect
      .poll(() => dialog.locator("footer").textContent())
      .toContain(withPicture?.source.name);
    await keep("playground-article");
    await dialog.getByRole("button", { name: "Markdown" }).click();
    await expect.poll(() => dialog.locator(".markdown").textContent()).toContain("](http");
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  it("opens the excerpt of an article whose body is not licensed", async () => {
    const asked = await service.call("/v1/feed?limit=100&include_body=true");
    const { data } = (await asked.json()) as { readonly data: readonly Item[] };
    const unlicensed = data.find(({ content_body }) => content_body === undefined);
    await gotoArticle(unlicensed);
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.textContent()).toContain("licence has no body");
    await expect.poll(() => dialog.getByRole("button", { name: "Markdown" }).count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("follows a source, and a blocked source leaves the feed at once", async () => {
    const source = (await page.locator(".card .meta b").first().textContent()) ?? "";
    const named = page.locator(".meta b").getByText(source, { exact: true });
    const card = page.locator(".card").filter({ has: named }).first();
    const follows = async () =>
      (await page.locator("#profile").textContent())?.includes(source) === true;
    await press(card.getByRole("button", { name: "Follow source" }), follows);
    const shown = () => page.locator(".card .meta b").allTextContents();
    const isGone = async () => !(await shown()).includes(source);
    await press(card.getByRole("button", { name: "Block source" }), isGone);
    expect(await shown()).not.toContain(source);
  });

  it("goes on to further pages without showing an article twice", async () => {
    await page.getByRole("button", { name: "More" }).click();
    await expect.poll(async () => (await cardIds()).length).toBeGreaterThan(12);
    const ids = await cardIds();
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is usable on a phone, and breaks no rule of its content security policy", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".card").first().waitFor();
    const overflows = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    expect(overflows).toBe(false);
    await keep("playground-phone");
    await page.setViewportSize(VIEWPORT);
    expect(complaints).toEqual([]);
  });
});

describe("The API documentation", () => {
  it("lists the operations of the served document", async () => {
    await page.goto(`${service.facts.base_url}/docs/api`);
    await page.locator(".opblock").nth(8).waitFor();
    await keep("api-docs");
    expect(complaints).toEqual([]);
  });

  it("has a page for each problem type", async () => {
    await page.goto(`${service.facts.base_url}/probs/rate-limit`);
    await expect.poll(() => page.locator("h1").textContent()).toBe("Rate Limit Exceeded");
  });
});
