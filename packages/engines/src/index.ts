export { openCore, type Core, type InstallationConfig } from "./core.ts";
export type { ClickHouseAddress as ActivityEndpoint } from "@feed/activity-store/clickhouse-url";
export { engineUrlViolations, type EngineUrls } from "./engine-urls.ts";
export { openLog, type OpenLog } from "./open-log.ts";
export { shareInstallation, type SharedInstallation } from "./share-installation.ts";
export { installationPaths } from "./paths.ts";
export { openLiveActivityStore, openLiveIndex, openLiveReadState } from "./live-read-models.ts";
export {
  changeReadModel,
  followReadModelVersions,
  tellOfRebuild,
  type VersionsFollower,
} from "./read-model-versions.ts";
export {
  nameVersion,
  openVersion,
  removeVersion,
  type VersionPlace,
  type VersionSurroundings,
  type WritableVersion,
} from "./read-model-stores.ts";
export {
  openActivityStore,
  openContentIndex,
  openEmbedder,
  openObjectStore,
  openReadState,
  startActivityEngine,
  useActivityEngine,
} from "./stores.ts";
