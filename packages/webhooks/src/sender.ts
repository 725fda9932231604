import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TenantId } from "@feed/domain/ids";
import {
  WEBHOOK_RETRY_DELAYS_MS,
  WEBHOOK_RETRY_JITTER,
  WEBHOOK_TIMEOUT_MS,
} from "@feed/domain/limits";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { waitForProjection } from "@feed/projector";
import { isPartAway } from "@feed/push";
import { retry } from "@feed/runtime";
import { attemptDelivery, type AttemptOptions } from "./attempt.ts";
import { appendDeliveryFact } from "./delivery-log.ts";
import type { WebhookDependencies } from "./dependencies.ts";

/** A sender that says nothing for so long is dead: another one takes its attempt. */
export const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS;
const POLL_MS = 100;
const DUE_PER_POLL_MAX = 1_000;
const SENDING_MAX = 64;
/** One tenant's slow receiver leaves room for the others. */
const SENDING_PER_TENANT_MAX = 8;
const CLAIM_ID_BYTES = 8;
/** Attempts in the air when the role is closed may end within this. */
const DRAIN_MS = 5_000;
const RETRY = { attemptsMax: Infinity, firstDelayMs: 100, delayMsMax: 5_000 };

export interface SenderOptions extends Omit<AttemptOptions, "signal"> {
  /** Absent: LEASE_MS. */
  readonly leaseMs?: number;
}

/** A running sender. */
export interface Sender extends AsyncDisposable {
  /** Rejects when it stopped by an error that no receiver can be blamed for. */
  readonly failed: Promise<never>;
}

/**
 * Sends what is due. Any number of senders work on the same deliveries: an attempt is with the one whose claim is first
 * in the log, and when that one dies, with whoever claims it after its lease.
 */
export function runSender(deps: WebhookDependencies, options: SenderOptions): Sender {
  const sender = new WebhookSender(deps, options);
  sender.start();
  return { failed: sender.failed, [Symbol.asyncDispose]: () => sender.stop() };
}

class WebhookSender {
  readonly failed: Promise<never>;
  readonly #deps: WebhookDependencies;
  readonly #options: SenderOptions;
  readonly #sending = new Map<string, { readonly tenantId: TenantId; done: Promise<void> }>();
  /** No further attempts are begun. */
  readonly #stop = new AbortController();
  /** Those in the air are let go. */
  readonly #abandon = new AbortController();
  readonly #reportFailure: (error: unknown) => void;
  #polling: Promise<void> = Promise.resolve();

  constructor(deps: WebhookDependencies, options: SenderOptions) {
    this.#deps = deps;
    this.#options = options;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failed = promise;
    this.#reportFailure = reject;
  }

  start(): void {
    this.#polling = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#polling;
    const abandoning = setTimeout(() => this.#abandon.abort(), DRAIN_MS);
    await Promise.all([...this.#sending.values()].map(({ done }) => done));
    clearTimeout(abandoning);
  }

  async #poll(): Promise<void> {
    const { readState, clock, log } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const due = await readState.dueWebhookDeliveries(clock.nowMs(), DUE_PER_POLL_MAX);
        for (const { state } of due) this.#begin(state);
      } catch (error) {
        if (!isPartAway(error)) return this.#reportFailure(error);
        log.warn({ err: error }, "webhooks wait");
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #begin(delivery: WebhookDeliveryState): void {
    const { tenantId, deliveryId } = delivery;
    const name = `${tenantId}\n${deliveryId}`;
    if (this.#sending.has(name) || this.#sending.size >= SENDING_MAX) return;
    const ofTenant = [...this.#sending.values()].filter((one) => one.tenantId === tenantId);
    if (ofTenant.length >= SENDING_PER_TENANT_MAX) return;
    const done = this.#send(delivery)
      .catch((error: unknown) => {
        if (this.#abandon.signal.aborted) return;
        if (isPartAway(error)) this.#deps.log.warn({ err: error, deliveryId }, "a webhook waits");
        else this.#reportFailure(error);
      })
      .finally(() => this.#sending.delete(name));
    this.#sending.set(name, { tenantId, done });
  }

  async #send(due: WebhookDeliveryState): Promise<void> {
    const delivery = await this.#claimed(due);
    if (delivery === undefined) return;
    const { tenantId, deliveryId, attemptCount } = delivery;
    const { clock } = this.#deps;
    const startMs = performance.now();
    const { signal } = this.#abandon;
    const options = { ...this.#options, signal };
    const { isFinal, ...outcome } = await attemptDelivery(this.#deps, delivery, options);
    const atMs = clock.nowMs();
    const fact = {
      type: "webhook-delivery.attempted",
      tenantId,
      deliveryId,
      attempt: attemptCount + 1,
      atMs,
      tookMs: Math.round(performance.now() - startMs),
      ...outcome,
      nextAttemptAtMs: isFinal ? null : nextAttemptAt(delivery, atMs, Math.random()),
    } as const;
    const append = () => appendDeliveryFact(this.#deps, fact);
    await retry(append, { ...RETRY, isTransient: isPartAway, signal });
  }

  /** The delivery as it is now, if its attempt is this sender's. */
  async #claimed(due: WebhookDeliveryState): Promise<WebhookDeliveryState | undefined> {
    const { clock, readState } = this.#deps;
    const { tenantId, deliveryId } = due;
    const claimId = randomBytes(CLAIM_ID_BYTES).toString("hex");
    const leaseMs = this.#options.leaseMs ?? LEASE_MS;
    const atMs = clock.nowMs();
    const position = await appendDeliveryFact(this.#deps, {
      type: "webhook-delivery.claimed",
      tenantId,
      deliveryId,
      atMs,
      attempt: due.attemptCount + 1,
      claimId,
      leaseEndsAtMs: atMs + leaseMs,
    });
    // Half of the lease is left for the attempt, or it is left to the next claim.
    const wait = { timeoutMs: leaseMs / 2, signal: this.#abandon.signal };
    if (!(await waitForProjection(readState, "webhooks", position, wait))) return undefined;
    const delivery = (await readState.webhookDelivery(tenantId, deliveryId))?.state;
    return delivery?.claimId === claimId ? delivery : undefined;
  }
}

/** Null: that was the last one. `random` from 0 to 1 spreads the wait by WEBHOOK_RETRY_JITTER both ways. */
export function nextAttemptAt(
  { attemptsInRow }: Pick<WebhookDeliveryState, "attemptsInRow">,
  atMs: number,
  random: number,
): number | null {
  const delayMs = WEBHOOK_RETRY_DELAYS_MS[attemptsInRow];
  if (delayMs === undefined) return null;
  return atMs + Math.round(delayMs * (1 + WEBHOOK_RETRY_JITTER * (2 * random - 1)));
}
