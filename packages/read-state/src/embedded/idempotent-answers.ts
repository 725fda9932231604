import type { TenantId } from "@feed/domain/ids";
import { IDEMPOTENCY_TTL_MS, IDEMPOTENCY_UNFINISHED_TTL_MS } from "@feed/domain/limits";
import type { IdempotencyStart } from "../port.ts";
import type { AnswerTables } from "./tables.ts";

/** Each new request removes so many expired answers, more than it adds. */
const EXPIRED_PER_START = 4;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
interface Running {
  readonly bodySha256: string;
  readonly startedAtMs: number;
  /** Given, but perhaps not yet readable from the table. */
  answer?: Answer;
}

/**
 * Answers remembered by Idempotency-Key (decisions, "HTTP in general"). Requests that still run are known to this
 * process alone: there is one API process, and when it dies nothing of it still runs.
 */
export class IdempotentAnswers {
  readonly #tables: AnswerTables;
  /** In order of start. */
  readonly #running = new Map<string, Running>();

  constructor(tables: AnswerTables) {
    this.#tables = tables;
  }

  async start(
    tenantId: TenantId,
    key: string,
    bodySha256: string,
    nowMs: number,
  ): Promise<IdempotencyStart> {
    await this.#sweep(nowMs);
    const name = requestName(tenantId, key);
    const running = this.#running.get(name);
    if (running !== undefined) {
      if (running.bodySha256 !== bodySha256) return { kind: "other-body" };
      return running.answer ? { kind: "answered", ...running.answer } : { kind: "running" };
    }
    const stored = this.#tables.answers.get([tenantId, key]);
    if (stored !== undefined && stored[4] > nowMs) {
      const [sha256, status, body, headers] = stored;
      if (sha256 !== bodySha256) return { kind: "other-body" };
      return { kind: "answered", status, body, headers };
    }
    this.#running.set(name, { bodySha256, startedAtMs: nowMs });
    return { kind: "started" };
  }

  /** An answer to a request that was let go, or answered before, is not remembered. */
  async finish(tenantId: TenantId, key: string, answer: Answer, nowMs: number): Promise<void> {
    const name = requestName(tenantId, key);
    const running = this.#running.get(name);
    if (running === undefined || running.answer !== undefined) return;
    running.answer = answer;
    const { answers, expiries } = this.#tables;
    const expiresAtMs = nowMs + IDEMPOTENCY_TTL_MS;
    const { status, body, headers } = answer;
    await Promise.all([
      answers.put([tenantId, key], [running.bodySha256, status, body, headers, expiresAtMs]),
      expiries.put([expiresAtMs, tenantId, key], true),
    ]);
    if (this.#running.get(name) === running) this.#running.delete(name);
  }

  abandon(tenantId: TenantId, key: string): void {
    const name = requestName(tenantId, key);
    if (this.#running.get(name)?.answer === undefined) this.#running.delete(name);
  }

  async #sweep(nowMs: number): Promise<void> {
    for (const [name, { startedAtMs, answer }] of this.#running) {
      if (startedAtMs + IDEMPOTENCY_UNFINISHED_TTL_MS > nowMs) break;
      if (answer === undefined) this.#running.delete(name);
    }
    const { answers, expiries } = this.#tables;
    const expired = expiries.getKeys({ end: [nowMs], limit: EXPIRED_PER_START });
    const removals: Promise<boolean>[] = [];
    for (const expiry of Array.from(expired)) {
      const [expiresAtMs, tenantId, key] = expiry as [number, TenantId, string];
      removals.push(expiries.remove(expiry));
      const stored = answers.get([tenantId, key]);
      if (stored?.[4] === expiresAtMs) removals.push(answers.remove([tenantId, key]));
    }
    await Promise.all(removals);
  }
}

function requestName(tenantId: TenantId, key: string): string {
  return JSON.stringify([tenantId, key]);
}
