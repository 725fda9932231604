import { issuerFault } from "@feed/openid/issuer";
import type { OpenIdSettings } from "@feed/openid/port";
import { systemClock } from "@feed/runtime";

/** On a button. */
const NAME_CHARS_MAX = 60;

interface OpenIdConfig {
  readonly openIdIssuer: string;
  readonly openIdClientId: string;
  readonly openIdClientSecret: string;
  readonly openIdName: string;
  readonly publicUrl: string;
}

/** What is wrong with the settings of the identity provider, in one line each. */
export function openIdViolations(config: OpenIdConfig): readonly string[] {
  const { openIdIssuer, openIdClientId, openIdClientSecret, openIdName, publicUrl } = config;
  if (openIdIssuer === "") {
    const others = openIdClientId + openIdClientSecret + openIdName;
    return others === "" ? [] : ["OPENID_ISSUER is not set, and other settings of a provider are"];
  }
  const violations: string[] = [];
  const fault = issuerFault(openIdIssuer);
  if (fault !== undefined) violations.push(`OPENID_ISSUER ${fault}`);
  if (openIdClientId === "") violations.push("OPENID_CLIENT_ID is not set beside OPENID_ISSUER");
  if (openIdClientSecret === "")
    violations.push("OPENID_CLIENT_SECRET is not set beside OPENID_ISSUER");
  if (openIdName.length > NAME_CHARS_MAX)
    violations.push(`OPENID_NAME must have at most ${NAME_CHARS_MAX} characters`);
  if (publicUrl === "" && openIdIssuer.startsWith("https:"))
    violations.push(
      "PUBLIC_URL is not set: the provider of OPENID_ISSUER sends browsers back there",
    );
  return violations;
}

/** Undefined where there is no provider. The name is the issuer's host where none is set. */
export function openIdSettingsOf(config: OpenIdConfig): OpenIdSettings | undefined {
  const { openIdIssuer: issuer, openIdClientId: clientId, openIdClientSecret } = config;
  if (issuer === "") return undefined;
  const name = config.openIdName === "" ? new URL(issuer).host : config.openIdName;
  return { issuer, clientId, clientSecret: openIdClientSecret, name };
}

/** Asks the provider to describe itself. A line where it can't be used. */
export async function openIdFailures(
  settings: OpenIdSettings | undefined,
): Promise<readonly string[]> {
  if (settings === undefined) return [];
  const { openOpenIdProvider } = await import("@feed/openid");
  try {
    await openOpenIdProvider(settings, { clock: systemClock }).begin("http://127.0.0.1");
    return [];
  } catch (error) {
    return [`OPENID_ISSUER ${error instanceof Error ? error.message : String(error)}`];
  }
}
