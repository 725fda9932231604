export type { PushJobRecord, UserRecord } from "./changes.ts";
export { projectContentFact } from "./contents.ts";
export { projectCreditFact, reservationAfter } from "./credits.ts";
export type { Reservation } from "./credits.ts";
export type { Folded, Placed } from "./placed.ts";
export { foldPushJobs, pushJobsOf } from "./push-jobs.ts";
export { foldUsage, usageKeysOf } from "./usage.ts";
export { foldUserFacts, subjectsOf } from "./user-batch.ts";
export { projectUserFact } from "./users.ts";
