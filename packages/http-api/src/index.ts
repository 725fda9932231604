export { createHttpApi } from "./http-api.ts";
export type { HttpApi } from "./http-api.ts";
export type { HttpApiDependencies, InstallationInspection } from "./dependencies.ts";
export type { HttpApiSettings } from "./settings.ts";
