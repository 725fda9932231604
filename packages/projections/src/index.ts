export type { UserRecord } from "./changes.ts";
export { projectContentFact } from "./contents.ts";
export { projectCreditFact } from "./credits.ts";
export type { Folded, Placed } from "./placed.ts";
export { foldUsage, usageKeysOf } from "./usage.ts";
export { foldUserFacts, subjectsOf } from "./user-batch.ts";
export { projectUserFact } from "./users.ts";
