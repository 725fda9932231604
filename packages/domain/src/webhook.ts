import type { TenantId } from "./ids.ts";

/** What a tenant can be told of (spec 6.2; decisions, "Webhook"). The last one is for trying out. */
export const WEBHOOK_EVENTS = [
  "push_job.completed",
  "push_job.failed",
  "usage.threshold_reached",
  "webhook.test",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A signing secret, sealed under a key of the installation. */
export interface WebhookSecret {
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
  /** Signs until then beside its successor; null: the current one. */
  readonly expiresAtMs: number | null;
}

/** Where a tenant's events go. */
export interface Webhook {
  readonly tenantId: TenantId;
  readonly url: string;
  /** The current one first. */
  readonly secrets: readonly WebhookSecret[];
  /** Null: deliveries are sent. */
  readonly disabled: { readonly reason: string; readonly atMs: number } | null;
}

interface WebhookDeliveryFactBase {
  readonly tenantId: TenantId;
  /** Sent as `webhook-id`: one for each final state of a job, the same in every repeat. */
  readonly deliveryId: string;
  readonly atMs: number;
}

/** Something is to be told, or told again: an attempt is due at once. */
export interface WebhookDeliveryQueued extends WebhookDeliveryFactBase {
  readonly type: "webhook-delivery.queued";
  readonly event: WebhookEvent;
  /** Null for a test. */
  readonly jobId: string | null;
  /** False: changes nothing where the delivery is known. */
  readonly isResend: boolean;
}

/** A sender takes the next attempt; the first one of those who want it has it until its lease ends. */
export interface WebhookDeliveryClaimed extends WebhookDeliveryFactBase {
  readonly type: "webhook-delivery.claimed";
  readonly attempt: number;
  readonly claimId: string;
  readonly leaseEndsAtMs: number;
}

export interface WebhookAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly url: string;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** Why it failed; null where it was delivered. */
  readonly error: string | null;
}

export interface WebhookDeliveryAttempted extends WebhookDeliveryFactBase, WebhookAttempt {
  readonly type: "webhook-delivery.attempted";
  /** Null: delivered, or given up. */
  readonly nextAttemptAtMs: number | null;
}

/** Topic `webhooks`, keyed by delivery id, all deliveries of a tenant in one partition. */
export type WebhookDeliveryFact =
  | WebhookDeliveryQueued
  | WebhookDeliveryClaimed
  | WebhookDeliveryAttempted;

export const WEBHOOK_DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** Attempts of a delivery that are shown, the latest. */
export const WEBHOOK_ATTEMPTS_KEPT_MAX = 50;

/** A delivery as its facts add up. */
export interface WebhookDeliveryState {
  readonly tenantId: TenantId;
  readonly deliveryId: string;
  readonly event: WebhookEvent;
  readonly jobId: string | null;
  readonly createdAtMs: number;
  readonly status: WebhookDeliveryStatus;
  /** While pending: when an attempt may be claimed, which is when a claim's lease ends. */
  readonly dueAtMs: number | null;
  readonly claimId: string | null;
  readonly attemptCount: number;
  /** Since it was last queued. */
  readonly attemptsInRow: number;
  readonly attempts: readonly WebhookAttempt[];
}

/**
 * The delivery after one more fact. Facts that come too late change nothing and give the same object back: the first
 * claim of an attempt stands for its lease, the first outcome of an attempt for ever.
 */
export function evolveDelivery(
  state: WebhookDeliveryState | undefined,
  fact: WebhookDeliveryFact,
): WebhookDeliveryState | undefined {
  switch (fact.type) {
    case "webhook-delivery.queued":
      return queued(state, fact);
    case "webhook-delivery.claimed":
      return state && claimed(state, fact);
    case "webhook-delivery.attempted":
      return state && attempted(state, fact);
    default:
      return fact satisfies never;
  }
}

function queued(
  state: WebhookDeliveryState | undefined,
  { tenantId, deliveryId, event, jobId, isResend, atMs }: WebhookDeliveryQueued,
): WebhookDeliveryState {
  const due = { status: "pending", dueAtMs: atMs, claimId: null, attemptsInRow: 0 } as const;
  if (state !== undefined) return isResend ? { ...state, ...due } : state;
  const base = { tenantId, deliveryId, event, jobId, createdAtMs: atMs };
  return { ...base, ...due, attemptCount: 0, attempts: [] };
}

function claimed(
  state: WebhookDeliveryState,
  { attempt, claimId, leaseEndsAtMs, atMs }: WebhookDeliveryClaimed,
): WebhookDeliveryState {
  const isDue = state.status === "pending" && state.dueAtMs !== null && atMs >= state.dueAtMs;
  if (!isDue || attempt !== state.attemptCount + 1) return state;
  return { ...state, claimId, dueAtMs: leaseEndsAtMs };
}

function attempted(
  state: WebhookDeliveryState,
  fact: WebhookDeliveryAttempted,
): WebhookDeliveryState {
  const { attempt, atMs, tookMs, url, status, error, nextAttemptAtMs } = fact;
  if (attempt !== state.attemptCount + 1) return state;
  const attempts = [...state.attempts, { attempt, atMs, tookMs, url, status, error }];
  const common = {
    ...state,
    claimId: null,
    attemptCount: attempt,
    attemptsInRow: state.attemptsInRow + 1,
    attempts: attempts.slice(-WEBHOOK_ATTEMPTS_KEPT_MAX),
  };
  if (error === null) return { ...common, status: "delivered", dueAtMs: null };
  return nextAttemptAtMs === null
    ? { ...common, status: "failed", dueAtMs: null }
    : { ...common, status: "pending", dueAtMs: nextAttemptAtMs };
}
