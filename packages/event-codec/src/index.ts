export { openBundledRegistry } from "./bundled.ts";
export { createFactCodec } from "./codec.ts";
export type { FactCodec } from "./codec.ts";
export { SchemaRefused, SchemaRegistryUnavailable, UnreadableRecord } from "./port.ts";
export type { RegisteredSchema, RemoteSchemaRegistry, SchemaRegistry } from "./port.ts";
export { schemaIdOf, withSchemaId, writeHeader } from "./wire-format.ts";
