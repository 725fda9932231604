import { readdirSync, readFileSync } from "node:fs";
import type { RegisteredSchema, SchemaRegistry } from "./port.ts";

const BUNDLED = new URL("../../../schemas/events/", import.meta.url);
const REGISTRY_FILE = "registry.json";

/** One line of registry.json. */
export interface SchemaEntry {
  readonly id: number;
  readonly file: string;
  readonly record: string;
  /** 1, 2, ... of this record. */
  readonly version: number;
  /** Lower-case hex SHA-256 of the file as it was released. */
  readonly sha256: string;
}

/** A folder of schemas as it lies on disk, for the compatibility check. */
export interface SchemaFolder {
  readonly entries: readonly SchemaEntry[];
  /** Text of every schema file, listed in registry.json or not. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads `registry.json` and every `.avsc` beside it. */
export function readSchemaFolder(folder: URL = BUNDLED): SchemaFolder {
  const registry = JSON.parse(readFileSync(new URL(REGISTRY_FILE, folder), "utf8")) as {
    readonly schemas: readonly SchemaEntry[];
  };
  const files = readdirSync(folder).filter((name) => name !== REGISTRY_FILE);
  const texts = files.map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const);
  return { entries: registry.schemas, texts: new Map(texts) };
}

/** The registry of the embedded log: the schemas of this repository, under the ids of registry.json. */
export function openBundledRegistry(): SchemaRegistry {
  return registryOf(readSchemaFolder());
}

/** @throws when a listed file is missing; `npm run check:schemas` tells more. */
export function registryOf({ entries, texts }: SchemaFolder): SchemaRegistry {
  const byId = new Map<number, RegisteredSchema>();
  const newest = new Map<string, SchemaEntry>();
  for (const entry of entries) {
    const text = texts.get(entry.file);
    if (text === undefined) throw new Error(`schema ${entry.file} of ${REGISTRY_FILE} is missing`);
    byId.set(entry.id, { id: entry.id, record: entry.record, schema: JSON.parse(text) });
    if (entry.version > (newest.get(entry.record)?.version ?? 0)) newest.set(entry.record, entry);
  }
  return {
    schemaById: (id) => byId.get(id),
    idFor: (record) => newest.get(record)?.id,
  };
}
