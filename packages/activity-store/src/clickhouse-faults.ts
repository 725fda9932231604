import { ClickHouseError } from "@clickhouse/client";
import { ActivityRowRefused, ActivityStoreRejected, ActivityStoreUnavailable } from "./port.ts";

/**
 * Complaints of the server that pass: TIMEOUT_EXCEEDED, CANNOT_ALLOCATE_MEMORY, TOO_MANY_QUERIES, SOCKET_TIMEOUT,
 * NETWORK_ERROR, NO_ZOOKEEPER, ABORTED (it is shutting down), MEMORY_LIMIT, TABLE_IS_READ_ONLY, NOT_ENOUGH_SPACE,
 * TOO_MANY_PARTS, UNKNOWN_STATUS_OF_INSERT, CANNOT_SCHEDULE_TASK, KEEPER_EXCEPTION.
 */
const TRANSIENT_CODES = new Set([
  "159",
  "173",
  "202",
  "209",
  "210",
  "225",
  "236",
  "241",
  "242",
  "243",
  "252",
  "319",
  "439",
  "999",
]);
/** Complaints about a value: CANNOT_PARSE_*, INCORRECT_DATA, out of range, type mismatch. */
const ROW_CODES = new Set([
  "6",
  "26",
  "27",
  "38",
  "41",
  "53",
  "69",
  "70",
  "72",
  "117",
  "131",
  "321",
  "407",
]);

/** The server's own complaint is about the statement, but for a few; anything else is about reaching it. */
export function faultOf(error: unknown): Error {
  if (error instanceof ClickHouseError && !TRANSIENT_CODES.has(error.code)) {
    const Rejection = ROW_CODES.has(error.code) ? ActivityRowRefused : ActivityStoreRejected;
    return new Rejection(error.message, { cause: error });
  }
  // Node gives several addresses that all refused as one error without a message.
  const message = error instanceof Error ? error.message || error.name : String(error);
  return new ActivityStoreUnavailable(`ClickHouse can't be reached: ${message}`, { cause: error });
}
