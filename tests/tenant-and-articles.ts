import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExitedProcess } from "@feed/test-kit/service-process";
import { answerTo } from "./answer-to.ts";

const SOURCES = 4;
const MINUTE_MS = 60_000;

/**
 * Calls the admin API and resolves with the `data` of its answer; rejects for any other answer than a success. It is
 * repeated while it is answered 503.
 */
export type Administrator = (
  method: string,
  path: string,
  body: object,
) => Promise<Readonly<Record<string, unknown>>>;

export function administratorOf(baseUrl: string, token: string): Administrator {
  return async (method, path, body) => {
    const answer = await answerTo(() =>
      fetch(`${baseUrl}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: Readonly<Record<string, unknown>> }).data;
  };
}

/** Makes the tenant `acme`, who may show bodies, with a scenario of feeds and one of push; resolves with a key of its. */
export async function makeTenant(admin: Administrator): Promise<string> {
  const tenant = { name: "Acme", rate_limit_per_second: 10_000, default_licence: "body" };
  await admin("PUT", "/tenants/acme", tenant);
  await admin("PUT", "/tenants/acme/scenarios/main", { type: "feed", settings: {} });
  await admin("PUT", "/tenants/acme/scenarios/daily", { type: "push" });
  await admin("PUT", "/tenants/acme", { ...tenant, default_scenarios: { feed: "main" } });
  return String((await admin("POST", "/tenants/acme/keys", {}))["api_key"]);
}

/** Imports articles of four sources, the latest of now and each other a minute older. `feedctl` runs a command there. */
export async function importArticles(
  feedctl: (...args: readonly string[]) => Promise<ExitedProcess>,
  { directory, count }: { readonly directory: string; readonly count: number },
): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      source_id: `source-${n % SOURCES}`,
      source_name: `Source ${n % SOURCES}`,
      url: `https://news.example.com/a/${n}`,
      title: `Story number ${n}`,
      body_text: `Paragraph ${n} tells of harbour bridge ${n} and of nothing else.`,
      published_at: new Date(Date.now() - n * MINUTE_MS).toISOString(),
    }),
  );
  const file = join(directory, "articles.jsonl");
  await writeFile(file, lines.join("\n"));
  const { code, stderr } = await feedctl("import", file, "--create-sources");
  if (code !== 0) throw new Error(`the articles were not imported: ${stderr}`);
}
