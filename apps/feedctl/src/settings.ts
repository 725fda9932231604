import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseReadingUrl } from "@feed/activity-store/clickhouse-url";
import type { InstallationConfig } from "@feed/engines";
import { engineUrlViolations, type EngineUrls } from "@feed/engines/engine-urls";
import type { HttpApiSettings } from "@feed/http-api";
import { ConfigError, LOG_LEVELS, readConfig, type ConfigSpec } from "@feed/runtime";
import { openIdViolations } from "./openid-settings.ts";
import { WEBHOOK_TARGETS } from "@feed/webhooks/targets";

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
  openIdIssuer: {
    kind: "text",
    variable: "OPENID_ISSUER",
    doc: "issuer of the identity provider through which people may sign in: https, or http on loopback; empty: none",
    fallback: "",
  },
  openIdClientId: {
    kind: "text",
    variable: "OPENID_CLIENT_ID",
    doc: "client id of this installation at the provider",
    fallback: "",
  },
  openIdClientSecret: {
    kind: "text",
    variable: "OPENID_CLIENT_SECRET",
    doc: "client secret of this installation at the provider",
    fallback: "",
  },
  openIdName: {
    kind: "text",
    variable: "OPENID_NAME",
    doc: "name of the provider on the sign-in page; empty: the issuer's host",
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
  webhookTargets: {
    kind: "text",
    variable: "WEBHOOK_TARGETS",
    doc: "where webhooks may go: public (https, and addresses of the public internet) or any",
    oneOf: WEBHOOK_TARGETS,
    fallback: "any",
  },
  eventLog: {
    kind: "text",
    variable: "EVENT_LOG",
    doc: "kafka://host:9092,host:9092/prefix; empty: embedded",
    fallback: "",
  },
  schemaRegistry: {
    kind: "text",
    variable: "SCHEMA_REGISTRY",
    doc: "http://host:8081, beside a log in Kafka; empty: the schemas' own ids",
    fallback: "",
  },
  contentIndex: {
    kind: "text",
    variable: "CONTENT_INDEX",
    doc: "elasticsearch+http://host:9200/prefix; empty: embedded",
    fallback: "",
  },
  activityStore: {
    kind: "text",
    variable: "ACTIVITY_STORE",
    doc: "clickhouse+http://user:password@host:8123/prefix; empty: embedded",
    fallback: "",
  },
  readState: {
    kind: "text",
    variable: "READ_STATE",
    doc: "redis://host:6379, or redis-cluster://host:6379; empty: embedded",
    fallback: "",
  },
  objectStore: {
    kind: "text",
    variable: "OBJECT_STORE",
    doc: "s3+http://key:secret@host:9000/bucket; empty: files in the data directory",
    fallback: "",
  },
  dataTeamEndpoint: {
    kind: "text",
    variable: "DATA_TEAM_ENDPOINT",
    doc: "clickhouse+http://user:password@127.0.0.1:8124, where data teams may query the embedded activity store; empty: nowhere",
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
  violations.push(...engineUrlViolations(enginesOf(config), ENGINE_VARIABLES));
  violations.push(...dataTeamViolations(config), ...openIdViolations(config));
  if (violations.length > 0) throw new ConfigError(violations);
  return config;
}

function dataTeamViolations({
  dataTeamEndpoint,
  activityStore,
}: Readonly<Record<"dataTeamEndpoint" | "activityStore", string>>): readonly string[] {
  if (dataTeamEndpoint === "") return [];
  if (activityStore !== "")
    return [
      "DATA_TEAM_ENDPOINT is of no use with ACTIVITY_STORE: a server has accounts of its own",
    ];
  try {
    parseReadingUrl(dataTeamEndpoint);
    return [];
  } catch (error) {
    return [`DATA_TEAM_ENDPOINT ${error instanceof Error ? error.message : String(error)}`];
  }
}

type EngineName = keyof EngineUrls;

const ENGINE_NAMES = [
  "eventLog",
  "schemaRegistry",
  "contentIndex",
  "activityStore",
  "readState",
  "objectStore",
] as const;
export const ENGINE_VARIABLES = Object.fromEntries(
  ENGINE_NAMES.map((name) => [name, INSTALLATION_SETTINGS[name].variable]),
) as Record<EngineName, string>;

/** The URLs that are set. */
export function enginesOf(config: Readonly<Record<EngineName, string>>): EngineUrls {
  return Object.fromEntries(
    ENGINE_NAMES.flatMap((name) => (config[name] === "" ? [] : [[name, config[name]]])),
  );
}

const SECRETS: ReadonlySet<string> = new Set([
  "EMBEDDER_API_KEY",
  "ROOT_SECRET",
  "ADMIN_TOKEN",
  "OPENID_CLIENT_SECRET",
]);

/** Every variable with what holds for it; secrets, also those within URLs, are not told. */
export function effectiveSettings(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(INSTALLATION_SETTINGS).map(({ variable, fallback }) => {
      const value = env[variable];
      if (value === undefined || value === "") return [variable, fallback === "" ? "-" : fallback];
      return [variable, SECRETS.has(variable) ? "***" : withoutPassword(value)];
    }),
  );
}

function withoutPassword(value: string): string {
  return value.replace(/:\/\/[^@/?]*@/, "://***@");
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
    engines: enginesOf(config),
    ...(embedderApiKey === "" ? {} : { embedderApiKey }),
    ...(rootSecret === "" ? {} : { rootSecret }),
  };
}

/** Where others reach the service, if that was said. */
export function publicUrlOf({ publicUrl }: { readonly publicUrl: string }): {
  readonly publicUrl?: string;
} {
  return publicUrl === "" ? {} : { publicUrl: normalised(publicUrl) };
}

/** Settings of the API. */
export function httpSettings(
  { trustedProxies, publicUrl, problemBase }: ReturnType<typeof readInstallationSettings>,
  adminToken: string,
): HttpApiSettings {
  return {
    adminToken,
    trustedProxies: trustedProxies.split(",").flatMap((range) => range.trim() || []),
    ...(publicUrl === "" ? {} : { baseUrl: normalised(publicUrl) }),
    ...(problemBase === "" ? {} : { problemBase: normalised(problemBase) }),
  };
}

/** Host and scheme in small letters and no default port: what is compared with it comes from a URL. */
function normalised(address: string): string {
  return new URL(address).href.replace(/\/+$/, "");
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
