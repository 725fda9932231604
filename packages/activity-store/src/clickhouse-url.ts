import type { ActivityStoreOptions, ClickHouseEndpoint } from "./clickhouse.ts";
import { isServedName } from "./databases.ts";

/** A server, and what of it belongs to one installation. */
export interface ClickHouseAddress extends ClickHouseEndpoint {
  readonly options?: ActivityStoreOptions;
}

const SCHEMES: Readonly<Record<string, string>> = {
  "clickhouse+http:": "http:",
  "clickhouse+https:": "https:",
};
const DATABASE_PREFIX = /^[a-z][a-z0-9_]{0,60}$/;
const PARAMETERS = ["keep-months"];
const MONTHS_MAX = 1_200;
const READING_PASSWORD_LENGTH_MIN = 16;

/**
 * Reads `clickhouse+http[s]://user:password@host:8123[/database-prefix][?keep-months=25]`.
 *
 * @throws Error that says in words what is wrong, without repeating the URL: it may hold a password.
 */
export function parseClickHouseUrl(text: string): ClickHouseAddress {
  const scheme = /^[a-z+]+:/.exec(text)?.[0] ?? "";
  const protocol = SCHEMES[scheme];
  const url = protocol === undefined ? null : URL.parse(protocol + text.slice(scheme.length));
  if (url === null) throw new Error("must look like clickhouse+http://user:password@host:8123");
  const databasePrefix = url.pathname.slice(1);
  if (databasePrefix !== "" && !DATABASE_PREFIX.test(databasePrefix))
    throw new Error("has a database prefix that is not up to 61 lower-case letters, digits or _");
  // The database of the views has the prefix itself for its name.
  if (!isServedName(databasePrefix))
    throw new Error("has a database prefix that is the name of another database");
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name))
      throw new Error(`knows no parameter ${name}, only ${PARAMETERS.join(", ")}`);
  }
  const keepMonths = keepMonthsOf(url.searchParams.get("keep-months"));
  const [username = "", password = ""] = [url.username, url.password].map(decodeURIComponent);
  return {
    url: url.origin,
    username: username === "" ? "default" : username,
    password,
    options: {
      ...(databasePrefix !== "" && { databasePrefix }),
      ...(keepMonths !== undefined && { keepMonths }),
    },
  };
}

/**
 * Reads `clickhouse+http://user:password@host:8124`: where the embedded engine answers data teams, and as whom.
 *
 * @throws Error that says in words what is wrong, without repeating the URL.
 */
export function parseReadingUrl(text: string): ClickHouseEndpoint {
  const url = text.startsWith("clickhouse+http:")
    ? URL.parse(text.slice("clickhouse+".length))
    : null;
  if (
    url === null ||
    url.username === "" ||
    url.port === "" ||
    `${url.pathname}${url.search}` !== "/"
  )
    throw new Error("must look like clickhouse+http://user:password@127.0.0.1:8124");
  const [username = "", password = ""] = [url.username, url.password].map(decodeURIComponent);
  if (password.length < READING_PASSWORD_LENGTH_MIN)
    throw new Error(`needs a password of at least ${READING_PASSWORD_LENGTH_MIN} characters`);
  return { url: url.origin, username, password };
}

function keepMonthsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const months = Number(text);
  if (!Number.isInteger(months) || months < 1 || months > MONTHS_MAX)
    throw new Error(`has keep-months that are not 1 to ${MONTHS_MAX}`);
  return months;
}
