import type { Schema } from "./openapi-document.ts";

/** Parameters looked at in one query; further ones are ignored. */
const QUERY_PARAMETERS_MAX = 200;
/** Longer integers would not be exact. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

/** Values by name, in order; undefined for one that is no percent-encoded UTF-8. */
export function readQuery(
  querystring: string,
): ReadonlyMap<string, readonly (string | undefined)[]> {
  const query = new Map<string, (string | undefined)[]>();
  if (querystring === "") return query;
  for (const pair of querystring.split("&", QUERY_PARAMETERS_MAX)) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || name === "") continue;
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    const known = query.get(name);
    if (known === undefined) query.set(name, [value]);
    else known.push(value);
  }
  return query;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/**
 * The text of a parameter as its schema's type. What is written otherwise than the one way (`1e3`, `-0`,
 * `yes`) stays text, which the schema then refuses.
 */
export function typedValue(text: string, schema: Schema): unknown {
  switch (schema["type"]) {
    case "integer":
      return INTEGER.test(text) ? Number(text) : text;
    case "boolean":
      if (text === "true") return true;
      return text === "false" ? false : text;
    case "array":
      return text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
    default:
      return text;
  }
}
