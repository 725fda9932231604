import type { EntriesField } from "./setting-fields.ts";

/** A thing of a list, and its number. */
export interface Entry {
  /** `source`, `category` or `article`. */
  readonly match: string;
  readonly id: string;
  /** NaN where none is written. */
  readonly number: number;
}

/** Things that name no kind are sources. */
const KIND_UNNAMED = "source";

/** The entry that a value of the API is; undefined for a value that is none. */
export function entryOf(value: unknown): Entry | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const { id, match = KIND_UNNAMED } = members;
  const number = Object.values(members).find((member) => typeof member === "number");
  if (typeof id !== "string" || typeof match !== "string") return undefined;
  return { match, id, number: number ?? Number.NaN };
}

export function entriesOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.flatMap((each: unknown) => entryOf(each) ?? []) : [];
}

/** An entry as the API takes it. */
export function valueOfEntry(
  { matches, number: { name } }: Pick<EntriesField, "matches" | "number">,
  { match, id, number }: Entry,
): Readonly<Record<string, string | number>> {
  return { ...(matches !== undefined && { match }), id, [name]: number };
}

/** The kinds of things a field takes. */
export function kindsOf({ matches }: Pick<EntriesField, "matches">): readonly string[] {
  return matches ?? [KIND_UNNAMED];
}

/** Of things with names, those whose name or id has the text, whatever its case; all where it is empty. */
export function named(
  things: readonly (readonly [id: string, name: string])[],
  text: string,
): readonly (readonly [id: string, name: string])[] {
  const wanted = text.trim().toLowerCase();
  return things.filter((names) => names.some((name) => name.toLowerCase().includes(wanted)));
}
