import { hash } from "node:crypto";
import type { Type } from "avsc";
import { avroType } from "./avro-type.ts";
import type { SchemaEntry, SchemaFolder } from "./bundled.ts";

interface Version {
  readonly entry: SchemaEntry;
  readonly type: Type;
}

/**
 * What is wrong with a folder of schemas, one line each; empty: nothing.
 *
 * A released file never changes, an id means one schema for ever, and every version of a record reads what
 * every other version wrote, older and newer: readers and writers are upgraded in any order.
 */
export function checkCompatibility({ entries, texts }: SchemaFolder): readonly string[] {
  const violations = [...idViolations(entries), ...unlistedFiles(entries, texts)];
  const byRecord = new Map<string, Version[]>();
  for (const entry of entries) {
    const checked = checkFile(entry, texts.get(entry.file));
    if (typeof checked === "string") violations.push(checked);
    else
      byRecord.set(entry.record, [...(byRecord.get(entry.record) ?? []), { entry, type: checked }]);
  }
  for (const versions of byRecord.values()) violations.push(...versionViolations(versions));
  return violations;
}

function idViolations(entries: readonly SchemaEntry[]): string[] {
  const expected = entries.every(({ id }, index) => id === index + 1);
  return expected
    ? []
    : ["the ids of registry.json must be 1, 2, 3, ... in order, with none removed"];
}

function unlistedFiles(
  entries: readonly SchemaEntry[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const listed = new Set(entries.map(({ file }) => file));
  return [...texts.keys()]
    .filter((file) => !listed.has(file))
    .map((file) => `${file} is not in registry.json`);
}

/** The file's type, or what is wrong with it. */
function checkFile(
  { file, record, version, sha256 }: SchemaEntry,
  text: string | undefined,
): Type | string {
  if (text === undefined) return `${file} is missing`;
  if (!file.endsWith(`.v${version}.avsc`)) return `${file} is listed as version ${version}`;
  const actual = hash("sha256", text);
  if (actual !== sha256) return `${file} was edited after its release: its SHA-256 is ${actual}`;
  try {
    const type = avroType(JSON.parse(text));
    return type.name === record ? type : `${file} is the schema of ${type.name}, not of ${record}`;
  } catch (error) {
    return `${file} is no Avro schema: ${String(error)}`;
  }
}

function versionViolations(versions: readonly Version[]): string[] {
  return versions.flatMap(({ entry, type }, index) => {
    const order =
      entry.version === index + 1
        ? []
        : [`${entry.file} must be version ${index + 1} of ${entry.record}`];
    const earlier = versions.slice(0, index);
    const pairs = earlier.flatMap((older) => [
      ...unreadable({ entry, type }, older),
      ...unreadable(older, { entry, type }),
    ]);
    return [...order, ...pairs];
  });
}

function unreadable(reader: Version, writer: Version): string[] {
  try {
    reader.type.createResolver(writer.type);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error);
    return [`${reader.entry.file} can't read what ${writer.entry.file} wrote: ${why}`];
  }
}
