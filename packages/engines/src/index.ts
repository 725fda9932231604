export type { ClickHouseEndpoint } from "@feed/activity-store/clickhouse";
export { openCore, type Core, type InstallationConfig } from "./core.ts";
export { installationPaths } from "./paths.ts";
export { openServingIndex } from "./serving-index.ts";
export {
  openActivityStore,
  openContentIndex,
  openEmbedder,
  openObjectStore,
  openReadState,
  startActivityEngine,
} from "./stores.ts";
