import { randomUUID } from "node:crypto";
import { billingMonth } from "@feed/domain/credits";
import { waitFor } from "@feed/test-kit";
import { answerTo } from "../answer-to.ts";

const FEED_ITEMS_MAX = 100;
const ARTICLES_TIMEOUT_MS = 300_000;

/** What these tests ask of a tenant's side of the API. What only reads is repeated while it is answered 503. */
export interface Client {
  /** Repeats them under their ids until they are taken, and rejects where they are refused. */
  readonly recordEvents: (events: readonly object[]) => Promise<void>;
  readonly postEvents: (events: readonly object[]) => Promise<Response>;
  readonly feed: (userId: string) => Promise<Response>;
  /** Content ids of as long a page as there is. */
  readonly feedIds: (userId: string) => Promise<readonly string[]>;
  readonly register: (userId: string) => Promise<Response>;
  readonly totalSessions: (userId: string) => Promise<number | undefined>;
  readonly usage: () => Promise<Usage>;
  /** Of the billing months since then, together: one may end while a test runs. */
  readonly usageSince: (sinceMs: number) => Promise<Usage>;
  /** Resolves when a feed has items: the articles are indexed. With how many feeds were asked for until then. */
  readonly untilArticles: () => Promise<number>;
}

export interface Usage {
  readonly used_credits: number;
  readonly days: readonly { readonly requests: number; readonly credits: number }[];
}

export function clientOf(baseUrl: string, apiKey: string): Client {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const get = (path: string): Promise<Response> => fetch(`${baseUrl}${path}`, { headers });
  const dataOf = async <Data>(answer: Response): Promise<Data> => {
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { readonly data: Data }).data;
  };
  const read = (path: string): Promise<Response> => answerTo(() => get(path));
  const postEvents = (events: readonly object[]): Promise<Response> => {
    const body = JSON.stringify({ events });
    return fetch(`${baseUrl}/v1/events`, { method: "POST", headers, body });
  };
  const feedIds = async (userId: string): Promise<readonly string[]> => {
    const answer = await read(`/v1/feed?user_id=${userId}&limit=${FEED_ITEMS_MAX}`);
    return (await dataOf<readonly { readonly id: string }[]>(answer)).map(({ id }) => id);
  };
  return {
    feedIds,
    feed: (userId) => get(`/v1/feed?user_id=${userId}&limit=1`),
    postEvents,
    recordEvents: async (events) => {
      const named = events.map((event) => ({ event_id: randomUUID(), ...event }));
      const answer = await answerTo(() => postEvents(named));
      if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    },
    register: (userId) =>
      fetch(`${baseUrl}/v1/users/${userId}`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ properties: {} }),
      }),
    totalSessions: async (userId) => {
      const answer = await read(`/v1/users/${userId}`);
      if (answer.status === 404) return undefined;
      return (await dataOf<{ readonly total_sessions: number }>(answer)).total_sessions;
    },
    usage: async () => dataOf<Usage>(await read("/v1/usage")),
    usageSince: async (sinceMs) => {
      const months = new Set([sinceMs, Date.now()].map(billingMonth));
      const paths = [...months].map((month) => `/v1/usage?month=${month}`);
      const usages = await Promise.all(paths.map(async (path) => dataOf<Usage>(await read(path))));
      return usages.reduce((sum, { used_credits, days }) => ({
        used_credits: sum.used_credits + used_credits,
        days: [...sum.days, ...days],
      }));
    },
    untilArticles: async () => {
      let asked = 0;
      const isThere = async () => (asked++, (await feedIds("nobody")).length > 0);
      await waitFor(isThere, { timeoutMs: ARTICLES_TIMEOUT_MS });
      return asked;
    },
  };
}
