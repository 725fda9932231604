export { openBundledRegistry } from "./bundled.ts";
export { createFactCodec } from "./codec.ts";
export type { FactCodec } from "./codec.ts";
export { UnreadableRecord } from "./port.ts";
export type { RegisteredSchema, SchemaRegistry } from "./port.ts";
