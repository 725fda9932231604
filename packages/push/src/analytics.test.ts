import { readFile } from "node:fs/promises";
import { serveClickHouseVersion } from "@feed/activity-store/served-views";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  openInstallation,
  openShared,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";

const DOCUMENT = new URL("../../../docs/data/queries.md", import.meta.url);
let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** The documented query, for the tenant of this installation. */
async function documentedQuery({ tenantId }: Installation): Promise<string> {
  const blocks = (await readFile(DOCUMENT, "utf8")).matchAll(/```sql\n(.*?)```/gs);
  const [query = ""] = [...blocks].flatMap(([, sql = ""]) =>
    sql.includes("push_sent") ? [sql] : [],
  );
  return query.replace("{tenant:String}", `'${tenantId}'`);
}

async function rowsOf(installation: Installation): Promise<readonly Record<string, unknown>[]> {
  const { url, username, password } = installation.options.endpoint;
  const answer = await fetch(`${url}/?readonly=1`, {
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
    await using installation = await openInstallation({ shared });
    await serveClickHouseVersion(installation.options.endpoint, {});
    await installation.publish({ contentId: contentId("a"), title: "A story" });
    await installation.tell(...userIds(3).map((userId) => ({ userId, properties: {} })));
    const jobId = await installation.request();
    const { state } = await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    const { keyring } = installation.deps;
    const token = line?.candidates[0]?.tracking_token ?? "";
    const claims = keyring.verifyTrackingToken(token, installation.tenantId);
    if (claims.kind !== "valid") throw new Error("the token is not valid");
    const click = { did: "click", content: claims.contentId, origin: claims.origin } as const;
    const [userId] = userIds(3);
    await installation.tell({ userId: userId!, ...click }, { userId: userId!, ...click });
    const sentAtMs = state.completed?.atMs ?? 0;
    const day = new Date(sentAtMs).toISOString().slice(0, "2026-01-01".length);
    const counted = async () => {
      const [row] = await rowsOf(installation);
      return { ...row, sent: Number(row?.["sent"]), opened: Number(row?.["opened"]) };
    };
    const expected = { day, scenario: "daily", job_id: jobId, sent: 3, opened: 1 };
    await expect.poll(counted).toEqual(expected);
  });
});
