import { unlessLate } from "@feed/runtime";
import { LogClosed, LogRejected, LogUnavailable } from "../port.ts";

/** What kafkajs adds to its errors. */
interface KafkaError extends Error {
  /** Kafka's name of a protocol error, e.g. `REBALANCE_IN_PROGRESS`. */
  readonly type?: string;
  readonly retriable?: boolean;
}

/** Kafka's name of the error, where a broker answered with one. */
export function errorTypeOf(error: unknown): string | undefined {
  return (error as KafkaError | undefined)?.type;
}

/** `startAt` rejected, with the cause: that is the consumer's end, and nothing that the brokers could cure. */
export class StartUnknown extends Error {
  override readonly name = "StartUnknown";

  constructor(cause: unknown) {
    super("startAt rejected", { cause });
  }
}

/** Whatever the client throws is "try later" to a caller; what the port refuses stays refused. */
export function unavailable(what: string, error: unknown): Error {
  if (isPortError(error)) return error;
  if (error instanceof StartUnknown) return error.cause as Error;
  const reason = error instanceof Error ? error.message : String(error);
  return new LogUnavailable(`${what}: ${reason.replaceAll(/\s*\n\s*/g, " ")}`, { cause: error });
}

/** Whether trying again can't cure it: a rule of the port, a startAt that rejected, or what the brokers never take. */
export function isFinal(error: unknown): boolean {
  if (error instanceof LogUnavailable) return error.cause !== undefined && isFinal(error.cause);
  if (isPortError(error) || error instanceof StartUnknown) return true;
  const { name, retriable, type } = (error ?? {}) as KafkaError;
  // The client gave up trying by itself, which says nothing about the error.
  if (name === "KafkaJSNumberOfRetriesExceeded" || type === undefined) return false;
  return retriable === false;
}

function isPortError(error: unknown): error is Error {
  return (
    error instanceof LogClosed || error instanceof LogRejected || error instanceof LogUnavailable
  );
}

/** Rejects with LogUnavailable when the work takes longer; the work itself goes on unheard. */
export async function within<Result>(
  timeoutMs: number,
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  const late = () => new LogUnavailable(`${what}: no answer within ${timeoutMs} ms`);
  try {
    return await unlessLate(work, timeoutMs, late);
  } catch (error) {
    throw unavailable(what, error);
  }
}
