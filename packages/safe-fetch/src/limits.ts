/** Limits on what is asked of addresses from outside. */

export const CONNECT_TIMEOUT_MS = 5_000;
export const REDIRECTS_MAX = 3;
export const URL_CHARS_MAX = 2_048;
