import type { RequestListener } from "node:http";
import { openOpenIdProvider } from "@feed/openid";
import type { OpenIdProvider } from "@feed/openid/port";
import { startTestProvider, type TestProvider } from "@feed/openid/testing/test-provider";
import { visitProvider } from "@feed/openid/testing/visitor";
import { manualClock } from "@feed/test-kit";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHttpApi } from "./http-api.ts";
import type {
  AuditAnswer,
  OpenIdBegunAnswer,
  PersonAnswer,
  SignInLinkAnswer,
} from "./openapi.generated.ts";
import { faultsOfAnswer } from "./testing/answer-check.ts";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { sessionOf } from "./testing/people.ts";

const PATH = "/admin/v1/session/openid";
const PASSWORD = "correct horse battery";
const NEVER_MS = 300;
/** Of one request to a provider that answers: no standstill of a busy machine is as long. */
const PATIENT_MS = 120_000;
const clock = manualClock(Date.now());

let provider: TestProvider;
let patient: OpenIdProvider;
/** Which the service asks: the patient one, unless a test has no time. */
let asked: OpenIdProvider;
let installation: Installation;
beforeAll(async () => {
  provider = await startTestProvider();
  patient = openOpenIdProvider(provider.settings, { clock, timeoutMs: PATIENT_MS });
  const openId: OpenIdProvider = {
    name: patient.name,
    begin: (...given) => asked.begin(...given),
    finish: (...given) => asked.finish(...given),
  };
  installation = await openInstallation({ change: (deps) => ({ ...deps, clock, openId }) });
  provider.serve(`${installation.baseUrl}${PATH}/callback`);
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.interrupt(undefined);
  asked = patient;
  // What the service believes of the provider is of no test but its own.
  clock.advance(20 * 60_000);
});

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1${path}`, { key: ADMIN_TOKEN, body });
const add = async (login: string, email = `${login}@example.com`) => {
  const body = { email, name: login, role: "viewer", tenant_id: "one" };
  return ((await admin("POST", "/people", body)).json as PersonAnswer).data.person_id;
};
/** Each try comes from an address of its own. */
let tries = 0;
const begin = async (there = installation) => {
  tries += 1;
  const headers = { "X-Forwarded-For": `198.51.100.${tries % 250}` };
  const answer = await call(there, "POST", PATH, { key: null, headers });
  const cookie = answer.headers.get("set-cookie") ?? "";
  return { answer, cookie, held: cookie.split(";", 1)[0] ?? "" };
};
const urlOf = ({ answer }: Awaited<ReturnType<typeof begin>>) =>
  (answer.json as OpenIdBegunAnswer).data.url;

/** Comes back with an address of the provider's and a cookie; where the browser is sent, and its session. */
const comeBack = async (address: string, held: string) => {
  const response = await fetch(address, { headers: { cookie: held }, redirect: "manual" });
  const { status, headers } = response;
  const answer = { status, headers, text: await response.text(), json: undefined };
  expect(faultsOfAnswer("GET", `${PATH}/callback`, answer)).toEqual([]);
  expect([status, answer.text, headers.get("referrer-policy")]).toEqual([303, "", "no-referrer"]);
  const to = headers.get("location") ?? "";
  expect(to.startsWith(`${installation.baseUrl}/console/`)).toBe(true);
  const cookies = headers.getSetCookie();
  const session = cookies.find((line) => line.startsWith("cf_session="))?.split(";", 1)[0];
  return { place: to.slice(installation.baseUrl.length), session, cookies };
};
const FIRST_PAGE = "/console/";
const failed = (reason: string) => `/console/#/sign-in-failed/${reason}`;

/** The whole way of somebody who signs in at the provider. */
const signIn = async (login: string, visit: { readonly consents?: boolean } = {}) => {
  const begun = await begin();
  return comeBack(await visitProvider(urlOf(begun), { login, ...visit }), begun.held);
};
const verified = (email: string) => ({ email, email_verified: true });
const meOf = async (session: string | undefined) => {
  const headers = { Cookie: session ?? "" };
  const { json } = await call(installation, "GET", "/admin/v1/me", { key: null, headers });
  return (json as { readonly data: { readonly person_id: string } } | undefined)?.data;
};

describe("Signing in through a provider", () => {
  it("is offered where one is configured, by its name", async () => {
    const options = await call(installation, "GET", "/admin/v1/session/options", { key: null });
    expect(options.json).toEqual({ data: { openid: { name: "Example ID" } } });
  });

  it("finds the person by the verified address, and gives the same cookie as a password", async () => {
    const person_id = await add("ada");
    provider.accounts.set("ada", verified("ADA@example.com"));
    const { place, session, cookies } = await signIn("ada");
    expect(place).toBe(FIRST_PAGE);
    expect(cookies).toEqual([
      expect.stringMatching(
        /^cf_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      ),
      `cf_openid=; Path=${PATH}; Max-Age=0; HttpOnly; SameSite=Lax`,
    ]);
    expect(await meOf(session)).toMatchObject({ person_id, email: "ada@example.com" });
    const shown = (await admin("GET", `/people/${person_id}`)).json as PersonAnswer;
    expect(shown.data).toMatchObject({ has_openid: true, has_password: false });
  });

  it("says in the audit log who, when and how", async () => {
    const person_id = await add("audited");
    provider.accounts.set("audited", verified("audited@example.com"));
    await signIn("audited");
    const at = new Date(clock.nowMs()).toISOString();
    const { data } = (await admin("GET", `/audit?actor=${person_id}`)).json as AuditAnswer;
    expect(data.map(({ kind, at, details }) => [kind, at, details])).toEqual([
      ["session.started", at, expect.objectContaining({ by: "openid" })],
      ["person.identity-linked", at, expect.objectContaining({ issuer: provider.settings.issuer })],
    ]);
    expect(JSON.stringify(data)).not.toContain("identity_ref");
  });

  it("goes on finding the person when the address there changes, and opens nobody else", async () => {
    const person_id = await add("moved");
    await add("owner", "later@example.com");
    provider.accounts.set("moved", verified("moved@example.com"));
    await signIn("moved");
    provider.accounts.set("moved", { email: "later@example.com", email_verified: false });
    const { session } = await signIn("moved");
    expect(await meOf(session)).toMatchObject({ person_id });
  });

  it("lets nobody else in by an address that has changed hands", async () => {
    const person_id = await add("first", "shared@example.com");
    provider.accounts.set("first", verified("shared@example.com"));
    provider.accounts.set("second", verified("shared@example.com"));
    expect((await signIn("first")).place).toBe(FIRST_PAGE);
    const { place, session } = await signIn("second");
    expect([place, session]).toEqual([failed("no-access"), undefined]);
    const { data } = (await admin("GET", `/audit?actor=${person_id}`)).json as AuditAnswer;
    expect(data.map(({ kind }) => kind)).toEqual(["session.started", "person.identity-linked"]);
  });

  it("stores neither the subject nor the address in words", async () => {
    await add("hidden-subject", "hidden@example.com");
    provider.accounts.set("hidden-subject", verified("hidden@example.com"));
    expect((await signIn("hidden-subject")).place).toBe(FIRST_PAGE);
    const { records } = await installation.deps.eventLog.read("tenants", 0, 0, 10_000);
    const bytes = Buffer.concat(records.map(({ value }) => Buffer.from(value ?? [])));
    expect(bytes.includes(provider.settings.issuer)).toBe(true);
    for (const secret of ["hidden-subject", "hidden@example.com"])
      expect(bytes.includes(secret)).toBe(false);
  });

  it("is finished by another node than it was begun on", async () => {
    await add("travels");
    provider.accounts.set("travels", verified("travels@example.com"));
    await using other = await openNode(installation.baseUrl);
    const begun = await begin();
    const answer = new URL(await visitProvider(urlOf(begun), { login: "travels" }));
    answer.port = `${other.port}`;
    expect((await comeBack(answer.href, begun.held)).place).toBe(FIRST_PAGE);
  });

  it("over https leads back there, and holds what it checks in a secure cookie", async () => {
    await using other = await openNode("https://feed.example");
    const begun = await begin({ ...installation, baseUrl: `http://127.0.0.1:${other.port}` });
    expect(begun.cookie).toMatch(
      /^__Secure-cf_openid=[\w-]+; Path=\/admin\/v1\/session\/openid; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { searchParams } = new URL(urlOf(begun));
    expect(searchParams.get("redirect_uri")).toBe(`https://feed.example${PATH}/callback`);
  });
});

describe("Nobody signs in", () => {
  it("whom nobody has added, and nobody is made", async () => {
    provider.accounts.set("stranger", verified("stranger@example.com"));
    const before = (await admin("GET", "/people")).text;
    const { place, session } = await signIn("stranger");
    expect([place, session]).toEqual([failed("no-access"), undefined]);
    expect((await admin("GET", "/people")).text).toBe(before);
  });

  it.each([{ email_verified: false }, {}])(
    "with an address that the provider has not verified: %j",
    async (claims) => {
      await add(`unverified-${Object.keys(claims).length}`);
      const email = `unverified-${Object.keys(claims).length}@example.com`;
      provider.accounts.set("unverified", { email, ...claims });
      const { place, session } = await signIn("unverified");
      expect([place, session]).toEqual([failed("unverified"), undefined]);
    },
  );

  it("who is disabled, known there or not", async () => {
    const person_id = await add("disabled");
    provider.accounts.set("disabled", verified("disabled@example.com"));
    await signIn("disabled");
    await admin("PATCH", `/people/${person_id}`, { status: "disabled" });
    const { place, session } = await signIn("disabled");
    expect([place, session]).toEqual([failed("no-access"), undefined]);
  });

  it("who does not agree that the installation is told", async () => {
    const { place, session } = await signIn("ada", { consents: false });
    expect([place, session]).toEqual([failed("refused"), undefined]);
  });

  it("with a state that was changed, or is another browser's", async () => {
    const begun = await begin();
    const answer = await visitProvider(urlOf(begun), { login: "ada" });
    const changed = new URL(answer);
    changed.searchParams.set("state", "A".repeat(43));
    const other = await begin();
    for (const [address, held] of [
      [changed.href, begun.held],
      [answer, other.held],
      [answer, ""],
      [answer, begun.held.slice(0, -2)],
    ] as const) {
      const { place, session, cookies } = await comeBack(address, held);
      expect([place, session, cookies]).toEqual([failed("expired"), undefined, []]);
    }
    expect((await comeBack(answer, begun.held)).place).toBe(FIRST_PAGE);
  });

  it("with a nonce that is not of the request", async () => {
    const begun = await begin();
    const url = new URL(urlOf(begun));
    url.searchParams.set("nonce", "A".repeat(43));
    const { place, session } = await comeBack(
      await visitProvider(url.href, { login: "ada" }),
      begun.held,
    );
    expect([place, session]).toEqual([failed("not-accepted"), undefined]);
  });

  it("twice by one answer, whatever the provider would say", async () => {
    const begun = await begin();
    const answer = await visitProvider(urlOf(begun), { login: "ada" });
    expect((await comeBack(answer, begun.held)).place).toBe(FIRST_PAGE);
    const before = provider.asked.length;
    expect((await comeBack(answer, begun.held)).place).toBe(failed("expired"));
    expect(provider.asked.length).toBe(before);
  });

  it("who takes ten minutes", async () => {
    const begun = await begin();
    const answer = await visitProvider(urlOf(begun), { login: "ada" });
    clock.advance(10 * 60_000);
    expect((await comeBack(answer, begun.held)).place).toBe(failed("expired"));
  });

  it("more often than passwords may be tried from one address", async () => {
    const headers = { "X-Forwarded-For": "192.0.2.77" };
    const statuses: number[] = [];
    for (let time = 0; time < 31; time += 1) {
      clock.advance(100);
      statuses.push((await call(installation, "POST", PATH, { key: null, headers })).status);
    }
    expect([statuses[29], statuses.at(-1)]).toEqual([200, 429]);
  });
});

describe("While the provider", () => {
  it("has just changed its keys, people sign in", async () => {
    expect((await signIn("ada")).place).toBe(FIRST_PAGE);
    provider.rotateKeys();
    expect((await signIn("ada")).place).toBe(FIRST_PAGE);
  });

  it.each<[string, RequestListener]>([
    ["is broken", (_, response) => response.writeHead(500).end()],
    ["does not answer", () => undefined],
  ])("%s, that is said, and passwords work", async (_, listener) => {
    const person_id = await add(`patient-${tries}`);
    const begun = await begin();
    const answer = await visitProvider(urlOf(begun), { login: "ada" });
    provider.interrupt(listener);
    asked = openOpenIdProvider(provider.settings, { clock, timeoutMs: NEVER_MS });
    expect((await comeBack(answer, begun.held)).place).toBe(failed("away"));
    const again = await begin();
    expect(again.answer.json).toMatchObject({
      status: 503,
      detail: "The identity provider can't be reached at the moment. Signing in by password works.",
    });
    expect(again.cookie).toBe("");
    await withPassword(person_id);
  });
});

/** Another API node of the same installation, with a view of the provider of its own. */
async function openNode(baseUrl: string) {
  const { deps } = installation;
  const api = createHttpApi({
    ...deps,
    settings: { ...deps.settings, baseUrl },
    openId: openOpenIdProvider(provider.settings, { clock, timeoutMs: PATIENT_MS }),
    metrics: new Registry(),
  });
  const { port } = await api.listen({ host: "127.0.0.1", port: 0 });
  return { port, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

/** Sets a password by a link and signs in with it. */
async function withPassword(personId: string): Promise<void> {
  const made = await admin("POST", `/people/${personId}/sign-in-link`);
  const { token } = (made.json as SignInLinkAnswer).data;
  const post = (path: string, body: unknown) =>
    call(installation, "POST", `/admin/v1${path}`, { key: null, body });
  const session = sessionOf(installation, await post("/session/link", { token }));
  await session.call("PUT", "/me/password", { new_password: PASSWORD });
  const signedIn = await post("/session", { email: session.me.email, password: PASSWORD });
  expect(signedIn.status).toBe(200);
}
