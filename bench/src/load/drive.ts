import { setTimeout as delay } from "node:timers/promises";
import { HttpConnection } from "./connection.ts";
import type { Answer } from "./connection.ts";

export interface Ask {
  readonly request: string | Buffer;
  /** When it is due, in ms after the start; absent: as soon as a connection is free. */
  readonly dueMs?: number;
}

export interface DriveOptions {
  readonly port: number;
  readonly connections: number;
  /** The request of this number, undefined when there are no more. */
  readonly next: (index: number) => Ask | undefined;
  /** Anything but this status counts as a failure. */
  readonly expectedStatus: number;
  readonly onAnswer?: (answer: Answer, index: number) => void;
}

export interface DriveResult {
  readonly answered: number;
  readonly failed: number;
  /** First failing answer's status line and body, for the report. */
  readonly firstFailure: string | undefined;
  readonly elapsedMs: number;
  readonly perSecond: number;
  /** From when a request was due, so that a server that falls behind can't hide it. */
  readonly latenciesMs: readonly number[];
}

const FAILURE_CHARS_MAX = 300;

/** Sends requests over a fixed number of connections, each waiting for its answer before it sends the next. */
export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { port, connections, next, expectedStatus, onAnswer } = options;
  const latenciesMs: number[] = [];
  let failed = 0;
  let firstFailure: string | undefined;
  let index = 0;
  const opened = await Promise.all(
    Array.from({ length: connections }, () => HttpConnection.open(port)),
  );
  const startMs = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      using owned = connection;
      for (;;) {
        const own = index++;
        const ask = next(own);
        if (ask === undefined) return;
        const dueMs = startMs + (ask.dueMs ?? performance.now() - startMs);
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) await delay(waitMs);
        const answer = await owned.ask(ask.request);
        latenciesMs.push(performance.now() - dueMs);
        if (answer.status === expectedStatus) onAnswer?.(answer, own);
        else {
          failed += 1;
          const text = `${answer.head.split("\r\n", 1)[0]} ${answer.body.toString()}`;
          firstFailure ??= text.slice(0, FAILURE_CHARS_MAX);
        }
      }
    }),
  );
  const elapsedMs = performance.now() - startMs;
  const answered = latenciesMs.length - failed;
  const perSecond = (answered / elapsedMs) * 1_000;
  return { answered, failed, firstFailure, elapsedMs, perSecond, latenciesMs };
}

/** Several runs as one: their answers over the time they took. */
export function together(runs: readonly DriveResult[]): DriveResult {
  const sum = (part: (run: DriveResult) => number): number =>
    runs.reduce((total, run) => total + part(run), 0);
  const answered = sum((run) => run.answered);
  const elapsedMs = sum((run) => run.elapsedMs);
  return {
    answered,
    elapsedMs,
    failed: sum((run) => run.failed),
    firstFailure: runs.find((run) => run.firstFailure !== undefined)?.firstFailure,
    perSecond: (answered / elapsedMs) * 1_000,
    latenciesMs: runs.flatMap((run) => run.latenciesMs),
  };
}
