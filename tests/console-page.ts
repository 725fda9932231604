import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { DemoFacts } from "./demo-service.ts";

/** Set to keep pictures of the pages in docs/screenshots. */
const KEEP_SCREENSHOTS = process.env["KEEP_SCREENSHOTS"] !== undefined;
const SCREENSHOTS = resolve(import.meta.dirname, "../docs/screenshots");
const VIEWPORT = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** What Chromium itself writes of an answer that is a refusal, which a test may have asked for. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

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
  /** Opens a screen by the address behind `#/`. */
  readonly open: (address: string) => Promise<void>;
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
    open: async (address) => {
      await page.goto(`${service.facts.base_url}/console/#/${address}`);
    },
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

/** Calls the admin API with the installation's token; resolves to the answer's body. */
export async function admin(
  { facts }: ConsoleService,
  path: string,
  method = "GET",
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${facts.base_url}/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${facts.admin_token}`,
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
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
