export { assertPublicUrl, assertWebUrl, isPublicAddress } from "./address-guard.ts";
export { FetchError } from "./fetch-error.ts";
export type { FetchErrorCode } from "./fetch-error.ts";
export type { Resolve } from "./guarded-lookup.ts";
export { URL_CHARS_MAX } from "./limits.ts";
export { openSafeFetch } from "./safe-fetch.ts";
export type {
  Fetched,
  FetchOptions,
  PostOptions,
  SafeFetch,
  SafeFetchOptions,
} from "./safe-fetch.ts";
