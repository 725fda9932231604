import type { SourceId } from "@feed/domain/ids";

/** How a source's subscription at the hub of its feed stands (WebSub, 5). */
export interface Subscription {
  readonly sourceId: SourceId;
  readonly hubUrl: string;
  readonly topicUrl: string;
  /** Shared with the hub alone; signs what it pushes. */
  readonly secret: string;
  /**
   * `wanted`: the hub is still to be asked. `asked`: it has to verify. `active`: verified; live until the lease ends.
   * `ending`: to be taken back, because its source is not crawled any more or has another hub.
   */
  readonly status: "wanted" | "asked" | "active" | "denied" | "failed" | "ending";
  /** When the hub is asked, again or for the first time. */
  readonly nextAskMs: number;
  /** Times asked since it last verified. */
  readonly asks: number;
  /** A request of ours waits for its verification. */
  readonly isPending: boolean;
  readonly leaseUntilMs?: number;
  /** What last went wrong, as a sentence. */
  readonly problem?: string;
  readonly lastPushMs?: number;
  /** When a push without the right signature came last. */
  readonly forgedPushMs?: number;
}

/** The id is the last part of the callback's address: whoever knows it, and nobody else, was told it by us. */
export interface NamedSubscription {
  readonly id: string;
  readonly subscription: Subscription;
}

/** What a hub sent: the feed, or the new entries of it. */
export interface Push {
  readonly receivedAtMs: number;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

export interface WaitingPush {
  readonly key: readonly [id: string, sequence: number];
  readonly push: Push;
}

/** Where hubs call, in front of the id; the API serves it. */
export const CALLBACK_PATH = "/websub/";
/** A hub that sends more before they are crawled is told to come again. */
export const PUSHES_WAITING_MAX = 20;

/**
 * Subscriptions and what was pushed for them, shared by the crawler, which asks hubs and crawls what they push, and
 * the API, which hubs call. Losing it costs nothing but time: sources are polled, and subscribed anew.
 *
 * Reads are synchronous, of what was written before, also by another process.
 * Errors: CrawlStateUnavailable.
 */
export interface Subscriptions extends AsyncDisposable {
  get(id: string): Subscription | undefined;
  all(): readonly NamedSubscription[];
  /** The one a source has now: not an ending one. */
  ofSource(sourceId: SourceId): NamedSubscription | undefined;
  /** Makes a new one, under an id that can't be guessed. */
  add(subscription: Subscription): Promise<void>;
  /**
   * Changes one as it stands, whoever else changes it; undefined removes it and what was pushed for it. Nothing where
   * it was removed meanwhile.
   */
  change(id: string, change: (before: Subscription) => Subscription | undefined): Promise<void>;
  /** Resolves when it survives a crash; false where PUSHES_WAITING_MAX wait already. */
  addPush(id: string, push: Push): Promise<boolean>;
  /** Ids of subscriptions that have some waiting. */
  pushed(): readonly string[];
  firstPush(id: string): WaitingPush | undefined;
  removePush(key: WaitingPush["key"]): Promise<void>;
}

/** Whether its hub pushes, so that polling may be slower. */
export function isLive(subscription: Subscription | undefined, nowMs: number): boolean {
  return subscription?.status === "active" && (subscription.leaseUntilMs ?? 0) > nowMs;
}
