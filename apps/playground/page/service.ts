/** What the page knows of the API's answers; the playground's backend adds the key. */
export interface FeedItem {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly summary: string;
  readonly thumbnail: { readonly url: string; readonly width: number; readonly height: number };
  readonly published_at: string;
  readonly source: { readonly source_id: string; readonly name: string };
  readonly score: number;
  readonly tracking_token: string;
  readonly explanation?: Explanation;
}

/** One article; the body only where the tenant is licensed for it. */
export interface Content extends Pick<FeedItem, "id" | "title" | "url" | "published_at"> {
  readonly canonical_url: string;
  readonly body_excerpt: string;
  readonly content_body?: string;
  readonly body_format?: "html" | "markdown";
  readonly author?: string;
  readonly source: FeedItem["source"] & { readonly url: string };
}

export interface Explanation {
  readonly parts: Readonly<Record<"relevance" | "freshness" | "engagement" | "quality", number>>;
  readonly boosts: Readonly<Record<string, number>>;
  readonly found_by: readonly string[];
  readonly ranking_rules?: readonly { readonly match: string; readonly factor: number }[];
  readonly because_of?: { readonly title: string };
  readonly moved: number;
  readonly rule?: string;
}

export interface FeedPage {
  readonly data: readonly FeedItem[];
  readonly meta: {
    readonly next_cursor: string | null;
    readonly resolved_areas: {
      readonly matched: readonly { readonly name: string }[];
      readonly skipped: readonly { readonly input: string; readonly reason: string }[];
    };
  };
}

export interface User {
  readonly user_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly followed_sources: readonly string[];
  readonly blocked_sources: readonly string[];
  readonly total_sessions: number;
  readonly last_active_at: string | null;
}

export interface Source {
  readonly source_id: string;
  readonly name: string;
}

/** A problem document the service answered with. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls the API through the playground's backend. Rejects with Refused for anything but a 2xx. */
export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`/playground/api${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  const parsed: unknown = text === "" ? undefined : JSON.parse(text);
  if (!answer.ok) {
    const problem = parsed as { title?: string; detail?: string } | undefined;
    throw new Refused(answer.status, problem?.detail ?? problem?.title ?? answer.statusText);
  }
  return parsed as Answer;
}
