import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LOG_LEVELS, type ConfigSpec } from "@feed/runtime";

const ADMIN_TOKEN_FILE = "admin.token";
const OWNER_ONLY = 0o600;

/** Settings of an installation that have no flag. `up` reads them from the environment once. */
export const INSTALLATION_SETTINGS = {
  embedder: {
    kind: "text",
    variable: "EMBEDDER",
    doc: "what makes vectors: hashed:256, onnx:DIRECTORY#MODEL, or the address of an OpenAI-compatible endpoint",
    fallback: "hashed:256",
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
  baseUrl: {
    kind: "text",
    variable: "BASE_URL",
    doc: "address under which callers reach the service; empty: where it listens",
    fallback: "",
  },
  problemBase: {
    kind: "text",
    variable: "PROBLEM_BASE",
    doc: "address in front of /probs/… in problem types; empty: the base URL",
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
