import { setTimeout as delay } from "node:timers/promises";
import { killRounds, waitFor } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { beforeAll, describe, expect, it } from "vitest";
import { randomFrom } from "../../bench/src/random.ts";
import { clientOf } from "./client.ts";
import type { Client } from "./client.ts";
import { makeInstallation } from "./installation.ts";

/** The service is killed at a random moment of each round, while it takes events and serves feeds. */
const ROUNDS = killRounds(3);
const WORK_MS_MAX = 1_200;
const USERS = 5;
const EVENTS_PER_REQUEST = 10;
const ARTICLES = 150;
const EFFECT_TIMEOUT_MS = 60_000;
const SEED = 20_261_121;
const TEST_TIMEOUT_MS = (ROUNDS + 2) * 60_000;

/** What the client knows: what it was promised, and what it has not heard about. */
interface Journal {
  /** Events acknowledged with 202, by event id. */
  readonly acknowledged: Map<string, ClientEvent>;
  /** Sent, and no answer came: sent again in the next round, as a client does. */
  unanswered: readonly ClientEvent[];
  feedsSeen: number;
  eventsMade: number;
}

interface ClientEvent {
  readonly type: "session_start" | "click";
  readonly event_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly content_id?: string;
  readonly occurred_at: string;
}

const userOf = (index: number): string => `survivor-${index % USERS}`;

function makeEvents(journal: Journal, articles: readonly string[]): readonly ClientEvent[] {
  return Array.from({ length: EVENTS_PER_REQUEST }, (): ClientEvent => {
    const index = journal.eventsMade++;
    const user_id = userOf(index);
    const base = { event_id: `event-${index}`, user_id, occurred_at: new Date().toISOString() };
    const article = articles[Math.floor(index / 3) % articles.length]!;
    // Every third is a click, on the articles one after the other.
    return index % 3 === 0
      ? { ...base, type: "click", session_id: user_id, content_id: article }
      : { ...base, type: "session_start", session_id: `${user_id}-${index}` };
  });
}

/** Batch after batch until the connection breaks. */
async function postUntilCut(client: Client, journal: Journal, articles: readonly string[]) {
  for (;;) {
    const again = journal.unanswered;
    const events = again.length > 0 ? again : makeEvents(journal, articles);
    journal.unanswered = events;
    const answer = await client.postEvents(events).catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.status).toBe(202);
    for (const event of events) journal.acknowledged.set(event.event_id, event);
    journal.unanswered = [];
  }
}

/** Feed after feed until the connection breaks; a feed counts once its whole answer was read. */
async function feedUntilCut(client: Client, journal: Journal) {
  for (let index = 0; ; index += 1) {
    const answer = await client.feed(userOf(index)).catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.status).toBe(200);
    const body = await answer.json().catch(() => undefined);
    if (body === undefined) return;
    journal.feedsSeen += 1;
  }
}

describe("Killed with -9 again and again", () => {
  const journal: Journal = {
    acknowledged: new Map(),
    unanswered: [],
    feedsSeen: 0,
    eventsMade: 0,
  };
  let sessions: readonly (number | undefined)[] = [];
  let feedIds: readonly (readonly string[])[] = [];
  let credits = 0;
  let requests = 0;
  let otherFeeds = 0;

  beforeAll(async () => {
    await using installation = await makeInstallation(ARTICLES);
    const { dataDirectory, apiKey } = installation;
    const startedAtMs = Date.now();
    const random = randomFrom(SEED);
    let articles: readonly string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await using service = await startService({ dataDirectory });
      const client = clientOf(service.baseUrl, apiKey);
      if (articles.length === 0) {
        await waitFor(
          async () => (otherFeeds++, (articles = await client.feedIds("nobody")).length === 100),
          {
            timeoutMs: EFFECT_TIMEOUT_MS,
          },
        );
      }
      const { feedsSeen, acknowledged } = journal;
      const eventsBefore = acknowledged.size;
      const working = [postUntilCut(client, journal, articles), feedUntilCut(client, journal)];
      await delay(random.fraction() * WORK_MS_MAX);
      // On a busy machine that may be before the first answers.
      const isAtWork = () => acknowledged.size > eventsBefore && journal.feedsSeen > feedsSeen;
      await waitFor(isAtWork, { timeoutMs: EFFECT_TIMEOUT_MS });
      await service.stop("SIGKILL");
      await Promise.all(working);
    }
    await using service = await startService({ dataDirectory });
    const client = clientOf(service.baseUrl, apiKey);
    const last = await client.postEvents([
      ...journal.unanswered,
      { type: "session_start", user_id: "last", session_id: "last", event_id: "last" },
    ]);
    if (last.status !== 202) throw new Error(`the last events were answered ${last.status}`);
    for (const event of journal.unanswered) journal.acknowledged.set(event.event_id, event);
    // Every partition's events are there once nothing changes any more and the last one is seen.
    await waitFor(async () => (await client.totalSessions("last")) === 1, {
      timeoutMs: EFFECT_TIMEOUT_MS,
    });
    const users = Array.from({ length: USERS }, (_, index) => userOf(index));
    const expected = users.map(expectedSessions);
    await waitFor(
      async () => {
        sessions = await Promise.all(users.map(client.totalSessions));
        return sessions.every((count, index) => (count ?? 0) >= expected[index]!);
      },
      { timeoutMs: EFFECT_TIMEOUT_MS },
    ).catch(() => undefined);
    // A user's last event may be a click, which counts after the last session.
    await waitFor(
      async () => {
        otherFeeds += users.length;
        feedIds = await Promise.all(users.map(client.feedIds));
        return shownAgain().length === 0;
      },
      { timeoutMs: EFFECT_TIMEOUT_MS },
    ).catch(() => undefined);
    await waitFor(
      async () => {
        const usage = await client.usageSince(startedAtMs);
        credits = usage.used_credits;
        requests = usage.days.reduce((sum, day) => sum + day.requests, 0);
        // Two projections count them, each at its own pace.
        return requests >= journal.feedsSeen + otherFeeds && requests === credits;
      },
      { timeoutMs: EFFECT_TIMEOUT_MS },
    ).catch(() => undefined);
  }, TEST_TIMEOUT_MS);

  function expectedSessions(user: string): number {
    return [...journal.acknowledged.values()].filter(
      ({ type, user_id }) => type === "session_start" && user_id === user,
    ).length;
  }

  const clicks = () =>
    [...journal.acknowledged.values()].flatMap(({ user_id, content_id }) =>
      content_id === undefined ? [] : [`${user_id} ${content_id}`],
    );

  /** Articles in feeds of users who clicked them. */
  function shownAgain(): readonly string[] {
    const clicked = new Set(clicks());
    const shown = feedIds.flatMap((ids, index) => ids.map((id) => `${userOf(index)} ${id}`));
    return shown.filter((one) => clicked.has(one));
  }

  it("did real work in between", () => {
    expect(journal.acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * EVENTS_PER_REQUEST);
    expect(journal.feedsSeen).toBeGreaterThanOrEqual(ROUNDS);
  });

  it("counts every acknowledged session_start once, the ones sent again too", () => {
    const users = Array.from({ length: USERS }, (_, index) => userOf(index));
    expect(sessions).toEqual(users.map(expectedSessions));
  });

  it("shows no user an article whose click was acknowledged", () => {
    expect(clicks().length).toBeGreaterThan(ROUNDS);
    expect(feedIds.every((ids) => ids.length > 0)).toBe(true);
    expect(shownAgain()).toEqual([]);
  });

  it("charges every feed that was seen once, and at most the one in flight at each kill beside them", () => {
    const seen = journal.feedsSeen + otherFeeds;
    expect(credits).toBeGreaterThanOrEqual(seen);
    expect(credits).toBeLessThanOrEqual(seen + ROUNDS);
    // The ledger of the activity store says the same as the counter.
    expect(requests).toBe(credits);
  });
});
