import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallationConfig } from "@feed/engines";
import { ConfigError, LOG_LEVELS, readConfig, type ConfigSpec } from "@feed/runtime";

const ADMIN_TOKEN_FILE = "admin.token";
const OWNER_ONLY = 0o600;

/** How an installation's own sites may be asked: faster than a stranger's. */
export const OWN_ORIGIN = { requestsAtOnce: 6, delayMs: 0 };

/** Sent with every request to a publisher; its product token is what a robots.txt names. */
export const USER_AGENT = "ContentFeedBot/0.1";

/** Settings of an installation that have no flag. `up` reads them from the environment once. */
export const INSTALLATION_SETTINGS = {
  embedder: {
    kind: "text",
    variable: "EMBEDDER",
    doc: "what makes vectors: hashed:256, onnx:DIRECTORY#MODEL, or the address of an OpenAI-compatible endpoint",
    fallback: "hashed:256",
  },
  embedderApiKey: {
    kind: "text",
    variable: "EMBEDDER_API_KEY",
    doc: "bearer token of an embedding endpoint; empty: none",
    fallback: "",
  },
  rootSecret: {
    kind: "text",
    variable: "ROOT_SECRET",
    doc: "base64 of the 32 bytes that all keys are derived from; empty: kept in the data directory",
    fallback: "",
  },
  adminToken: {
    kind: "text",
    variable: "ADMIN_TOKEN",
    doc: "bearer token of /admin/v1; empty: made once and kept in the data directory",
    fallback: "",
  },
  publicUrl: {
    kind: "text",
    variable: "PUBLIC_URL",
    doc: "http or https address under which callers reach the service; empty: where it listens",
    fallback: "",
  },
  problemBase: {
    kind: "text",
    variable: "PROBLEM_BASE",
    doc: "address in front of /probs/… in problem types; empty: the base URL",
    fallback: "",
  },
  ownOrigins: {
    kind: "text",
    variable: "OWN_ORIGINS",
    doc: "origins (http://10.0.0.5:8080), separated by commas, that are crawled though their addresses are private",
    fallback: "",
  },
  trustedProxies: {
    kind: "text",
    variable: "TRUSTED_PROXIES",
    doc: "addresses or CIDR ranges, separated by commas, whose X-Forwarded-For is believed",
    fallback: "",
  },
  logLevel: {
    kind: "text",
    variable: "LOG_LEVEL",
    doc: "least level that is logged to standard error",
    oneOf: LOG_LEVELS,
    fallback: "warn",
  },
} as const satisfies ConfigSpec;

/** Settings as given, checked beyond their kind. Errors: ConfigError, one line for each violation. */
export function readInstallationSettings(env: Readonly<Record<string, string | undefined>>) {
  const config = readConfig(INSTALLATION_SETTINGS, env);
  const addresses = { PUBLIC_URL: config.publicUrl, PROBLEM_BASE: config.problemBase };
  const notOrigins = ownOriginsOf(config).filter((text) => URL.parse(text)?.origin !== text);
  const violations = Object.entries(addresses)
    .filter(
      ([, address]) => address !== "" && !/^https?:$/.test(URL.parse(address)?.protocol ?? ""),
    )
    .map(([variable]) => `${variable} must be an http or https address`);
  if (notOrigins.length > 0)
    violations.push("OWN_ORIGINS must be origins such as http://10.0.0.5:8080, without a path");
  if (violations.length > 0) throw new ConfigError(violations);
  return config;
}

/** The origins of OWN_ORIGINS. */
export function ownOriginsOf({ ownOrigins }: { readonly ownOrigins: string }): readonly string[] {
  return ownOrigins.split(",").flatMap((origin) => origin.trim() || []);
}

/** What every role needs to open its part of an installation. */
export function installationOf(
  dataDirectory: string,
  config: ReturnType<typeof readInstallationSettings>,
): InstallationConfig {
  const { embedder, embedderApiKey, rootSecret } = config;
  return {
    dataDirectory,
    embedder,
    ...(embedderApiKey === "" ? {} : { embedderApiKey }),
    ...(rootSecret === "" ? {} : { rootSecret }),
  };
}

/** The admin token as configured, else the one made at the first start and kept for its owner alone. */
export async function adminTokenOf(dataDirectory: string, configured: string): Promise<string> {
  if (configured !== "") return configured;
  const path = join(dataDirectory, ADMIN_TOKEN_FILE);
  await mkdir(dataDirectory, { recursive: true });
  try {
    await writeFile(path, `cf_admin_${randomBytes(24).toString("base64url")}`, {
      flag: "wx",
      mode: OWNER_ONLY,
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return (await readFile(path, "utf8")).trim();
}
