/** Limits of every adapter, as the port states them. */

export const RECORDS_PER_APPEND_MAX = 10_000;
/** One call is one transaction held in memory: room for any 10,000 usual records or eight of the largest. */
export const APPEND_BYTES_MAX = 64 * 1024 * 1024;
export const KEY_BYTES_MAX = 256;
export const VALUE_BYTES_MAX = 8 * 1024 * 1024;
/** A read stops after the record that reaches it. */
export const READ_BYTES_MAX = 8 * 1024 * 1024;
/** Architecture, "Topics": `expiring`. */
export const EXPIRING_RETENTION_MS = 7 * 24 * 3_600_000;
