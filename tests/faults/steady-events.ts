import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "@feed/test-kit";
import type { Client } from "./client.ts";

const USERS = 8;
const PAUSE_MS = 50;
const PATIENCE = { timeoutMs: 180_000 };

interface SessionStart {
  readonly type: "session_start";
  readonly event_id: string;
  readonly user_id: string;
  readonly session_id: string;
}

/**
 * A tenant's backend that posts events all the time: what is not acknowledged it sends again under the same ids, and
 * what is acknowledged it expects to be counted once.
 */
export class SteadyEvents {
  readonly #client: Client;
  readonly #users: readonly string[];
  readonly #acknowledged = new Map<string, string>();
  #unanswered: readonly SessionStart[] = [];
  #made = 0;

  /** `name` tells its users from others'. */
  constructor(client: Client, name: string) {
    this.#client = client;
    this.#users = Array.from({ length: USERS }, (_, index) => `${name}-${index}`);
  }

  /** How many events were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Repeated as a client does: a PUT is 503 where its effect is not visible in time, though it will be. */
  async register(): Promise<void> {
    for (const user of this.#users)
      await waitFor(async () => (await this.#client.register(user)).status < 300, PATIENCE);
  }

  /** Posts until the signal; resolves when everything it has made is acknowledged. */
  async post(until: AbortSignal): Promise<void> {
    while (!until.aborted || this.#unanswered.length > 0) {
      const batch = this.#unanswered.length > 0 ? this.#unanswered : this.#batch();
      this.#unanswered = batch;
      const answer = await this.#client.postEvents(batch).catch(() => undefined);
      if (answer?.status === 202) {
        for (const { event_id, user_id } of batch) this.#acknowledged.set(event_id, user_id);
        this.#unanswered = [];
      }
      await delay(PAUSE_MS);
    }
  }

  /** Sessions counted for each user, once no acknowledged one is missing; with those that should be. */
  async counted(): Promise<{
    readonly sessions: readonly number[];
    readonly expected: readonly number[];
  }> {
    const expected = this.#users.map(
      (user) => [...this.#acknowledged.values()].filter((owner) => owner === user).length,
    );
    let sessions: readonly number[] = [];
    await waitFor(async () => {
      sessions = await Promise.all(this.#users.map((user) => this.#sessionsOf(user)));
      return sessions.every((count, index) => count >= (expected[index] ?? 0));
    }, PATIENCE);
    return { sessions, expected };
  }

  async #sessionsOf(user: string): Promise<number> {
    return (await this.#client.totalSessions(user).catch(() => undefined)) ?? 0;
  }

  #batch(): readonly SessionStart[] {
    const number = this.#made++;
    return this.#users.map((user_id) => {
      const id = `${user_id}-${number}`;
      return { type: "session_start", event_id: id, user_id, session_id: id };
    });
  }
}
