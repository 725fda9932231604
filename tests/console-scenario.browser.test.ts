import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

let service: DemoService;
let browser: Browser;
/** Of an editor of the demo tenant. */
let editor: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  editor = await openConsole(service, browser, { viewport: { width: 1440, height: 1000 } });
  const person = { email: "editor@demo.example", role: "editor", tenant_id: "demo" } as const;
  await editor.page.goto(await addPerson(service, person));
  await editor.page.getByRole("navigation").waitFor();
  await service.crawled();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const preview = () => editor.page.getByRole("region", { name: "Preview" });
const list = (name: string) => preview().getByRole("list", { name });
const edited = () => list("As edited").getByRole("listitem");
const rules = () => editor.page.getByRole("group", { name: "Boost and bury" });
const numberOf = (name: string | RegExp) => editor.page.getByRole("spinbutton", { name });
const status = () => preview().getByRole("status").textContent();
/** Opens a scenario; once more where an article came in between the two lists that are compared. */
async function openScenario(name: string): Promise<void> {
  await openUntilSame(editor, name, status, "The order is the same.");
}
async function openUntilSame(
  { open }: ConsolePage,
  name: string,
  standing: () => Promise<string | null>,
  same: string,
): Promise<void> {
  for (let isSame = false; !isSame;) {
    await open("account");
    await open(`tenants/demo/scenarios/${name}`);
    await expect.poll(standing).toMatch(/same|up|変わりません|上昇/);
    isSame = (await standing()) === same;
  }
}
/** Adds what is found first by a text; resolves to its name. */
async function add(group: string, kind: string | undefined, text: string, verb: string) {
  const fields = editor.page.getByRole("group", { name: group });
  if (kind !== undefined) await fields.getByLabel("What").selectOption(kind);
  await fields.getByLabel("Find").fill(text);
  const wanted = kind === "article" ? text : "";
  const button = fields.getByRole("button", { name: `${verb}: ${wanted}` }).first();
  const name = (await button.getAttribute("aria-label")) ?? "";
  await button.click();
  return name.replace(`${verb}: `, "");
}

describe("The preview of a scenario", () => {
  it("shows the latest version beside what is edited, the same while nothing is", async () => {
    await openScenario("home");
    const titles = await edited().allTextContents();
    expect(titles.length).toBeGreaterThan(5);
    await expect
      .poll(() => list("Version 1").getByRole("listitem").allTextContents())
      .toEqual(titles);
    await edited().first().getByText("Why").click();
    await expect.poll(() => edited().first().textContent()).toContain("freshness");
  });

  it("marks in words where each article went as a category is boosted", async () => {
    await add("Boost and bury", "category", "Sports", "Boost");
    await numberOf("Category: Sports").fill("20");
    await expect.poll(status).toMatch(/\d+ up, \d+ down/);
    await expect.poll(() => edited().allTextContents().then(String)).toMatch(/up from \d+/);
    const first = edited().first();
    await first.getByText("Why").click();
    await expect
      .poll(() => first.textContent())
      .toMatch(/boosted by the rule for its category \(×\s20\)/);
    await editor.keep("scenario-preview", rules());
  });

  it("puts an article first that is found by its words, and shows what a bury does", async () => {
    const third = await list("Version 1").getByRole("listitem").nth(2).getByRole("link");
    const title = (await third.textContent()) ?? "";
    const found = await add("Boost and bury", "article", title, "Bury");
    expect(found).toBe(title);
    await numberOf(`Article: ${title}`).fill("0.05");
    // Wherever it stands by now: new articles come in.
    const before = list("Version 1").getByRole("listitem").filter({ hasText: title });
    await expect.poll(() => before.textContent()).toMatch(/down to \d+|gone/);
    await rules()
      .getByRole("button", { name: `Remove Article: ${title}` })
      .click();
    await expect.poll(() => numberOf(`Article: ${title}`).count()).toBe(0);
  });

  it("says in the form what can't be previewed, and goes on when that is put right", async () => {
    const factor = numberOf("Category: Sports");
    await factor.fill("21");
    await expect.poll(() => rules().locator(".fault").count()).toBe(1);
    await expect.poll(status).toContain("can't be previewed");
    await factor.fill("20");
    await expect.poll(() => rules().locator(".fault").count()).toBe(0);
    await expect.poll(status).toMatch(/\d+ up/);
  });

  it("drops the answer to an older question, however late it comes", async () => {
    const { page } = editor;
    const { promise: answered, resolve: release } = Promise.withResolvers<void>();
    const limits: number[] = [];
    await page.route("**/scenarios/home/preview", async (route) => {
      const { settings } = route.request().postDataJSON() as {
        settings: { exploration_share: number };
      };
      limits.push(settings.exploration_share);
      if (settings.exploration_share === 0.5) await answered;
      await route.continue();
    });
    const share = page.getByLabel("Share of items to explore with");
    await share.fill("0.5");
    await expect.poll(() => limits).toEqual([0.5]);
    await share.fill("0");
    await expect.poll(status).toMatch(/\d+ up/);
    const shown = await edited().allTextContents();
    const late = page.waitForResponse((response) =>
      String(response.request().postData()).includes('"exploration_share":0.5'),
    );
    release();
    await (await late).finished();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    await expect.poll(() => edited().allTextContents()).toEqual(shown);
    await page.unroute("**/scenarios/home/preview");
  });

  it("is as a user sees it, and names an ID that can't be one", async () => {
    const user = preview().getByLabel("As this user");
    await user.fill("no such id");
    await expect.poll(() => preview().locator(".fault").count()).toBe(1);
    await user.fill("reader-1");
    await expect.poll(() => preview().locator(".fault").count()).toBe(0);
    await expect.poll(status).toMatch(/\d+ up/);
  });

  it("is saved as it was shown: rules, and a cap of one source", async () => {
    const { page } = editor;
    const source = await add("Caps of single sources", undefined, "e", "Add");
    await numberOf(`Source: ${source}`).fill("0.2");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect
      .poll(() => page.textContent("table"))
      .toContain("Boost and bury: – → Category: Sports × 20");
    await expect.poll(() => page.textContent("table")).toContain(`– → Source: ${source} × 0.2`);
    const { data } = (await admin(service, "/tenants/demo/scenarios/home")) as {
      readonly data: { readonly settings: object };
    };
    await expect.poll(() => preview().getByLabel("As this user").inputValue()).toBe("reader-1");
    expect(data.settings).toMatchObject({
      ranking_rules: [{ match: "category", id: "sports", factor: 20 }],
      source_caps: [{ id: expect.stringMatching(/^[a-z-]+$/), share: 0.2 }],
    });
  });

  it("shows for a push scenario what a job would choose", async () => {
    await openScenario("daily-push");
    await expect.poll(() => edited().count()).toBe(3);
    await add("Boost and bury", "category", "Food", "Boost");
    await numberOf("Category: Food").fill("20");
    await expect.poll(status).toMatch(/\d+ up/);
    await edited().first().getByText("Why").click();
    await expect.poll(() => edited().first().textContent()).toMatch(/its category \(×\s20\)/);
  });
});

describe("All of it", () => {
  it("can be worked by keyboard: a rule is added without a mouse, and Enter saves nothing", async () => {
    const { page } = editor;
    await openScenario("latest");
    await rules().getByLabel("What").selectOption("source");
    await rules().getByLabel("Find").focus();
    await page.keyboard.type("e");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const sources = numberOf(/^Source: /);
    await expect.poll(() => sources.count()).toBe(1);
    const isInFinder = () =>
      page.evaluate(() => document.activeElement?.closest(".finder") !== null);
    await expect.poll(isInFinder).toBe(true);
    await rules().getByRole("button", { name: "Remove Source: " }).press("Enter");
    await expect.poll(() => sources.count()).toBe(0);
    await expect.poll(isInFinder).toBe(true);
    await expect.poll(() => page.textContent("main")).toContain("Version 1");
  });

  it("says each change for some seconds, however soon after another it comes", async () => {
    const person = { email: "soon@demo.example", role: "editor", tenant_id: "demo" } as const;
    await using hasty = await openConsole(service, browser);
    const { page } = hasty;
    await page.clock.install();
    await page.goto(await addPerson(service, person));
    await page.getByRole("navigation").waitFor();
    await hasty.open("tenants/demo/scenarios/latest");
    const group = page.getByRole("group", { name: "Boost and bury" });
    await group.getByLabel("What").selectOption("category");
    await group.getByLabel("Find").fill("Sports");
    await group.getByRole("button", { name: "Boost: Sports" }).click();
    await expect.poll(() => hasty.announced).toHaveLength(1);
    await page.clock.fastForward(5_000);
    await group.getByRole("button", { name: "Remove Category: Sports" }).click();
    await expect.poll(() => hasty.announced).toHaveLength(2);
    await page.clock.fastForward(2_000);
    expect(await page.textContent(".announced")).toBe(hasty.announced[1]);
    await page.clock.fastForward(5_000);
    await expect.poll(() => page.textContent(".announced")).toBe("");
  });

  it.each([
    ["light", undefined],
    ["dark", ["color-contrast"]],
  ])("keeps to the rules of axe, in %s colours", async (theme, axeRules) => {
    const { page, open, violations } = editor;
    await open("account");
    await page.getByLabel("Colours").selectOption(theme);
    await openScenario("home");
    await rules().getByLabel("Find").fill("a");
    await edited().first().getByText("Why").click();
    await expect.poll(() => violations(axeRules)).toEqual([]);
  });

  it("fits a phone in Japanese, dark", async () => {
    const person = { email: "ed@demo.example", role: "editor", tenant_id: "demo" } as const;
    await using phone = await openConsole(service, browser, {
      locale: "ja-JP",
      viewport: PHONE,
      colorScheme: "dark",
    });
    await phone.page.goto(await addPerson(service, person));
    await phone.page.getByRole("navigation").waitFor();
    const panel = phone.page.getByRole("region", { name: "プレビュー" });
    const standing = () => panel.getByRole("status").textContent();
    await openUntilSame(phone, "home", standing, "順序は変わりません。");
    const pins = phone.page.getByLabel("固定する記事");
    const fourth = await panel.getByRole("listitem").nth(3).getByRole("link").getAttribute("href");
    await pins.fill(fourth?.split("/").at(-1) ?? "");
    await expect.poll(standing).toContain("上昇");
    await expect.poll(phone.overflows).toBe(false);
    const first = panel.getByRole("list", { name: "編集中の設定" }).getByRole("listitem").first();
    // The fourth, unless a new article has come in above it.
    const before = panel.getByRole("list").first().getByRole("link");
    const placeBefore = async () => {
      const addresses = await before.evaluateAll((links) =>
        links.map((link) => link.getAttribute("href")),
      );
      return addresses.indexOf(fourth) + 1;
    };
    await expect
      .poll(async () => (await first.textContent())?.includes(`${await placeBefore()}位から上昇`))
      .toBe(true);
    await first.getByText("理由").click();
    await expect.poll(() => first.textContent()).toContain("固定");
    await phone.keep("scenario-preview-phone-dark-ja", panel);
  });

  it("broke no rule of its content security policy", () => {
    expect(editor.complaints).toEqual([]);
  });
});
