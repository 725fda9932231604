export { openOpenIdProvider } from "./provider.ts";
export type { OpenIdProviderOptions } from "./provider.ts";
