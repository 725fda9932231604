import { createHash } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { ReadStateUnavailable } from "@feed/read-state/port";
import type { IdempotencyStart, ReadState } from "@feed/read-state/port";
import type { Clock, Logger } from "@feed/runtime";
import { Problem } from "./problem.ts";

/** An answer as it can be kept and given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface OnceOptions {
  readonly readState: Pick<ReadState, "startIdempotent" | "finishIdempotent" | "abandonIdempotent">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tenantId: TenantId;
  /** Of one endpoint; undefined: the request runs each time. */
  readonly key: string | undefined;
  /** What makes two requests the same. */
  readonly fingerprint: readonly (string | Uint8Array)[];
}

/**
 * Runs a request once for its Idempotency-Key and repeats the answer afterwards (decisions, "HTTP in
 * general"). Answers below 500 are kept; after others, and after an error, the key is let go.
 *
 * @throws Problem 422 for another request with the same key, 409 while the first still runs; what
 *   `run` throws.
 */
export async function answerOnce(
  options: OnceOptions,
  run: () => Promise<KeptAnswer>,
): Promise<KeptAnswer & { readonly replayed: boolean }> {
  const { key } = options;
  if (key === undefined) return { ...(await run()), replayed: false };
  const start = await startOf(options, key);
  switch (start?.kind) {
    case "answered":
      return { status: start.status, body: start.body, headers: start.headers, replayed: true };
    case "other-body":
      throw new Problem(
        "idempotency-key-reused",
        "This Idempotency-Key came with another request within the last 24 hours.",
      );
    case "running":
      throw new Problem("conflict", "A request with this Idempotency-Key is still running.", {
        headers: { "Retry-After": "1" },
      });
    case "started":
      return { ...(await runStarted(options, key, run)), replayed: false };
    case undefined:
      return { ...(await run()), replayed: false };
  }
}

/**
 * Undefined while the read state is away: events are accepted then, and their ids still count them
 * once.
 */
async function startOf(
  { readState, tenantId, fingerprint, clock }: OnceOptions,
  key: string,
): Promise<IdempotencyStart | undefined> {
  const sha256 = createHash("sha256");
  for (const part of fingerprint) sha256.update(`${part.length}:`).update(part);
  try {
    return await readState.startIdempotent(tenantId, key, sha256.digest("hex"), clock.nowMs());
  } catch (error) {
    if (error instanceof ReadStateUnavailable) return undefined;
    throw error;
  }
}

async function runStarted(
  options: OnceOptions,
  key: string,
  run: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { readState, tenantId, clock } = options;
  let answer: KeptAnswer;
  try {
    answer = await run();
  } catch (error) {
    await unlessAway(options, () => readState.abandonIdempotent(tenantId, key));
    throw error;
  }
  await unlessAway(options, () =>
    answer.status < 500
      ? readState.finishIdempotent(tenantId, key, answer, clock.nowMs())
      : readState.abandonIdempotent(tenantId, key),
  );
  return answer;
}

/** The effect has happened: the answer is given even if it can't be kept. */
async function unlessAway({ log }: OnceOptions, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ReadStateUnavailable)) throw error;
    log.warn({ err: error }, "idempotency record not written");
  }
}
