import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const OWNER_ONLY = 0o600;

/** What a person or a script needs to try the demo; written to `demo.json` in the data directory. */
export interface DemoFacts {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly scenarios: { readonly feed: readonly string[]; readonly push: readonly string[] };
  readonly admin_token: string;
  /** Signs the demo's operator in, once. */
  readonly sign_in_url: string;
}

/** What a later start must repeat so that the demo's articles keep their addresses. */
export interface DemoSiteState {
  readonly port: number;
  readonly startedAtMs: number;
  readonly apiKey: string;
}

export async function writeDemoFacts(dataDirectory: string, facts: DemoFacts): Promise<void> {
  await writeJson(join(dataDirectory, "demo.json"), facts);
}

export async function readSiteState(dataDirectory: string): Promise<DemoSiteState | undefined> {
  try {
    return JSON.parse(
      await readFile(join(dataDirectory, "demo-site.json"), "utf8"),
    ) as DemoSiteState;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

export async function writeSiteState(dataDirectory: string, state: DemoSiteState): Promise<void> {
  await writeJson(join(dataDirectory, "demo-site.json"), state);
}

/** Whole or not at all: a script that waits for the file never reads half of it. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: OWNER_ONLY });
  await rename(`${path}.new`, path);
}
