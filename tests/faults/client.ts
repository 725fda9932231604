import { waitFor } from "@feed/test-kit";

const FEED_ITEMS_MAX = 100;
const ARTICLES_TIMEOUT_MS = 120_000;

/** What these tests ask of a tenant's side of the API. */
export interface Client {
  readonly postEvents: (events: readonly object[]) => Promise<Response>;
  readonly feed: (userId: string) => Promise<Response>;
  /** Content ids of as long a page as there is. */
  readonly feedIds: (userId: string) => Promise<readonly string[]>;
  readonly register: (userId: string) => Promise<Response>;
  readonly totalSessions: (userId: string) => Promise<number | undefined>;
  readonly usage: () => Promise<Usage>;
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
  const dataOf = async <Data>(answer: Response): Promise<Data> =>
    ((await answer.json()) as { readonly data: Data }).data;
  const feedIds = async (userId: string): Promise<readonly string[]> => {
    const answer = await get(`/v1/feed?user_id=${userId}&limit=${FEED_ITEMS_MAX}`);
    return (await dataOf<readonly { readonly id: string }[]>(answer)).map(({ id }) => id);
  };
  return {
    feedIds,
    feed: (userId) => get(`/v1/feed?user_id=${userId}&limit=1`),
    postEvents: (events) => {
      const body = JSON.stringify({ events });
      return fetch(`${baseUrl}/v1/events`, { method: "POST", headers, body });
    },
    register: (userId) =>
      fetch(`${baseUrl}/v1/users/${userId}`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ properties: {} }),
      }),
    totalSessions: async (userId) => {
      const answer = await get(`/v1/users/${userId}`);
      if (answer.status === 404) return undefined;
      return (await dataOf<{ readonly total_sessions: number }>(answer)).total_sessions;
    },
    usage: async () => dataOf<Usage>(await get("/v1/usage")),
    untilArticles: async () => {
      let asked = 0;
      const isThere = async () => (asked++, (await feedIds("nobody")).length > 0);
      await waitFor(isThere, { timeoutMs: ARTICLES_TIMEOUT_MS });
      return asked;
    },
  };
}
