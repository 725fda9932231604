import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE, type ConsolePage } from "./console-page.ts";
import { startDemoService, type DemoService } from "./demo-service.ts";

let service: DemoService;
let browser: Browser;
/** Of the demo tenant's administrator. */
let settings: ConsolePage;

beforeAll(async () => {
  service = await startDemoService();
  browser = await openBrowser();
  settings = await openConsole(service, browser);
  const person = { email: "admin@demo.example", role: "tenant_admin", tenant_id: "demo" } as const;
  await settings.page.goto(await addPerson(service, person));
  await settings.page.getByRole("navigation").waitFor();
});

afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

/** What the API answers to a key. */
const statusOf = async (key: string) =>
  (await service.call("/v1/feed?limit=1", { headers: { authorization: `Bearer ${key}` } })).status;
/** The secret that the open dialog shows, after closing it. */
async function takenSecret(): Promise<string> {
  const dialog = settings.page.getByRole("dialog");
  const secret = (await dialog.locator(".secret code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Close" }).click();
  return secret;
}

describe("Keys", () => {
  let first: string;
  const row = (text: string) => settings.page.getByRole("row", { name: text });

  it("are made of a kind and for scopes, and shown once", async () => {
    const { page, open, keep } = settings;
    await open("tenants/demo/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Backend Tokyo");
    await page.getByLabel("push: push jobs").uncheck();
    await keep("key-new");
    await page.getByRole("button", { name: "Create key" }).click();
    first = await takenSecret();
    await expect.poll(() => statusOf(first)).toBe(200);
    await expect.poll(() => row("Backend Tokyo").textContent()).toContain("feed, users, events");
    await expect.poll(() => page.content()).not.toContain(first);
  });

  it("of the test kind are told from live ones", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Staging");
    await page.getByLabel("Kind").selectOption("test");
    await page.getByRole("button", { name: "Create key" }).click();
    expect(await takenSecret()).toMatch(/^cf_test_/);
    await expect.poll(() => row("Staging").textContent()).toContain("Test");
  });

  it("can't end in the past: the field says so", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Expires (JST)").fill("2020-01-01T00:00");
    await page.getByRole("button", { name: "Create key" }).click();
    await expect.poll(() => page.locator("dialog .fault").textContent()).toContain("future");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    const opener = page.getByRole("button", { name: "New key" });
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement))
      .toBe(true);
  });

  it("are rotated with an overlap, in which both work", async () => {
    const { page, keep } = settings;
    await page.getByRole("button", { name: "Rotate Backend Tokyo" }).click();
    await page.getByLabel("The present key works for").selectOption("1");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const second = await takenSecret();
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    const shown = () => row("Backend Tokyo").allTextContents();
    await expect.poll(shown).toHaveLength(2);
    await expect.poll(async () => (await shown()).join()).toMatch(/Until .* JST/);
    await keep("keys");
  });

  it("are revoked after asking", async () => {
    const { page } = settings;
    const ending = page.getByRole("row", { name: /Backend Tokyo.*Until/ });
    await ending.getByRole("button", { name: "Revoke Backend Tokyo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => statusOf(first)).toBe(200);
    await ending.getByRole("button", { name: "Revoke Backend Tokyo" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => row("Backend Tokyo").allTextContents()).toHaveLength(1);
    await expect.poll(() => statusOf(first)).toBe(401);
  });

  it("fit a phone", async () => {
    await settings.page.setViewportSize(PHONE);
    await expect.poll(settings.overflows).toBe(false);
    await settings.page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe("Scenarios", () => {
  /** Settings of the latest version, as the API gives them. */
  const settingsOf = async (name: string) => {
    const path = `/tenants/demo/scenarios/${name}`;
    return (await admin(service, path)) as {
      readonly data: { readonly version: number; readonly settings: Record<string, unknown> };
    };
  };

  it("are listed, and one is made the default after asking", async () => {
    const { page, open } = settings;
    await open("tenants/demo/scenarios");
    await page.getByRole("button", { name: "Make default: latest" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make default" }).click();
    await expect
      .poll(() => page.getByRole("row", { name: "latest" }).textContent())
      .toContain("Default");
    const { data } = (await admin(service, "/tenants/demo")) as {
      readonly data: { readonly default_scenarios: object };
    };
    expect(data.default_scenarios).toEqual({ feed: "latest", push: "daily-push" });
  });

  it("are duplicated under a name that is free", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: "Duplicate home" }).click();
    await page.getByLabel("Name").fill("latest");
    await page.getByRole("dialog").getByRole("button", { name: "Duplicate" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("contradicts");
    await page.getByLabel("Name").fill("home-b");
    await page.getByRole("dialog").getByRole("button", { name: "Duplicate" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("home-b");
  });

  it("are changed in a form made from the schema; a save is a version with its difference", async () => {
    const { page, keep } = settings;
    await page.getByLabel("Freshness", { exact: true }).fill("0.4");
    await page.getByRole("group", { name: "Only these" }).getByLabel("Politics").check();
    await page.getByRole("group", { name: "Never these" }).getByRole("checkbox").first().check();
    await page.getByLabel("Pinned articles").fill("article-1\n\narticle-2");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect.poll(() => page.textContent("table")).toContain("Weights › Freshness: 0.25 → 0.4");
    await expect
      .poll(() => page.textContent("table"))
      .toContain("Categories › Only these: – → Politics");
    await expect
      .poll(async () => (await settingsOf("home-b")).data)
      .toMatchObject({
        version: 2,
        settings: {
          weights: { freshness: 0.4, relevance: 0.55 },
          categories: { include: ["politics"] },
          sources: { include: null, exclude: [expect.stringMatching(/^[a-z-]+$/)] },
          pins: ["article-1", "article-2"],
        },
      });
    await keep("scenario");
  });

  it("take the service's default where a field is emptied, and say what is refused", async () => {
    const { page } = settings;
    await page.getByLabel("Freshness", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect.poll(async () => (await settingsOf("home-b")).data.version).toBe(3);
    await expect
      .poll(async () => (await settingsOf("home-b")).data.settings)
      .toMatchObject({
        weights: { freshness: 0.25 },
      });
    // What is announced of it comes before the form that begins with it.
    await page.getByRole("button", { name: "Bring back version 2" }).waitFor();
    for (const name of ["Relevance to the reader", "Freshness", "Popularity", "Quality"])
      await page.getByLabel(name, { exact: true }).fill("0");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("breaks a rule");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect.poll(() => page.getByLabel("Quality", { exact: true }).inputValue()).toBe("0.08");
  });

  it("are not saved over what somebody else saved meanwhile", async () => {
    const { page } = settings;
    const path = "/tenants/demo/scenarios/home-b";
    await admin(service, path, "PUT", { type: "feed", settings: { diversity_lambda: 0.5 } });
    await page.getByLabel("Quality", { exact: true }).fill("0.2");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("contradicts");
    await expect.poll(async () => (await settingsOf("home-b")).data.version).toBe(4);
  });

  it("come back in an earlier version, which says before what that changes", async () => {
    const { page } = settings;
    await page.reload();
    await page.getByRole("button", { name: "Bring back version 2" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.textContent()).toContain("Weights › Freshness: 0.25 → 0.4");
    await dialog.getByRole("button", { name: "Bring back" }).click();
    await expect.poll(async () => (await settingsOf("home-b")).data.version).toBe(5);
    await expect
      .poll(async () => (await settingsOf("home-b")).data.settings)
      .toMatchObject({
        weights: { freshness: 0.4 },
        pins: ["article-1", "article-2"],
      });
  });

  it("are made from the service's defaults, and can be read by a viewer in Japanese on a phone", async () => {
    const { page, open } = settings;
    await open("tenants/demo/scenarios");
    await page.getByRole("button", { name: "New scenario" }).click();
    await page.getByLabel("Name").fill("evening");
    await page.getByRole("dialog").getByRole("button", { name: "New scenario" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("evening");
    const person = { email: "eve@demo.example", role: "viewer", tenant_id: "demo" } as const;
    await using viewer = await openConsole(service, browser, { locale: "ja-JP", viewport: PHONE });
    await viewer.page.goto(await addPerson(service, person));
    await viewer.page.getByRole("navigation").waitFor();
    await viewer.open("tenants/demo/scenarios/evening");
    const quality = viewer.page.getByLabel("品質");
    await expect.poll(() => quality.inputValue()).toBe("0.08");
    await expect.poll(() => quality.isDisabled()).toBe(true);
    await expect.poll(() => viewer.page.getByRole("button", { name: "保存" }).count()).toBe(0);
    await expect.poll(viewer.overflows).toBe(false);
    await viewer.keep("scenario-phone-ja");
  });
});

describe("The webhook", () => {
  const log = () => settings.page.getByRole("region", { name: "Deliveries" }).locator("tbody tr");
  /** How many signatures each delivery carried; the receiver answers `status`. */
  const signatures: number[] = [];
  let status = 204;
  let receiver: Server;
  let url: string;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const header = String(request.headers["x-service-signature"]);
      signatures.push(header.split("v1=").length - 1);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => receiver.close());

  it("is set with an address the service takes, and its secret is shown once", async () => {
    const { page, open } = settings;
    await open("tenants/demo/webhook");
    await page.getByLabel("URL").fill("ftp://127.0.0.1/hooks");
    await page.getByRole("button", { name: "Set webhook" }).click();
    await expect.poll(() => page.locator("main .fault").count()).toBe(1);
    await page.getByLabel("URL").fill(url);
    await page.getByRole("button", { name: "Set webhook" }).click();
    expect(await takenSecret()).toMatch(/^whsec_/);
    await expect.poll(() => page.textContent("main")).toContain("Enabled");
  });

  it("is tried, and the log says what came of it without asking anew", async () => {
    await settings.page.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => log().first().textContent()).toContain("Delivered");
    await log().first().getByText("1 attempt").click();
    await expect.poll(() => log().first().textContent()).toContain("answered 204");
    expect(signatures).toEqual([1]);
  });

  it("signs by two secrets for a day after the secret is renewed", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    expect(await takenSecret()).toMatch(/^whsec_/);
    await expect.poll(() => page.textContent("main")).toContain("former one until");
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => signatures).toEqual([1, 2]);
  });

  it("that its receiver gave up on is shown as disabled, and enabled again", async () => {
    const { page, open, reopen, keep } = settings;
    status = 410;
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect.poll(() => log().first().textContent()).toContain("Failed");
    await open("tenants/demo/overview");
    // The sender has disabled it: the node that answers hears of it within moments.
    await expect
      .poll(async () => {
        await reopen();
        return page.textContent("main");
      })
      .toContain("The webhook is disabled");
    await open("tenants/demo/webhook");
    await expect.poll(() => page.textContent("main")).toContain("It is disabled, because:");
    await keep("webhook");
    status = 204;
    await page.getByRole("button", { name: "Enable again" }).click();
    await expect.poll(() => page.textContent("main")).not.toContain("It is disabled, because:");
  });

  it("gets a delivery once more that failed", async () => {
    const failed = log().filter({ hasText: "Failed" }).first();
    await failed.getByRole("button", { name: /^Send again: / }).click();
    await expect.poll(() => log().allTextContents().then(String)).not.toContain("Failed");
    await expect.poll(() => signatures).toHaveLength(4);
    await expect.poll(() => log().first().textContent()).toContain("Delivered2 attempts");
  });

  it("is removed after asking", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: "Remove webhook" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove webhook" }).click();
    await expect.poll(() => page.textContent("main")).toContain("There is no webhook yet.");
  });
});

describe("People", () => {
  const email = "hanako@demo.example";
  const row = () => settings.page.getByRole("row", { name: email });

  it("are added by an administrator, and come in by a link", async () => {
    const { page, open, keep } = settings;
    await open("tenants/demo/people");
    await page.getByRole("button", { name: "Add person" }).click();
    await page.getByLabel("Name").fill("Hanako Sato");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Role").selectOption("editor");
    await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
    await using hanako = await openConsole(service, browser);
    await hanako.page.goto(await takenSecret());
    await hanako.page.getByRole("navigation").waitFor();
    await expect.poll(() => hanako.page.getByRole("navigation").textContent()).toContain("Editor");
    // Who looks after nobody is not offered the screen.
    await expect.poll(() => hanako.page.getByRole("link", { name: "People" }).count()).toBe(0);
    await expect.poll(() => row().textContent()).toContain("No password yet");
    await expect
      .poll(() => page.textContent("main"))
      .not.toContain("Operators of the installation");
    await keep("people");
  });

  it("are given another role, disabled and removed", async () => {
    const { page } = settings;
    await page.getByRole("button", { name: `Change ${email}` }).click();
    await page.getByLabel("Role").selectOption("viewer");
    await page.getByLabel("State").selectOption("disabled");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect.poll(() => row().textContent()).toContain("ViewerDisabled");
    await page.getByRole("button", { name: `Remove ${email}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => row().count()).toBe(0);
  });
});

describe("All of it", () => {
  /** And what stands above each. */
  const screens = [
    ["overview", "Overview"],
    ["billing", "Billing"],
    ["keys", "API keys"],
    ["scenarios", "Scenarios"],
    ["scenarios/home", "home"],
    ["webhook", "Webhook"],
    ["people", "People"],
    ["audit", "Audit log"],
  ] as const;

  it.each([
    ["light", undefined],
    ["dark", ["color-contrast"]],
  ])("keeps to the rules of axe, in %s colours", async (theme, rules) => {
    const { page, open, violations } = settings;
    await open("account");
    await page.getByLabel("Colours").selectOption(theme);
    await expect.poll(() => violations(rules)).toEqual([]);
    for (const [screen, name] of screens) {
      await open(`tenants/demo/${screen}`);
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
      await expect.poll(async () => [screen, ...(await violations(rules))]).toEqual([screen]);
    }
    await open("tenants/demo/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").waitFor();
    await expect.poll(() => violations(rules)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("broke no rule of its content security policy", () => {
    expect(settings.complaints).toEqual([]);
  });
});
