export * from "./builders.ts";
export { manualClock } from "./clock.ts";
export type { ManualClock } from "./clock.ts";
export { sharedFolder, temporaryDirectory } from "./directories.ts";
export type { TemporaryDirectory } from "./directories.ts";
export { waitFor } from "./wait-for.ts";
