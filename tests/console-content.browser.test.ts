import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

let service: DemoService;
let browser: Browser;
/** Of the operator. */
let operator: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  operator = await openConsole(service, browser);
  await operator.page.goto(service.facts.sign_in_url);
  await operator.page.getByRole("navigation").waitFor();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const main = () => operator.page.textContent("main");
/** What the tenant's backend is answered for an article. */
const statusOf = async (id: string) => (await service.call(`/v1/contents/${id}`)).status;

describe("Articles", () => {
  let id: string;
  let title: string;

  it("are found by the words of a title", async () => {
    const feed = await service.call("/v1/feed?limit=1");
    const { data } = (await feed.json()) as {
      readonly data: readonly { id: string; title: string }[];
    };
    ({ id, title } = data[0] ?? { id: "", title: "" });
    const { page, open, keep } = operator;
    await open("tenants/demo/content");
    await page.getByRole("heading", { name: "The newest articles" }).waitFor();
    await page.getByLabel("Words, or an article's ID").fill(title);
    await page.keyboard.press("Enter");
    const first = page.getByRole("region", { name: `Articles for “${title}”` }).locator("tbody tr");
    await expect.poll(() => first.first().textContent()).toContain(title);
    await keep("content");
    await first.first().getByRole("link").click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
  });

  it("are shown with every field the tenant's backend gets", async () => {
    const { page, keep } = operator;
    const answer = await service.call(`/v1/contents/${id}`);
    const { data } = (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> };
    for (const name of ["id", "title", "url", "canonical_url", "summary", "body_excerpt"])
      await expect.poll(main).toContain(data[name]);
    const picture = page.locator("img.picture");
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await keep("article");
    await expect.poll(() => operator.violations()).toEqual([]);
  });

  it("are withheld from the tenant after asking, and released again", async () => {
    const { page } = operator;
    await expect.poll(() => statusOf(id)).toBe(200);
    const press = async (name: string) => {
      await page.getByRole("button", { name }).click();
      await page.getByRole("dialog").getByRole("button", { name }).click();
    };
    await press("Withhold");
    await expect.poll(main).toContain("Withheld");
    await expect.poll(() => statusOf(id)).toBe(404);
    await press("Release");
    await expect.poll(main).toContain("Delivered");
    await expect.poll(() => statusOf(id)).toBe(200);
  });

  it("are taken down for everybody by operators alone", async () => {
    const person = { email: "ed@demo.example", role: "editor", tenant_id: "demo" } as const;
    await using editor = await openConsole(service, browser, { locale: "ja-JP", viewport: PHONE });
    await editor.page.goto(await addPerson(service, person));
    await editor.page.getByRole("navigation").waitFor();
    await editor.open(`tenants/demo/content/${id}`);
    await editor.page.getByRole("button", { name: "配信を停止" }).waitFor();
    await expect
      .poll(() => editor.page.getByRole("button", { name: "完全に取り下げ" }).count())
      .toBe(0);
    await expect.poll(editor.overflows).toBe(false);
    await editor.keep("article-phone-ja");

    const { page } = operator;
    await page.getByRole("button", { name: "Take down" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Content");
    await expect.poll(() => statusOf(id)).toBe(404);
    await operator.open(`tenants/demo/content/${id}`);
    await expect
      .poll(async () => {
        await operator.reopen();
        return main();
      })
      .toContain("There is no such article");
  });
});

describe("Licences", () => {
  it("are switched by source, and hold for the tenant's backend", async () => {
    const { page, open, keep, announced } = operator;
    const sources = async () =>
      (
        (await (await service.call("/v1/sources")).json()) as {
          readonly data: readonly { readonly name: string; readonly licence: string }[];
        }
      ).data;
    const [source] = (await sources()).filter(({ licence }) => licence !== "none");
    const name = source?.name ?? "";
    await open("tenants/demo/content");
    await page.getByRole("region", { name: "The newest articles" }).waitFor();
    const choice = page.getByLabel(`Licence for ${name}`);
    await choice.selectOption("none");
    await expect.poll(() => announced).toContain(`The licence for ${name} is in force.`);
    const licence = async () => (await sources()).find((each) => each.name === name)?.licence;
    await expect.poll(licence).toBe("none");
    await page.setViewportSize({ width: 1280, height: 2300 });
    await keep("licences");
    await expect.poll(() => operator.violations()).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await choice.selectOption("body");
    await expect.poll(licence).toBe("body");
    const byDefault = choice.locator("option").first();
    await expect.poll(() => byDefault.textContent()).toMatch(/^Tenant's default: /);
    await choice.selectOption(await byDefault.getAttribute("value"));
    await expect.poll(licence).not.toBe("body");
    await expect.poll(() => choice.inputValue()).toBe("default");
    await choice.selectOption("body");
    await expect.poll(licence).toBe("body");
  });
});

describe("All of it", () => {
  it("broke no rule of its content security policy", () => {
    expect(operator.complaints).toEqual([]);
  });
});
