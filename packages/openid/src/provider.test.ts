import { freePort, manualClock } from "@feed/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerNotAccepted, ConsentRefused, ProviderAway } from "./port.ts";
import type { OpenIdProvider, OpenIdSettings } from "./port.ts";
import { openOpenIdProvider } from "./provider.ts";
import { startTestProvider, type TestProvider } from "./testing/test-provider.ts";
import { visitProvider } from "./testing/visitor.ts";

const REDIRECT_URI = "http://127.0.0.1:9/back";
const NEVER_MS = 300;
/** For answers that come, however busy the machine is. */
const PATIENT_MS = 120_000;
const clock = manualClock(Date.now());

let there: TestProvider;
let provider: OpenIdProvider;
beforeAll(async () => {
  there = await startTestProvider();
  there.serve(REDIRECT_URI);
  there.accounts.set("ada", { email: "ada@example.com", email_verified: true });
});
afterAll(() => there[Symbol.asyncDispose]());
beforeEach(() => {
  there.interrupt(undefined);
  provider = open(there.settings);
});

const open = (settings: OpenIdSettings): OpenIdProvider =>
  openOpenIdProvider(settings, { clock, timeoutMs: PATIENT_MS });

/** Signs in at the provider, with the request changed on its way. */
const goAndReturn = async (change: (request: URL) => void = () => undefined) => {
  const begun = await provider.begin(REDIRECT_URI);
  const request = new URL(begun.url);
  change(request);
  const answer = new URL(await visitProvider(request.href, { login: "ada" }));
  return { begun, answer };
};

/** Has the provider describe itself otherwise, and do nothing else. */
const describeWith = async (change: object) => {
  const { issuer } = there.settings;
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const changed = JSON.stringify({ ...(metadata as object), ...change });
  there.interrupt((_, response) =>
    response.setHeader("content-type", "application/json").end(changed),
  );
};

describe("A provider", () => {
  it.each([true, false])(
    "says who came back, with the address in the ID token: %s",
    async (isEmailInIdToken) => {
      await using other = await startTestProvider({ isEmailInIdToken });
      other.serve(REDIRECT_URI);
      other.accounts.set("ada", { email: "ada@example.com", email_verified: true });
      provider = open(other.settings);
      const { begun, answer } = await goAndReturn();
      expect(await provider.finish(answer, begun)).toEqual({
        issuer: other.settings.issuer,
        subject: "ada",
        email: "ada@example.com",
        isEmailVerified: true,
      });
      expect(other.asked.includes("/me")).toBe(!isEmailInIdToken);
    },
  );

  it.each([{ email: "x@example.com" }, { email: "x@example.com", email_verified: "true" }])(
    "has verified an address only where it says so: %j",
    async (claims) => {
      there.accounts.set("vague", claims);
      const begun = await provider.begin(REDIRECT_URI);
      const answer = new URL(await visitProvider(begun.url, { login: "vague" }));
      expect(await provider.finish(answer, begun)).toMatchObject({ isEmailVerified: false });
    },
  );

  it("is asked for one code, with state, nonce and a challenge, and for no more than the address", async () => {
    const { url, state, nonce, verifier } = await provider.begin(REDIRECT_URI);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: there.settings.clientId,
      redirect_uri: REDIRECT_URI,
      scope: "openid email",
      state,
      nonce,
      code_challenge_method: "S256",
    });
    expect(url).not.toContain(verifier);
    const other = await provider.begin(REDIRECT_URI);
    expect(new Set([state, nonce, verifier, other.state, other.nonce, other.verifier]).size).toBe(
      6,
    );
  });

  it("may change its keys at any time", async () => {
    const before = await goAndReturn();
    await provider.finish(before.answer, before.begun);
    const { begun, answer } = await goAndReturn();
    there.rotateKeys();
    expect(await provider.finish(answer, begun)).toMatchObject({ subject: "ada" });
  });
});

describe("An answer is not accepted", () => {
  it("with another state", async () => {
    const { begun, answer } = await goAndReturn();
    answer.searchParams.set("state", "another");
    await expect(provider.finish(answer, begun)).rejects.toThrow(AnswerNotAccepted);
  });

  it("with the nonce of another request", async () => {
    const { begun, answer } = await goAndReturn(({ searchParams }) =>
      searchParams.set("nonce", "another"),
    );
    await expect(provider.finish(answer, begun)).rejects.toThrow(
      'unexpected ID Token "nonce" claim value',
    );
  });

  it("to a challenge that is not ours", async () => {
    const { begun, answer } = await goAndReturn();
    const other = await provider.begin(REDIRECT_URI);
    const checks = { ...begun, verifier: other.verifier };
    await expect(provider.finish(answer, checks)).rejects.toThrow("400 invalid_grant");
  });

  it("twice", async () => {
    const { begun, answer } = await goAndReturn();
    await provider.finish(answer, begun);
    await expect(provider.finish(answer, begun)).rejects.toThrow("400 invalid_grant");
  });

  it("of another issuer", async () => {
    const { begun, answer } = await goAndReturn();
    answer.searchParams.set("iss", "http://localhost:1");
    await expect(provider.finish(answer, begun)).rejects.toThrow(AnswerNotAccepted);
  });

  it("with a secret that is not ours, and nothing is told but that", async () => {
    const settings = { ...there.settings, clientSecret: "not-the-secret" };
    provider = open(settings);
    const { begun, answer } = await goAndReturn();
    const failed = await provider.finish(answer, begun).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AnswerNotAccepted);
    expect(String(failed)).toMatch(/answered 40[01]/);
    expect(Object.keys(failed as Error)).not.toContain("cause");
  });

  it("signed with a key that the provider does not publish", async () => {
    const { begun, answer } = await goAndReturn();
    await using other = await startTestProvider();
    other.serve(REDIRECT_URI);
    await describeWith({ jwks_uri: `${other.settings.issuer}/jwks` });
    provider = open(there.settings);
    await provider.begin(REDIRECT_URI);
    there.interrupt(undefined);
    await expect(provider.finish(answer, begun)).rejects.toThrow(AnswerNotAccepted);
  });
});

describe("Somebody who does not agree", () => {
  it("is nobody", async () => {
    const begun = await provider.begin(REDIRECT_URI);
    const answer = await visitProvider(begun.url, { login: "ada", consents: false });
    await expect(provider.finish(new URL(answer), begun)).rejects.toThrow(ConsentRefused);
  });
});

describe("A provider is away", () => {
  it.each([
    ["answers 500", 500, ""],
    ["asks to wait", 429, ""],
    ["answers without end", 200, "x".repeat(1_000_000)],
  ])("that %s", async (_, status, body) => {
    there.interrupt((_request, response) => response.writeHead(status).end(body));
    await expect(provider.begin(REDIRECT_URI)).rejects.toThrow(ProviderAway);
  });

  it("that never answers, and one where nobody listens", async () => {
    there.interrupt(() => undefined);
    provider = openOpenIdProvider(there.settings, { clock, timeoutMs: NEVER_MS });
    await expect(provider.begin(REDIRECT_URI)).rejects.toThrow(ProviderAway);
    const issuer = `http://localhost:${await freePort()}`;
    const nobody = open({ ...there.settings, issuer });
    await expect(nobody.begin(REDIRECT_URI)).rejects.toThrow(ProviderAway);
  });

  it("for no longer than it is: its next answer is believed, and asked for again after ten minutes", async () => {
    there.interrupt((_, response) => response.writeHead(503).end());
    await expect(provider.begin(REDIRECT_URI)).rejects.toThrow(ProviderAway);
    there.interrupt(undefined);
    await provider.begin(REDIRECT_URI);
    there.interrupt((_, response) => response.writeHead(503).end());
    await provider.begin(REDIRECT_URI);
    clock.advance(10 * 60_000);
    await expect(provider.begin(REDIRECT_URI)).rejects.toThrow(ProviderAway);
  });
});

describe("Metadata", () => {
  it.each([
    ["of another issuer", { issuer: "http://localhost:1" }],
    ["with a way in without TLS", { authorization_endpoint: "http://id.example/auth" }],
    ["without a way in", { authorization_endpoint: undefined }],
  ])("%s is not accepted", async (_, change) => {
    await describeWith(change);
    await expect(provider.begin(REDIRECT_URI)).rejects.toThrow(AnswerNotAccepted);
  });
});
