import { manualClock } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PeopleAnswer, PersonAnswer, SignInLinkAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { sessionOf, signInAs } from "./testing/people.ts";

const PASSWORD = "correct horse battery";
const clock = manualClock(Date.now());
let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation({ change: (deps) => ({ ...deps, clock }) });
});
afterAll(() => installation[Symbol.asyncDispose]());

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1${path}`, { key: ADMIN_TOKEN, body });
/** Each try comes from an address of its own, so that only the count of the name is tried. */
let tries = 0;
const signIn = (email: string, password: string, from?: string) => {
  tries += 1;
  const headers = { "X-Forwarded-For": from ?? `198.51.100.${tries % 250}` };
  const body = { email, password };
  return call(installation, "POST", "/admin/v1/session", { key: null, body, headers });
};
const withPassword = async (email: string, role = "operator", tenant_id: string | null = null) => {
  const added = await admin("POST", "/people", { email, name: "Somebody", role, tenant_id });
  const { person_id } = (added.json as PersonAnswer).data;
  const link = await linkOf(person_id);
  const session = sessionOf(installation, await byLink(link));
  const set = await session.call("PUT", "/me/password", { new_password: PASSWORD });
  return { person_id, session: sessionOf(installation, set) };
};
const linkOf = async (personId: string) =>
  ((await admin("POST", `/people/${personId}/sign-in-link`)).json as SignInLinkAnswer).data.token;
const byLink = (token: string) => {
  tries += 1;
  const headers = { "X-Forwarded-For": `198.51.100.${tries % 250}` };
  const body = { token };
  return call(installation, "POST", "/admin/v1/session/link", { key: null, body, headers });
};

describe("Signing in", () => {
  it("begins by a link, which works once", async () => {
    const body = { email: "First@Example.com", name: "F", role: "operator", tenant_id: null };
    const added = await admin("POST", "/people", body);
    const { person_id, email, has_password } = (added.json as PersonAnswer).data;
    expect([added.status, email, has_password]).toEqual([201, "first@example.com", false]);
    const made = await admin("POST", `/people/${person_id}/sign-in-link`);
    const { url, token } = (made.json as SignInLinkAnswer).data;
    expect(url).toBe(`${installation.baseUrl}/console/#/sign-in/${token}`);
    const answers = await Promise.all([byLink(token), byLink(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await byLink(token)).status).toBe(401);
  });

  it("by a link ends with its day", async () => {
    const { me } = await signInAs(installation, "viewer");
    const token = await linkOf(me.person_id ?? "");
    clock.advance(24 * 3_600_000);
    expect((await byLink(token)).status).toBe(401);
  });

  it("by e-mail address and password gives a cookie that scripts and other sites can't use", async () => {
    await withPassword("cookie@example.com");
    const answer = await signIn("COOKIE@example.com", PASSWORD);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^cf_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    const { call: as, me } = sessionOf(installation, answer);
    expect(me).toMatchObject({ email: "cookie@example.com", role: "operator", has_password: true });
    expect((await as("GET", "/me")).json).toEqual({ data: me });
  });

  it("over https takes a cookie that no other host can set", async () => {
    const baseUrl = "https://feed.example";
    await using behindProxy = await openInstallation({
      change: (deps) => ({ ...deps, settings: { ...deps.settings, baseUrl } }),
    });
    const secure = { ...behindProxy, baseUrl: `http://127.0.0.1:${behindProxy.port}` };
    const { cookie } = await signInAs(secure, "operator");
    expect(cookie).toMatch(/^__Host-cf_session=/);
    const plain = { Cookie: cookie.replace("__Host-", "") };
    const asPlain = await call(secure, "GET", "/admin/v1/me", { key: null, headers: plain });
    const asSet = await call(secure, "GET", "/admin/v1/me", {
      key: null,
      headers: { Cookie: cookie },
    });
    expect([asPlain.status, asSet.status]).toEqual([401, 200]);
  });

  it("is by password and link alone where no provider is configured", async () => {
    const options = await call(installation, "GET", "/admin/v1/session/options", { key: null });
    expect(options.json).toEqual({ data: { openid: null } });
    const path = "/admin/v1/session/openid";
    expect((await call(installation, "POST", path, { key: null })).status).toBe(404);
    expect((await call(installation, "GET", `${path}/callback`, { key: null })).status).toBe(404);
  });

  it("fails in the same words for a wrong password, nobody, and somebody who is disabled", async () => {
    const { person_id } = await withPassword("words@example.com");
    const wrong = await signIn("words@example.com", "wrong horse battery");
    const nobody = await signIn("nobody@example.com", PASSWORD);
    await admin("PATCH", `/people/${person_id}`, { status: "disabled" });
    const disabled = await signIn("words@example.com", PASSWORD);
    expect([wrong.status, nobody.status, disabled.status]).toEqual([401, 401, 401]);
    expect([nobody.text, disabled.text]).toEqual([wrong.text, wrong.text]);
  });

  it("is locked after five tries that fail, whatever the sixth brings, until three minutes are over", async () => {
    await withPassword("locked@example.com");
    for (let time = 0; time < 5; time += 1) {
      expect((await signIn("locked@example.com", `wrong ${time}`)).status).toBe(401);
    }
    const locked = await signIn("locked@example.com", PASSWORD);
    expect([locked.status, locked.headers.get("retry-after")]).toEqual([429, "180"]);
    expect(locked.json).toMatchObject({ "violated-policies": ["sign-in"] });
    clock.advance(180_000);
    expect((await signIn("locked@example.com", PASSWORD)).status).toBe(200);
    // A success begins a new count.
    expect((await signIn("locked@example.com", "wrong")).status).toBe(401);
    expect((await signIn("locked@example.com", PASSWORD)).status).toBe(200);
  });

  it("is counted by address too, whoever is named", async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 32; time += 1) {
      clock.advance(100);
      statuses.push((await signIn(`guess-${time}@example.com`, "x", "192.0.2.200")).status);
    }
    expect(statuses.slice(0, 30).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("A session", () => {
  it("changes nothing without its CSRF token", async () => {
    const { cookie, call: as } = await signInAs(installation, "operator");
    const put = (headers: Readonly<Record<string, string>>) =>
      call(installation, "PUT", "/admin/v1/tenants/one/usage-cap", {
        key: null,
        body: { credits: null },
        headers: { Cookie: cookie, ...headers },
      });
    expect((await put({})).status).toBe(403);
    expect((await put({ "X-CSRF-Token": "A".repeat(43) })).status).toBe(403);
    expect((await as("PUT", "/tenants/one/usage-cap", { credits: null })).status).toBe(200);
  });

  it("ends by signing out, after twelve hours, and when the person is removed", async () => {
    const [out, old, gone] = [
      await signInAs(installation, "viewer"),
      await signInAs(installation, "viewer"),
      await signInAs(installation, "viewer"),
    ];
    const signedOut = await out.call("DELETE", "/session");
    expect([signedOut.status, signedOut.headers.get("set-cookie")]).toEqual([
      204,
      expect.stringContaining("Max-Age=0"),
    ]);
    expect((await out.call("GET", "/me")).status).toBe(401);
    await admin("DELETE", `/people/${gone.me.person_id}`);
    expect((await gone.call("GET", "/me")).status).toBe(401);
    clock.advance(12 * 3_600_000 - 1);
    expect((await old.call("GET", "/me")).status).toBe(200);
    clock.advance(1);
    expect((await old.call("GET", "/me")).status).toBe(401);
  });

  it("ends with a new password, but for the one that set it", async () => {
    const { session } = await withPassword("change@example.com");
    const other = sessionOf(installation, await signIn("change@example.com", PASSWORD));
    const next = "another horse battery";
    const wrong = await session.call("PUT", "/me/password", { new_password: next });
    expect(wrong.status).toBe(401);
    const change = { current_password: PASSWORD, new_password: next };
    const changed = sessionOf(installation, await session.call("PUT", "/me/password", change));
    expect((await changed.call("GET", "/me")).status).toBe(200);
    expect((await other.call("GET", "/me")).status).toBe(401);
    expect((await session.call("GET", "/me")).status).toBe(401);
    expect((await signIn("change@example.com", PASSWORD)).status).toBe(401);
    expect((await signIn("change@example.com", next)).status).toBe(200);
  });

  it.each(["short", "somebody@else.example", "aaaaaaaaaaaaaaaa", "ab".repeat(10)])(
    "takes no password like %s",
    async (new_password) => {
      const body = { email: "somebody@else.example", name: "S", role: "operator", tenant_id: null };
      const known = (await admin("GET", "/people")).json as PeopleAnswer;
      const found = known.data.find(({ email }) => email === body.email);
      const id =
        found?.person_id ??
        ((await admin("POST", "/people", body)).json as PersonAnswer).data.person_id;
      const session = sessionOf(installation, await byLink(await linkOf(id)));
      const answer = await session.call("PUT", "/me/password", { new_password });
      expect(answer.json).toMatchObject({ status: 400, errors: [{ pointer: "/new_password" }] });
    },
  );

  it("shows the admin token as an operator without a name", async () => {
    const { data } = (await admin("GET", "/me")).json as { readonly data: object };
    expect(data).toMatchObject({ person_id: null, role: "operator", csrf_token: null });
    expect((await admin("PUT", "/me/password", { new_password: PASSWORD })).status).toBe(403);
  });
});

describe("People", () => {
  it("have an e-mail address of their own, in whatever case", async () => {
    const body = { email: "own@example.com", name: "A", role: "viewer", tenant_id: "one" };
    expect((await admin("POST", "/people", body)).status).toBe(201);
    const again = await admin("POST", "/people", { ...body, email: "OWN@example.com" });
    expect(again.status).toBe(409);
  });

  it("of a tenant are seen and managed by its admins, and unknown to another's", async () => {
    const one = await signInAs(installation, "tenant_admin", "one");
    const two = await signInAs(installation, "tenant_admin", "two");
    const body = { email: "editor@one.example", name: "E", role: "editor", tenant_id: "one" };
    const added = (await one.call("POST", "/people", body)).json as PersonAnswer;
    const path = `/people/${added.data.person_id}`;
    expect((await two.call("GET", path)).status).toBe(404);
    expect((await two.call("DELETE", path)).status).toBe(404);
    expect((await two.call("POST", "/people", { ...body, email: "x@y" })).status).toBe(404);
    const seen = (await two.call("GET", "/people")).json as PeopleAnswer;
    expect(new Set(seen.data.map(({ tenant_id }) => tenant_id))).toEqual(new Set(["two"]));
    const raised = await one.call("PATCH", path, { role: "tenant_admin" });
    expect(raised.json).toMatchObject({ data: { role: "tenant_admin" } });
    expect((await one.call("PATCH", path, { role: "operator" })).status).toBe(400);
    const operator = { email: "o@p", name: "O", role: "operator", tenant_id: null };
    expect((await one.call("POST", "/people", operator)).status).toBe(403);
  });

  it("are not all taken away from an installation: the last operator stays", async () => {
    await using alone = await openInstallation();
    const { me, call: as } = await signInAs(alone, "operator");
    const path = `/people/${me.person_id}`;
    expect((await as("PATCH", path, { status: "disabled" })).status).toBe(409);
    expect((await as("DELETE", path)).status).toBe(409);
    await signInAs(alone, "operator");
    expect((await as("DELETE", path)).status).toBe(204);
  });

  it("lie in the log sealed: neither address nor name nor token can be read there", async () => {
    const body = {
      email: "sealed@example.com",
      name: "Sealed Name",
      role: "operator",
      tenant_id: null,
    };
    const { person_id } = ((await admin("POST", "/people", body)).json as PersonAnswer).data;
    const token = await linkOf(person_id);
    await byLink(token);
    const { records } = await installation.deps.eventLog.read("tenants", 0, 0, 10_000);
    const bytes = Buffer.concat(records.map(({ value }) => Buffer.from(value ?? [])));
    for (const secret of ["sealed@example.com", "Sealed Name", token]) {
      expect(bytes.includes(secret)).toBe(false);
    }
    expect(bytes.includes(person_id)).toBe(true);
  });
});
