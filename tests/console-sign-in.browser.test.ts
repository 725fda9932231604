import { startTestProvider, type TestProvider } from "@feed/openid/testing/test-provider";
import { temporaryDirectory } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { addPerson, admin, openConsole, PHONE } from "./console-page.ts";
import type { ConsolePage, ConsoleService } from "./console-page.ts";

const ADMIN_TOKEN = "admin-token-of-the-sign-in";

const BUTTON = "Sign in with Example ID";
const PHONE_JA_DARK = { viewport: PHONE, locale: "ja-JP", colorScheme: "dark" } as const;

/** On another site than the service, to a browser. */
let provider: TestProvider;
let service: ConsoleService;
let browser: Browser;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  provider = stack.use(await startTestProvider());
  const { issuer, clientId, clientSecret, name } = provider.settings;
  const { path } = stack.use(await temporaryDirectory());
  const environment = {
    ADMIN_TOKEN,
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: clientId,
    OPENID_CLIENT_SECRET: clientSecret,
    OPENID_NAME: name,
  };
  const { baseUrl } = stack.use(await startService({ dataDirectory: path, environment }));
  service = { facts: { base_url: baseUrl, admin_token: ADMIN_TOKEN } };
  browser = stack.adopt(await openBrowser(), (opened) => opened.close());
  await admin(service, "/tenants/acme", "PUT", { name: "Acme News" });
  await addPerson(service, { email: "ada@example.com", role: "viewer", tenant_id: "acme" });
  provider.accounts.set("ada", { email: "ada@example.com", email_verified: true });
  provider.accounts.set("grace", { email: "grace@example.com", email_verified: true });
  provider.accounts.set("vague", { email: "ada@example.com" });
});

afterAll(() => stack.disposeAsync());

/** A browser that was never here, on the sign-in page. */
const visit = async (options: BrowserContextOptions = {}) => {
  const visitor = await openConsole(service, browser, options);
  await visitor.open("");
  await visitor.page.locator("main form button.wide:not(.primary)").waitFor();
  return visitor;
};
const press = ({ page }: ConsolePage) =>
  page.locator("main form button.wide:not(.primary)").click();
/** Presses once more where the provider was too slow for the service. */
const leave = async (visitor: ConsolePage) => {
  const { page } = visitor;
  await press(visitor);
  const isAway = async () => {
    if (await page.getByRole("alert").isVisible()) await press(visitor);
    return new URL(page.url()).origin === provider.settings.issuer;
  };
  await expect.poll(isAway).toBe(true);
};
const logIn = async ({ page }: ConsolePage, login: string) => {
  await page.getByLabel("Login").fill(login);
  await page.getByRole("button", { name: "Continue" }).click();
};
const agree = ({ page }: ConsolePage) => page.getByRole("button", { name: "Agree" }).click();

describe("Signing in through a provider", () => {
  it("is refused in words while the provider is away, and the password's way stays open", async () => {
    await using visitor = await visit();
    provider.interrupt((_, response) => response.writeHead(503).end());
    await press(visitor);
    const { page } = visitor;
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toContain("sign in with a password");
    await expect.poll(() => page.getByLabel("Password").isEnabled()).toBe(true);
    provider.interrupt(undefined);
    provider.serve(`${service.facts.base_url}/admin/v1/session/openid/callback`);
  });

  it("leads there and back into the console, with a session that ends by signing out", async () => {
    await using visitor = await visit();
    const { page, keep, violations, overflows, complaints } = visitor;
    await expect.poll(() => page.getByRole("button", { name: BUTTON }).isVisible()).toBe(true);
    expect([await violations(), await overflows()]).toEqual([[], false]);
    await keep("sign-in");
    await leave(visitor);
    await logIn(visitor, "ada");
    expect(new URL(page.url()).origin).toBe(provider.settings.issuer);
    await agree(visitor);
    await page.getByRole("navigation").waitFor();
    expect(page.url()).toMatch(/\/console\/#?\/?$/);
    await expect.poll(() => page.getByRole("navigation").textContent()).toContain("ada");
    const cookies = await page.context().cookies(service.facts.base_url);
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ["cf_session", true, "Strict"],
    ]);
    await page.reload();
    await page.getByRole("navigation").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: BUTTON }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("says that nobody with access has the account", async () => {
    await using visitor = await visit();
    await leave(visitor);
    await logIn(visitor, "grace");
    await agree(visitor);
    const main = () => visitor.page.textContent("main");
    await expect.poll(main).toContain("Nobody with access here has this account.");
    expect(visitor.page.url()).toBe(`${service.facts.base_url}/console/#/`);
    await visitor.page.reload();
    await visitor.page.getByRole("button", { name: BUTTON }).waitFor();
    await expect.poll(main).not.toContain("Nobody with access");
  });

  it("says that the person did not agree, and takes the next try", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await leave(visitor);
    await logIn(visitor, "ada");
    await page.getByRole("button", { name: "Refuse" }).click();
    await expect.poll(() => page.textContent("main")).toContain("You did not agree");
    await leave(visitor);
    await agree(visitor);
    await page.getByRole("navigation").waitFor();
  });

  it("says that what comes back was begun elsewhere", async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(`${service.facts.base_url}/admin/v1/session/openid/callback?code=a&state=b`);
    await expect.poll(() => page.textContent("main")).toContain("begun in another browser");
  });

  it("says in Japanese that the address is not verified, on a phone in the dark", async () => {
    await using visitor = await visit(PHONE_JA_DARK);
    const { page, keep, violations, overflows } = visitor;
    await expect
      .poll(() => page.getByRole("button", { name: "Example ID でサインイン" }).count())
      .toBe(1);
    await leave(visitor);
    await logIn(visitor, "vague");
    await agree(visitor);
    await expect.poll(() => page.textContent("main")).toContain("確認されていません");
    await page.getByRole("button", { name: "Example ID でサインイン" }).waitFor();
    expect([await violations(), await overflows()]).toEqual([[], false]);
    await keep("sign-in-failed-phone-dark-ja");
  });
});
