export type { TenantDirectory } from "./directory.ts";
export { openTenantDirectory, type DirectoryDependencies } from "./open.ts";
export { issueApiKey, sha256OfApiKey } from "./api-key.ts";
export type { PersonEntry } from "./fold-people.ts";
export type { ScenarioVersion, UsageAlert } from "./fold.ts";
