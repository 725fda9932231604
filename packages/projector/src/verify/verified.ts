import type { ProjectionName } from "../projections.ts";

/** Projections that can be verified, in the order of their checks. */
export const VERIFIED = [
  "content-index",
  "read-state.users",
  "read-state.deliveries",
  "read-state.credits",
  "read-state.push-jobs",
  "read-state.webhooks",
  "activity-store.deliveries",
] as const satisfies readonly ProjectionName[];
