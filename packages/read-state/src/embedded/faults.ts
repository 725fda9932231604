import { ReadStateUnavailable } from "../port.ts";

/** A failure of file system or LMDB as the one line an operator needs. */
export function unavailable(path: string, error: unknown): ReadStateUnavailable {
  const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
  return new ReadStateUnavailable(`cannot use ${path}: ${reason}`, { cause: error });
}

/** Whether file system or LMDB reported it; any other error is a bug and must not be retried. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && ("errno" in error || "code" in error);
}
