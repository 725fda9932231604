import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArticle } from "@feed/test-kit";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import type { AuditAnswer, AuditEntry } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

let installation: Installation;
let operator: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  const article = buildArticle({ contentId: asId<ContentId>("c-1") });
  installation = await openInstallation({
    change: (deps) => ({
      ...deps,
      contentIndex: { articles: () => Promise.resolve([article as never]) },
    }),
  });
  operator = await signInAs(installation, "operator");
  admin = await signInAs(installation, "tenant_admin", "one");
});
afterAll(() => installation[Symbol.asyncDispose]());

const audit = async (query = "", who = operator) => {
  const answer = await who.call("GET", `/audit?${query}`);
  expect(answer.status).toBe(200);
  return answer.json as AuditAnswer;
};
const latest = async (kind: string) => (await audit(`kind=${kind}&limit=1`)).data[0];

describe("The audit log", () => {
  it.each([
    ["usage-cap.set", "PUT", "/tenants/one/usage-cap", { credits: 7 }, "", { credits: 7 }],
    ["licence.set", "PUT", "/tenants/one/licences/source-2", { licence: "link" }, "source-2", {}],
    ["licence.reset", "DELETE", "/tenants/one/licences/source-2", undefined, "source-2", {}],
    ["scenario.saved", "PUT", "/tenants/one/scenarios/x", { type: "feed" }, "x", { version: 1 }],
    ["tenant.saved", "PATCH", "/tenants/one", { name: "One" }, "", { tenant: { name: "One" } }],
    ["content.withheld", "PUT", "/tenants/one/withheld-contents/c-1", undefined, "c-1", {}],
    ["webhook.saved", "PUT", "/tenants/one/webhook", { url: "https://h.example/" }, "", {}],
    ["webhook.tested", "POST", "/tenants/one/webhook/test", undefined, "", {}],
  ])("says of a %s who did it, when, and what it is from then on", async (...row) => {
    const [kind, method, path, body, subject, details] = row;
    const before = Date.now();
    expect((await admin.call(method, path, body)).status).toBeLessThan(300);
    const entry = await latest(kind);
    expect(entry).toMatchObject({
      kind,
      actor: admin.me.person_id,
      actor_email: admin.me.email,
      tenant_id: "one",
      details,
    });
    expect(subject === "" || entry?.subject === subject).toBe(true);
    expect(Date.parse(entry?.at ?? "")).toBeGreaterThanOrEqual(before - 1);
  });

  it("names the admin token, and a takedown for everybody", async () => {
    const key = ADMIN_TOKEN;
    const path = "/admin/v1/contents/c-1/takedown";
    expect((await call(installation, "POST", path, { key })).status).toBe(204);
    expect(await latest("content.taken-down")).toMatchObject({
      actor: "admin-api",
      actor_email: null,
      tenant_id: null,
      subject: "c-1",
    });
  });

  it("holds no secret: no key, hash, token or password", async () => {
    await admin.call("POST", "/tenants/one/keys", { name: "audited" });
    const exported = (await operator.call("GET", "/audit/export")).text;
    expect(exported).toContain('"audited"');
    expect(exported).toContain('"session.started"');
    const { keysOf, sessions } = secretsIn(installation);
    for (const secret of [...keysOf, ...sessions, "sha256", "sealed", "email_ref", "identity_ref"])
      expect(exported.includes(secret)).toBe(false);
  });

  it("is walked in pages to its beginning, with every entry once", async () => {
    const all = (await operator.call("GET", "/audit/export")).text.trim().split("\n");
    const seen: AuditEntry[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await audit(`limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(7);
      seen.push(...page.data);
      cursor = page.meta.next_cursor;
    }
    expect(seen).toEqual(all.map((line) => JSON.parse(line) as AuditEntry));
    expect(seen.length).toBeGreaterThan(20);
    const times = seen.map(({ entry_id }) => Number(entry_id));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
  });

  it("is filtered by actor, tenant and time", async () => {
    const byAdmin = await audit(`actor=${admin.me.person_id}&limit=200`);
    expect(new Set(byAdmin.data.map(({ actor }) => actor))).toEqual(new Set([admin.me.person_id]));
    const ofTwo = await audit("tenant_id=two&limit=200");
    expect(new Set(ofTwo.data.map(({ tenant_id }) => tenant_id))).toEqual(new Set(["two"]));
    const [newest] = byAdmin.data;
    const at = encodeURIComponent(newest?.at ?? "");
    const from = await audit(`from=${at}&actor=${admin.me.person_id}&limit=200`);
    const to = await audit(`to=${at}&actor=${admin.me.person_id}&limit=200`);
    expect(from.data.length).toBeGreaterThan(0);
    expect(from.data.length + to.data.length).toBe(byAdmin.data.length);
    expect(to.data.every((entry) => entry.at < (newest?.at ?? ""))).toBe(true);
  });

  it("shows people of a tenant their tenant alone, those who are gone too", async () => {
    const gone = await signInAs(installation, "editor", "one");
    await admin.call("DELETE", `/people/${gone.me.person_id}`);
    const own = await audit("limit=200", admin);
    expect(new Set(own.data.map(({ tenant_id }) => tenant_id))).toEqual(new Set(["one"]));
    const theirs = own.data.filter(({ actor }) => actor === gone.me.person_id);
    expect(theirs.map(({ kind, actor_email }) => [kind, actor_email])).toEqual([
      ["session.started", gone.me.email],
    ]);
    expect((await admin.call("GET", "/audit?tenant_id=two")).status).toBe(404);
    expect((await admin.call("GET", "/audit/export?tenant_id=two")).status).toBe(404);
  });
});

function secretsIn({ deps, keys }: Installation) {
  const known = deps.directory.apiKeys(asId<TenantId>("one"));
  return {
    keysOf: [...Object.values(keys), ...known.map(({ sha256 }) => sha256)],
    sessions: [admin, operator].map(({ cookie }) => cookie.split("=")[1] ?? "none"),
  };
}
