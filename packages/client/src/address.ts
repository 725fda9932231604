import { ClientUsageError } from "./errors.ts";

interface Route {
  readonly path: string;
  readonly query: readonly string[];
}

/** Values by name; a list is sent as one value with commas (OpenAPI: form, not exploded). */
export type ParameterValues = Readonly<Record<string, unknown>>;

/**
 * Where a service is: without a slash at the end.
 *
 * @throws ClientUsageError for what is no address of HTTP, or carries a query, a fragment or credentials.
 */
export function baseAddress(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch (error) {
    throw new ClientUsageError(`baseUrl is no address: ${baseUrl}`, { cause: error });
  }
  const isPlain =
    url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!/^https?:$/.test(url.protocol) || !isPlain)
    throw new ClientUsageError("baseUrl must be http(s)://host[:port][/path] and no more");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/**
 * Path and query of an operation, percent-encoded.
 *
 * @throws ClientUsageError for a value that can't be a step of a path.
 */
export function pathOf({ path, query }: Route, values: ParameterValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => step(name, values[name]));
  const search = new URLSearchParams();
  for (const name of query) {
    const value = values[name];
    if (value === undefined) continue;
    search.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

function step(name: string, value: unknown): string {
  // Every HTTP client takes such a step as "here" or "one up", even percent-encoded: another resource.
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new ClientUsageError(`${name} can't be part of an address: ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}
