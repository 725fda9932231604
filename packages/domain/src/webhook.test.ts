import { describe, expect, it } from "vitest";
import { asId, type TenantId } from "./ids.ts";
import {
  evolveDelivery,
  WEBHOOK_ATTEMPTS_KEPT_MAX,
  type WebhookDeliveryFact,
  type WebhookDeliveryState,
} from "./webhook.ts";

const base = { tenantId: asId<TenantId>("t"), deliveryId: "msg_1" };
const queued = (atMs: number, isResend = false): WebhookDeliveryFact => ({
  type: "webhook-delivery.queued",
  ...base,
  atMs,
  event: "push_job.completed",
  jobId: "job-1",
  isResend,
});
const claimed = (atMs: number, attempt: number, claimId: string): WebhookDeliveryFact => ({
  type: "webhook-delivery.claimed",
  ...base,
  atMs,
  attempt,
  claimId,
  leaseEndsAtMs: atMs + 60,
});
const attempted = (
  atMs: number,
  attempt: number,
  status: number,
  nextAttemptAtMs: number | null = null,
): WebhookDeliveryFact => ({
  type: "webhook-delivery.attempted",
  ...base,
  atMs,
  attempt,
  tookMs: 5,
  url: "https://receiver.example/",
  status,
  error: status === 200 ? null : "answered",
  nextAttemptAtMs,
});
const after = (...facts: readonly WebhookDeliveryFact[]) =>
  facts.reduce<WebhookDeliveryState | undefined>(
    (state, fact) => evolveDelivery(state, fact),
    undefined,
  );

describe("A webhook delivery (decisions, Webhook)", () => {
  it("is due at once, and done with the first answer that takes it", () => {
    expect(after(queued(10))).toMatchObject({ status: "pending", dueAtMs: 10, attempts: [] });
    expect(after(queued(10), claimed(11, 1, "a"), attempted(12, 1, 200))).toMatchObject({
      status: "delivered",
      dueAtMs: null,
      attemptCount: 1,
      attempts: [{ attempt: 1, status: 200, error: null }],
    });
  });

  it("waits for its next attempt after a failure, and is given up after the last", () => {
    const failed = attempted(12, 1, 500, 5_012);
    expect(after(queued(10), failed)).toMatchObject({ status: "pending", dueAtMs: 5_012 });
    expect(after(queued(10), failed, attempted(5_013, 2, 500))).toMatchObject({
      status: "failed",
      dueAtMs: null,
      attemptsInRow: 2,
    });
  });

  it("is with the first of several claims, until its lease ends", () => {
    const first = after(queued(10), claimed(11, 1, "a"), claimed(12, 1, "b"));
    expect(first).toMatchObject({ claimId: "a", dueAtMs: 71 });
    const taken = after(queued(10), claimed(11, 1, "a"), claimed(71, 1, "b"));
    expect(taken).toMatchObject({ claimId: "b", dueAtMs: 131 });
    expect(after(queued(10), claimed(9, 1, "early"))).toMatchObject({ claimId: null });
    expect(after(queued(10), claimed(11, 2, "ahead"))).toMatchObject({ claimId: null });
  });

  it("keeps the first outcome of an attempt", () => {
    const state = after(queued(10), attempted(12, 1, 200), attempted(13, 1, 500, 99));
    expect(state).toMatchObject({ status: "delivered", attemptCount: 1 });
  });

  it("begins anew when it is re-sent, and is not changed by being told of again", () => {
    const done = after(queued(10), attempted(12, 1, 500));
    expect(evolveDelivery(done, queued(20))).toBe(done);
    expect(evolveDelivery(done, queued(20, true))).toMatchObject({
      deliveryId: "msg_1",
      status: "pending",
      dueAtMs: 20,
      attemptsInRow: 0,
      attemptCount: 1,
    });
  });

  it("shows its latest attempts, and counts all", () => {
    const facts = Array.from({ length: WEBHOOK_ATTEMPTS_KEPT_MAX + 3 }, (_, at) =>
      attempted(at, at + 1, 500, at),
    );
    const state = after(queued(0), ...facts);
    expect(state?.attemptCount).toBe(WEBHOOK_ATTEMPTS_KEPT_MAX + 3);
    expect(state?.attempts.map(({ attempt }) => attempt).at(0)).toBe(4);
  });

  it("does not come from facts of one that is not known", () => {
    expect(after(attempted(12, 1, 200))).toBeUndefined();
    expect(after(claimed(12, 1, "a"))).toBeUndefined();
  });
});
