import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { answerTo } from "./answer-to.ts";
import type { DemoFacts } from "./demo-service.ts";

/** Set to keep pictures of the pages in docs/screenshots. */
const KEEP_SCREENSHOTS = process.env["KEEP_SCREENSHOTS"] !== undefined;
const SCREENSHOTS = resolve(import.meta.dirname, "../docs/screenshots");
const VIEWPORT = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
/**
 * What Chromium itself writes of an answer that is a refusal, which a test may have asked for, or that says 503: a part
 * of the service is away for a moment, or a change is recorded and not in force yet.
 */
export const REFUSAL =
  /^Failed to load resource: the server responded with a status of (4\d\d|503)/;
/** As long as is waited for anything else. */
const TIMEOUT_MS = 60_000;
/** In every language of the console: what is recorded and not seen yet may be sent once more. */
export const NOT_YET = /but not yet/;

/** The service that serves the console, the demo's or another. */
export interface ConsoleService {
  readonly facts: Pick<DemoFacts, "base_url" | "admin_token">;
}

interface PersonData {
  readonly email: string;
  readonly role: "operator" | "tenant_admin" | "editor" | "viewer";
  readonly tenant_id: string | null;
}

/** The console in a browser of its own cookies. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** What the page complained of: scripts that failed, rules of the content security policy that were broken. */
  readonly complaints: readonly string[];
  /** What it has announced: an announcement goes after some seconds, whether anybody has looked or not. */
  readonly announced: readonly string[];
  /** Opens a screen by the address behind `#/`. */
  readonly open: (address: string) => Promise<void>;
  /** Opens the screen that is shown anew, and resolves when everything it asks for at first is there. */
  readonly reopen: () => Promise<void>;
  /**
   * Presses the button in the dialog that is open and resolves when the dialog is gone; presses once more where what was
   * done is not seen yet, as the dialog then says.
   */
  readonly confirm: (verb: string) => Promise<void>;
  /** Keeps a picture, where that is asked for: of the top of the page, or from a part of it on. */
  readonly keep: (name: string, from?: Locator) => Promise<void>;
  /** What bars readers with a screen reader, without a mouse or with weak eyes, by these of axe's rules or by all. */
  readonly violations: (rules?: readonly string[]) => Promise<readonly string[]>;
  /** Whether something is wider than the window. */
  readonly overflows: () => Promise<boolean>;
}

export async function openConsole(
  service: ConsoleService,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  // A colour on its way to another is not judged.
  const still = { reducedMotion: "reduce" } as const;
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: "en-US",
    ...still,
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const announced: string[] = [];
  await context.exposeFunction("heard", (text: string) => void announced.push(text));
  await context.addInitScript(listenToAnnouncements);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !REFUSAL.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return {
    page,
    complaints,
    announced,
    open: async (address) => {
      await page.goto(`${service.facts.base_url}/console/#/${address}`);
    },
    reopen: async () => {
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
    },
    confirm: (verb) => confirm(page, verb),
    keep: async (name, from) => {
      if (!KEEP_SCREENSHOTS) return;
      mkdirSync(SCREENSHOTS, { recursive: true });
      if (from === undefined) await page.evaluate(() => scrollTo(0, 0));
      else await from.evaluate((part) => part.scrollIntoView());
      await page.screenshot({ path: `${SCREENSHOTS}/console-${name}.png` });
    },
    violations: async (rules) => {
      await page.evaluate(axe.source);
      return page.evaluate(async (runOnly) => {
        const { run } = (window as unknown as { readonly axe: typeof axe }).axe;
        const found = await run(runOnly === undefined ? {} : { runOnly: [...runOnly] });
        return found.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
        );
      }, rules);
    },
    overflows: () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function confirm(page: Page, verb: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  const button = dialog.getByRole("button", { name: verb });
  await button.click();
  const isGone = async () => {
    const texts = await dialog.allTextContents();
    // It says so until the button is pressed again.
    if (texts.some((text) => NOT_YET.test(text))) await button.click();
    return texts.length === 0;
  };
  await expect.poll(isGone).toBe(true);
}

/** Runs in the page. */
function listenToAnnouncements(): void {
  const { heard } = window as unknown as { readonly heard: (text: string) => void };
  let last = "";
  const look = () => {
    const text = document.querySelector(".announced")?.textContent ?? "";
    if (text !== last && text !== "") heard(text);
    last = text;
  };
  const how = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document, how);
}

/**
 * Calls the admin API with the installation's token; resolves to the answer's body. What may be repeated is, where it is
 * not seen yet.
 */
export async function admin(
  { facts }: ConsoleService,
  path: string,
  method = "GET",
  body?: unknown,
): Promise<unknown> {
  const ask = () =>
    fetch(`${facts.base_url}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${facts.admin_token}`,
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = await (method === "POST" ? ask() : answerTo(ask, TIMEOUT_MS));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Adds a person; the address by which the person signs in, once. */
export async function addPerson(service: ConsoleService, person: PersonData): Promise<string> {
  const named = { ...person, name: person.email.split("@", 1)[0] };
  const added = (await admin(service, "/people", "POST", named)) as Answer<{ person_id: string }>;
  const path = `/people/${added.data.person_id}/sign-in-link`;
  return ((await admin(service, path, "POST")) as Answer<{ url: string }>).data.url;
}

interface Answer<Data> {
  readonly data: Data;
}
