export type { CoordinatorOptions } from "./coordinate/coordinator.ts";
export type { PushDependencies } from "./dependencies.ts";
export { createPushService } from "./open.ts";
export { isPartAway } from "./failures.ts";
export { presentFilterStats } from "./present-filter-stats.ts";
export { runPush } from "./run.ts";
export type { PushRole } from "./run.ts";
export type * from "./service.ts";
