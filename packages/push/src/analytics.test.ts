import { readFile } from "node:fs/promises";
import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  openInstallation,
  startEngine,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";

const DOCUMENT = new URL("../../../docs/data/README.md", import.meta.url);
let started: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  started = await startEngine();
}, 60_000);
afterAll(() => started[Symbol.asyncDispose]());

/** The documented query, on the database and tenant of this installation. */
async function documentedQuery({ options, tenantId }: Installation): Promise<string> {
  const blocks = (await readFile(DOCUMENT, "utf8")).matchAll(/```sql\n(.*?)```/gs);
  const [query = ""] = [...blocks].flatMap(([, sql = ""]) =>
    sql.includes("push_sent") ? [sql] : [],
  );
  return query
    .replaceAll("feed_v1.", `${options.databasePrefix}_v1.`)
    .replace("'demo'", `'${tenantId}'`);
}

async function rowsOf(installation: Installation): Promise<readonly Record<string, unknown>[]> {
  const { url, username, password } = installation.options.endpoint;
  const answer = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    body: `${await documentedQuery(installation)} FORMAT JSONEachRow`,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("Push analytics (docs/data)", () => {
  it("count what was sent by job, scenario and day, and what of it was opened", async () => {
    await using installation = await openInstallation({ engine: started.engine });
    await installation.publish({ contentId: contentId("a"), title: "A story" });
    await installation.tell(...userIds(3).map((userId) => ({ userId, properties: {} })));
    const jobId = await installation.request();
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    const { keyring } = installation.deps;
    const token = line?.candidates[0]?.tracking_token ?? "";
    const claims = keyring.verifyTrackingToken(token, installation.tenantId);
    if (claims.kind !== "valid") throw new Error("the token is not valid");
    const click = { did: "click", content: claims.contentId, origin: claims.origin } as const;
    const [userId] = userIds(3);
    await installation.tell({ userId: userId!, ...click }, { userId: userId!, ...click });
    const day = new Date().toISOString().slice(0, "2026-01-01".length);
    const expected = { day, scenario: "daily", job_id: jobId };
    await waitFor(async () => Number((await rowsOf(installation))[0]?.["opened"]) > 0, {
      timeoutMs: 20_000,
    });
    const [row] = await rowsOf(installation);
    expect({ ...row, sent: Number(row?.["sent"]), opened: Number(row?.["opened"]) }).toEqual({
      ...expected,
      sent: 3,
      opened: 1,
    });
  });
});
