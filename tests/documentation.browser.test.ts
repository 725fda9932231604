import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../packages/client/src/testing/service.fixture.ts";
import { openBrowser } from "./browser.ts";
import { openWorkshop, snippetsOf, type Listening, type Workshop } from "./snippets.ts";

/** Goal: the pages of the documentation, and the page of the infinite scroll as printed, work in a browser. */
const WALK_ITEMS = 60;
const stack = new AsyncDisposableStack();
let browser: Browser;
let page: Page;
let feed: Listening;
let service: Service;

beforeAll(async () => {
  service = stack.use(await openService());
  const pages = ["recipes/proxy.md", "recipes/clicks.md"];
  const workshop: Workshop = stack.use(await openWorkshop(service, pages));
  feed = stack.use(await workshop.listen("recipes/proxy.md", "ts"));
  const clicks = stack.use(await workshop.listen("recipes/clicks.md", "ts"));
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const url = `http://127.0.0.1:${feed.port}/`;
  await context.addCookies([{ name: "session", value: "reader-9", url }]);
  page = await context.newPage();
  const [html = ""] = await snippetsOf("recipes/infinite-scroll.md", "html");
  const [listener = ""] = await snippetsOf("recipes/clicks.md", "js");
  const body = html.replace("</body>", `<script>${listener}</script></body>`);
  // What a backend of one's own would have under one address.
  await page.route(url, (route) => route.fulfill({ contentType: "text/html", body }));
  await page.route(`${url}clicks`, async (route) => {
    const response = await route.fetch({ url: `http://127.0.0.1:${clicks.port}/clicks` });
    await route.fulfill({ response });
  });
  await page.goto(url);
});
afterAll(async () => {
  await browser?.close();
  await stack.disposeAsync();
});

const titles = () => page.locator("article a").allTextContents();

describe("The page of the infinite scroll", () => {
  it("fills the screen, and does not ask for what is far below it", async () => {
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(9);
    expect((await titles()).length).toBeLessThan(WALK_ITEMS);
  });

  it("goes on while the reader scrolls, to the end, and shows no article twice", async () => {
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.locator("#end").textContent();
      })
      .toBe("That is all for now.");
    const shown = await titles();
    expect(shown).toHaveLength(WALK_ITEMS);
    expect(new Set(shown).size).toBe(WALK_ITEMS);
  });

  it("reports a click, which takes the article out of the next walk", async () => {
    const [clicked] = await titles();
    await page.evaluate(() =>
      document.addEventListener("click", (event) => event.preventDefault()),
    );
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/clicks")),
      page.locator("article a").first().click(),
    ]);
    expect(answer.status()).toBe(202);
    await expect
      .poll(async () => {
        const headers = { cookie: "session=reader-9" };
        const answer = await fetch(`http://127.0.0.1:${feed.port}/feed`, { headers });
        const { items } = (await answer.json()) as { items: { title: string }[] };
        return items.some(({ title }) => title === clicked);
      })
      .toBe(false);
  });
});

describe("The pages of the documentation", () => {
  it("fit a phone, each of them, and break no rule of their content security policy", async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const reader = await context.newPage();
    const complaints: string[] = [];
    reader.on("console", (message) => {
      if (message.type() === "error") complaints.push(`${reader.url()}: ${message.text()}`);
    });
    await reader.goto(`${service.baseUrl}/docs`);
    const addresses = await reader
      .locator("#contents a")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(addresses.length).toBeGreaterThan(50);
    const wide: string[] = [];
    for (const address of addresses.filter((each) => !each.endsWith("/docs/api"))) {
      await reader.goto(address, { waitUntil: "load" });
      const width = await reader.evaluate(() => document.documentElement.scrollWidth);
      if (width > 360) wide.push(`${address} is ${width} wide`);
    }
    expect({ wide, complaints }).toEqual({ wide: [], complaints: [] });
    await context.close();
  });

  it("are dark where the reader's screen is, and legible", async () => {
    const context = await browser.newContext({ colorScheme: "dark" });
    const reader = await context.newPage();
    await reader.goto(`${service.baseUrl}/docs/concepts`);
    const colours = () =>
      reader.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return { backgroundColor, color };
      });
    await expect
      .poll(() => colours())
      .toEqual({
        backgroundColor: "rgb(20, 23, 26)",
        color: "rgb(230, 232, 234)",
      });
    const drawing = reader.locator("img").first();
    await expect
      .poll(() => drawing.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(100);
    await context.close();
  });
});
