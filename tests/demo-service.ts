import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { temporaryDirectory, waitFor } from "@feed/test-kit";

const MAIN = resolve(import.meta.dirname, "../apps/feedctl/src/main.ts");
const FIRST_ARTICLES_TIMEOUT_MS = 200_000;

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
}

/** `npm start` on a free port and a new data directory; resolves when demo.json is there. */
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
    return facts !== undefined;
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
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
      await directory[Symbol.asyncDispose]();
    },
  };
}
