import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { temporaryDirectory, waitFor } from "@feed/test-kit";

const MAIN = resolve(import.meta.dirname, "../apps/feedctl/src/main.ts");
/** A start and a minute of crawling, on a machine that does much else. */
const FIRST_ARTICLES_TIMEOUT_MS = 400_000;
const FIRST_ARTICLES = 12;
/** A few hundred articles with their pictures, politely. */
const FIRST_CRAWL_TIMEOUT_MS = 400_000;

export interface DemoFacts {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly scenarios: { readonly feed: readonly string[]; readonly push: readonly string[] };
  readonly admin_token: string;
  readonly sign_in_url: string;
}

export interface DemoService extends AsyncDisposable {
  readonly facts: DemoFacts;
  readonly dataDirectory: string;
  /** What it has printed so far. */
  readonly printed: () => string;
  /** Calls the API as the demo tenant. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  /** Resolves when the crawler has been once through every source: until then articles come without end. */
  readonly crawled: () => Promise<void>;
}

/** `npm start` on a free port and a new data directory; resolves when demo.json and articles for a page of a feed are there. */
export async function startDemoService(): Promise<DemoService> {
  const directory = await temporaryDirectory();
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", MAIN, "up", "--port", "0", "--data", directory.path],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const exited = once(child, "exit");
  const file = join(directory.path, "demo.json");
  let facts: DemoFacts | undefined;
  const isThere = async () => {
    if (child.exitCode !== null) throw new Error(`the service ended: ${output}`);
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) facts = JSON.parse(text) as DemoFacts;
    // Written after a minute without articles too.
    return facts !== undefined && (await hasArticles(facts));
  };
  // A service that is too late would otherwise run on after the test.
  await waitFor(isThere, { timeoutMs: FIRST_ARTICLES_TIMEOUT_MS }).catch((error: unknown) => {
    child.kill("SIGTERM");
    throw error;
  });
  const known = facts as unknown as DemoFacts;
  return {
    facts: known,
    dataDirectory: directory.path,
    printed: () => output,
    call: (path, init = {}) =>
      fetch(`${known.base_url}${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${known.api_key}`,
          "content-type": "application/json",
          ...init.headers,
        },
      }),
    crawled: () => waitFor(() => isCrawled(known), { timeoutMs: FIRST_CRAWL_TIMEOUT_MS }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** What the admin API lists; nothing while it can't. */
async function listed<Row>(
  { base_url, admin_token }: DemoFacts,
  path: string,
): Promise<readonly Row[]> {
  const headers = { authorization: `Bearer ${admin_token}` };
  const answer = await fetch(`${base_url}/admin/v1${path}`, { headers });
  return answer.ok ? ((await answer.json()) as { readonly data: readonly Row[] }).data : [];
}

/** Asked where it is free: feeds are counted by tests. */
async function hasArticles(facts: DemoFacts): Promise<boolean> {
  const path = `/tenants/${facts.tenant_id}/contents?limit=${2 * FIRST_ARTICLES}`;
  const found = await listed<{ readonly licence: string }>(facts, path);
  return found.filter(({ licence }) => licence !== "none").length >= FIRST_ARTICLES;
}

async function isCrawled(facts: DemoFacts): Promise<boolean> {
  const sources = await listed<{ readonly health: { readonly status: string } }>(facts, "/sources");
  return sources.length > 0 && sources.every(({ health }) => health.status !== "new");
}
