export type { TenantDirectory } from "./directory.ts";
export { openTenantDirectory, type DirectoryDependencies } from "./open.ts";
export { issueApiKey, sha256OfApiKey } from "./api-key.ts";
