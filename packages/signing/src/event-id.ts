import { hash } from "node:crypto";

/** What JSON.parse gives. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * Id of an event that was sent without one: SHA-256 of all its fields as sent, in base64url (decisions,
 * "Users, events, sessions"). The order of the fields does not matter; the depth is bounded by the body
 * reader.
 */
export function eventIdOf(fields: { readonly [name: string]: JsonValue }): string {
  return hash("sha256", canonical(fields), "base64url");
}

/** JSON with sorted names and no white space (RFC 8785). */
function canonical(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.entries(value as { readonly [name: string]: JsonValue });
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}
