import { gzipSync } from "node:zlib";
import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubjectId } from "@feed/domain/ids";
import { IMPORT_LINE_BYTES_MAX, IMPORT_LINES_MAX } from "@feed/domain/limits";
import type { UserAnswer, UserImportAnswer, UserListAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({
    activityStore: {
      // Every user there is, by the facts: pages of two, so that an export takes several.
      listUsers: (tenantId, after) => {
        const known = installation.projector.facts.flatMap((fact) =>
          fact.tenantId === tenantId ? fact.subjectId : [],
        );
        const ids = [...new Set(known)].toSorted().filter((id) => after === null || id > after);
        return Promise.resolve({ subjectIds: ids as SubjectId[] });
      },
      usageByDay: () => Promise.resolve([]),
    },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

const importing = async (body: BodyInit, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await call(installation, "POST", "/admin/v1/tenants/one/users/import", {
    key: ADMIN_TOKEN,
    rawBody: body,
    headers: { "Content-Type": "application/x-ndjson", ...headers },
  });
  return { ...answer, data: (answer.json as UserImportAnswer | undefined)?.data };
};
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const user = async (userId: string) => {
  const answer = await call(installation, "GET", `/v1/users/${userId}`);
  return answer.status === 200 ? (answer.json as UserAnswer).data : undefined;
};
/** A user when all that was imported is projected: the list of users and exports are of that. */
const imported = async (userId: string) => {
  await installation.projector.caughtUp();
  const found = await user(userId);
  if (found === undefined) throw new Error(`${userId} was not imported`);
  return found;
};

describe("An import of users", () => {
  it("saves each line as a PUT does, with what is followed and blocked", async () => {
    const properties = { interests: ["football"], language: "ja" };
    const lines = [
      line({ user_id: "a", properties, followed_sources: ["source-1"] }),
      "\n",
      `${JSON.stringify({ user_id: "b", blocked_sources: ["source-2"] })}\r\n`,
      JSON.stringify({ user_id: "c" }),
    ];
    const { status, data } = await importing(lines.join(""));
    expect([status, data]).toEqual([200, { lines: 3, accepted: 3, rejected: 0, errors: [] }]);
    expect(await imported("a")).toMatchObject({ properties, followed_sources: ["source-1"] });
    expect(await imported("b")).toMatchObject({ properties: {}, blocked_sources: ["source-2"] });
    expect(await imported("c")).toMatchObject({ total_sessions: 0 });
  });

  it("lists the fault of each line and takes the others", async () => {
    const body = [
      line({ user_id: "good-1" }),
      "{no json\n",
      line({ user_id: "bad id" }),
      line({ user_id: "typo", propertys: {} }),
      line({ user_id: "nowhere", followed_sources: ["source-1", "none"] }),
      line({ user_id: "torn", followed_sources: ["source-1"], blocked_sources: ["source-1"] }),
      '{"user_id":"twice","user_id":"twice"}\n',
      line({ user_id: "long", properties: { language: "x".repeat(IMPORT_LINE_BYTES_MAX) } }),
      line({ user_id: "good-2" }),
    ];
    const { status, data } = await importing(body.join(""));
    expect([status, data?.lines, data?.accepted, data?.rejected]).toEqual([200, 9, 2, 7]);
    expect(data?.errors.map(({ line: at, pointer }) => [at, pointer])).toEqual([
      [2, ""],
      [3, "/user_id"],
      [4, "/propertys"],
      [5, "/followed_sources/1"],
      [6, "/blocked_sources/0"],
      [7, "/user_id"],
      [8, ""],
    ]);
    await imported("good-2");
    expect(await user("typo")).toBeUndefined();
  });

  it("takes a compressed body, whose bytes are cut anywhere", async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `zipped-${index}-渋谷`);
    const body = names.map((interest, index) =>
      line({ user_id: `zipped-${index}`, properties: { interests: [interest] } }),
    );
    const { data } = await importing(gzipSync(body.join("")), { "Content-Encoding": "gzip" });
    expect(data).toMatchObject({ accepted: 1_200, rejected: 0 });
    const last = await imported("zipped-1199");
    expect(last.properties.interests).toEqual(["zipped-1199-渋谷"]);
  });

  it("ends at its limit of lines with 413, the lines before it taken", async () => {
    const lines = [line({ user_id: "before-the-end" }), line({}).repeat(IMPORT_LINES_MAX)];
    const { status } = await importing(lines.join(""));
    expect(status).toBe(413);
    const more = await importing(line({}).repeat(1_001));
    expect([more.data?.rejected, more.data?.errors.length]).toEqual([1_001, 1_000]);
  });

  it("is 415 for anything but JSON Lines, and 400 for a body that is no gzip", async () => {
    const json = { "Content-Type": "application/json" };
    expect((await importing(line({ user_id: "x" }), json)).status).toBe(415);
    expect((await importing("{}", { "Content-Encoding": "gzip" })).status).toBe(400);
  });
});

describe("A user", () => {
  const admin = (method: string, path: string) =>
    call(installation, method, `/admin/v1/tenants/one/users${path}`, { key: ADMIN_TOKEN });

  it("is listed, found and deleted for good, as the tenant's backend would do it", async () => {
    await importing(line({ user_id: "export", properties: { language: "ja" } }));
    const found = await imported("export");
    expect((await admin("GET", "/by-id/export")).json).toEqual({ data: found });
    const listed = (await admin("GET", "?limit=1000")).json as UserListAnswer;
    expect(listed.data).toContainEqual(found);
    expect((await admin("DELETE", "/by-id/export")).status).toBe(204);
    expect((await admin("GET", "/by-id/export")).status).toBe(404);
    expect(await user("export")).toBeUndefined();
    const audit = "/admin/v1/audit?kind=user.deleted";
    const entries = (await call(installation, "GET", audit, { key: ADMIN_TOKEN })).text;
    // Who deleted a user is known, and not whom.
    expect([entries.includes("admin-api"), entries.includes("export")]).toEqual([true, false]);
  });
});

describe("A push job", () => {
  it("is listed, found and cancelled", async () => {
    const job = { scenario: "daily", target_mode: "manual", user_ids: ["u"] };
    const posted = await call(installation, "POST", "/v1/push-candidates", { body: job });
    const { job_id } = posted.json as { readonly job_id: string };
    const path = "/admin/v1/tenants/one/push-candidates";
    const admin = (method: string, at: string) =>
      call(installation, method, `${path}${at}`, { key: ADMIN_TOKEN });
    const found = async () => (await admin("GET", `/${job_id}`)).status === 200;
    await waitFor(found);
    expect((await admin("GET", "")).json).toMatchObject({ data: [{ job_id }] });
    const cancelled = await admin("POST", `/${job_id}/cancel`);
    expect(cancelled.json).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    expect((await admin("POST", "/job-unknown/cancel")).status).toBe(404);
  });
});

describe("An export of users", () => {
  it("has every user of the tenant and can be imported again", async () => {
    await importing(line({ user_id: "exported", properties: { interests: ["tea"] } }));
    await imported("exported");
    const path = "/admin/v1/tenants/one/users/export";
    const answer = await call(installation, "GET", path, { key: ADMIN_TOKEN });
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const users = answer.text
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as UserAnswer["data"]);
    const { facts } = installation.projector;
    const gone = facts.flatMap((fact) => (fact.type === "user.deleted" ? fact.subjectId : []));
    const known = new Set(facts.map(({ subjectId }) => subjectId)).difference(new Set(gone));
    expect(users.length).toBe(known.size);
    expect(users.find(({ user_id }) => user_id === "exported")).toEqual(await user("exported"));
    const again = await importing(answer.text);
    expect(again.data).toMatchObject({ accepted: users.length, rejected: 0 });
  });
});
