import { startTestProvider, type TestProvider } from "@feed/openid/testing/test-provider";
import { freePort } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configCommand } from "./config.ts";
import { runHere } from "./run-here.fixture.ts";

let provider: TestProvider;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  provider = await startTestProvider();
  provider.serve("http://127.0.0.1:9/back");
  const { issuer, clientId, clientSecret } = provider.settings;
  environment = {
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: clientId,
    OPENID_CLIENT_SECRET: clientSecret,
  };
});
afterAll(() => provider[Symbol.asyncDispose]());

const check = (changed: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
  runHere(configCommand(), ["config", "check", ...flags], { ...environment, ...changed });

/** Looked at again where this process, the provider's too, stood still for longer than a provider may take. */
async function checkAnswered(changed: Readonly<Record<string, string>>) {
  for (;;) {
    const outcome = await check(changed);
    if (!/aborted due to timeout/.test(outcome.stderr)) return outcome;
  }
}

describe("feedctl config check of an identity provider", () => {
  it("finds it well, and tells its settings without the secret", async () => {
    const { stdout, stderr, code } = await checkAnswered({});
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/^OPENID_CLIENT_ID {5}content-feed$/m);
    expect(stdout).toMatch(/^OPENID_CLIENT_SECRET \*\*\*$/m);
  });

  it.each([
    [{ OPENID_ISSUER: "http://id.example" }, "OPENID_ISSUER must be an https address: http is"],
    [{ OPENID_ISSUER: "" }, "OPENID_ISSUER is not set, and other settings of a provider are"],
    [{ OPENID_CLIENT_ID: "" }, "OPENID_CLIENT_ID is not set beside OPENID_ISSUER"],
    [{ OPENID_CLIENT_SECRET: "" }, "OPENID_CLIENT_SECRET is not set beside OPENID_ISSUER"],
    [{ OPENID_NAME: "x".repeat(61) }, "OPENID_NAME must have at most 60 characters"],
    [{ OPENID_ISSUER: "https://id.example", PUBLIC_URL: "" }, "PUBLIC_URL is not set"],
  ])("says what is wrong with %j", async (changed, line) => {
    const { stderr, code } = await check(changed, "--no-connect");
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(line)]);
  });

  it("says that nobody listens there, and that somebody else does", async () => {
    const nobody = await checkAnswered({ OPENID_ISSUER: `http://localhost:${await freePort()}` });
    expect(nobody.stderr).toMatch(/OPENID_ISSUER http:\/\/localhost:\d+: .*ECONNREFUSED/);
    const { port } = new URL(provider.settings.issuer);
    const other = await checkAnswered({ OPENID_ISSUER: `http://127.0.0.1:${port}` });
    expect(other.stderr).toMatch(/OPENID_ISSUER .*issuer does not match/);
  });
});
