import { refuseBrowsers } from "./browser-guard.ts";
import { systemEffects } from "./effects.ts";
import type { Effects } from "./effects.ts";
import { ClientUsageError } from "./errors.ts";
import { EventQueue } from "./event-queue.ts";
import type { EventQueueOptions } from "./event-queue.ts";
import type { Event, FeedItem, Operations } from "./openapi.generated.ts";
import { entriesOf, pagesOf } from "./paging.ts";
import { PushJobs } from "./push-jobs.ts";
import { Transport } from "./transport.ts";
import type { Answer, AnswerReport, CallOptions, PostOptions } from "./transport.ts";
import { Users } from "./users.ts";

const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 3;

type Parameters = Operations["parameters"];
export type FeedParameters = Parameters["getFeed"];

export interface ClientOptions {
  /** Where the service is, without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of each attempt, to its last byte. 10 seconds when omitted. */
  readonly timeoutMs?: number;
  /** Repetitions of what fails in passing: 429, 5xx, a time-out, a broken connection. 3 when omitted, 0 for none. */
  readonly retriesMax?: number;
  /** Told of every answer, also of those that are retried: credits, limits, request ids. */
  readonly onAnswer?: (answer: AnswerReport) => void;
}

/** The service as a tenant's backend sees it. */
export class ContentFeedClient {
  readonly users: Users;
  readonly push: PushJobs;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.users = new Users(transport);
    this.push = new PushJobs(transport);
  }

  /** A page of a user's feed; of a generic one without `user_id`. 1 credit. */
  feed(parameters: FeedParameters = {}, options?: CallOptions): Promise<Answer<"getFeed">> {
    return this.#transport.call("getFeed", { parameters }, options);
  }

  /** The pages of one walk, each fetched, and charged, when it is asked for. At most 500 items in all. */
  feedPages(
    { cursor, ...parameters }: FeedParameters = {},
    options?: CallOptions,
  ): AsyncGenerator<Answer<"getFeed">, void, undefined> {
    return pagesOf((next) => this.feed({ ...parameters, ...next }, options), cursor);
  }

  /** The items of those pages. */
  feedItems(
    parameters: FeedParameters = {},
    options?: CallOptions,
  ): AsyncGenerator<FeedItem, void, undefined> {
    return entriesOf(this.feedPages(parameters, options));
  }

  /**
   * One content, without score and tracking token. 0.1 credit.
   *
   * @throws NotFoundError when there is none, or the tenant may not show it.
   */
  content(
    contentId: string,
    parameters: Omit<Parameters["getContent"], "content_id"> = {},
    options?: CallOptions,
  ): Promise<Answer<"getContent">> {
    const call = { parameters: { content_id: contentId, ...parameters } };
    return this.#transport.call("getContent", call, options);
  }

  /**
   * Sends 1 to 100 events at once: all of them are recorded, or none. For events that come one by one there is
   * `eventQueue`.
   *
   * @throws ValidationError with a pointer to every invalid event.
   */
  async sendEvents(events: readonly Event[], options?: PostOptions): Promise<void> {
    const call = { parameters: {}, body: { events: [...events] } };
    await this.#transport.call("postEvents", call, options);
  }

  /** Batches events and sends them in the background. */
  eventQueue(options: EventQueueOptions): EventQueue {
    return new EventQueue(this.#transport, options);
  }

  /** Every source, and what the tenant may show of it. Free. */
  async sources(options?: CallOptions): Promise<Answer<"listSources">["data"]> {
    return (await this.#transport.call("listSources", { parameters: {} }, options)).data;
  }

  /** Areas whose name, reading or romanised name begins with `q`, best first. Free. */
  async areas(
    parameters: Parameters["searchAreas"],
    options?: CallOptions,
  ): Promise<Answer<"searchAreas">["data"]> {
    return (await this.#transport.call("searchAreas", { parameters }, options)).data;
  }

  /** Credits of a billing cycle, the current one when `month` (`2026-11`) is omitted. Free. */
  async usage(
    parameters: Parameters["getUsage"] = {},
    options?: CallOptions,
  ): Promise<Answer<"getUsage">["data"]> {
    return (await this.#transport.call("getUsage", { parameters }, options)).data;
  }
}

/**
 * A client for a tenant's backend. It holds no connection of its own and needs no closing.
 *
 * @throws ClientUsageError in a browser, which must not hold the key, and for options that can't work.
 */
export function createClient(options: ClientOptions): ContentFeedClient {
  return createClientWith(options, systemEffects);
}

/** `createClient` with effects of the caller's. */
export function createClientWith(options: ClientOptions, effects: Effects): ContentFeedClient {
  refuseBrowsers();
  const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS, retriesMax = RETRIES_MAX, onAnswer } = options;
  // A header can't carry anything else; usually a line break, or a variable that is not set.
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new ClientUsageError(
      "apiKey must be the key as it was issued, without spaces or line breaks",
    );
  if (!(timeoutMs > 0)) throw new ClientUsageError("timeoutMs must be above 0");
  if (!(retriesMax >= 0)) throw new ClientUsageError("retriesMax must be 0 or more");
  return new ContentFeedClient(
    new Transport({ baseUrl, apiKey, timeoutMs, retriesMax, onAnswer }, effects),
  );
}
