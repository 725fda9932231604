import { manualClock, waitFor } from "@feed/test-kit";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { WebhookDependencies } from "./dependencies.ts";
import { WEBHOOK_GROUP } from "./groups.ts";
import { OTHER_TENANT, openInstallation, TENANT } from "./testing/installation.fixture.ts";
import { openReceiver } from "./testing/receiver.fixture.ts";
import { withMethods } from "@feed/test-kit/with-methods";

const MINUTE_MS = 60_000;
const FILTER_STATS = {
  totalAudience: 9,
  excludedDueToNullLastActive: 1,
  excludedDueToLastActiveDays: 2,
  excludedDueToRegisteredRange: 3,
};

/** A node that knows of a webhook only once it has asked what it has not heard of. */
function behind(deps: WebhookDependencies): WebhookDependencies {
  const { directory } = deps;
  let isBehind = true;
  const caughtUp = async () => {
    await directory.caughtUp();
    isBehind = false;
  };
  const webhook: typeof directory.webhook = (tenantId) => {
    const known = isBehind ? undefined : directory.webhook(tenantId);
    isBehind = true;
    return known;
  };
  return { ...deps, directory: withMethods(directory, { caughtUp, webhook }) };
}

describe("A job that ends (spec 6.2)", () => {
  it("completed is told with its counters and a download address, signed for the stock verifier", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation();
    const secret = await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed", FILTER_STATS);
    await receiver.count(1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      event: "push_job.completed",
      job_id: "job-1",
      tenant_id: TENANT,
      scenario_id: "daily",
      status: "completed",
      target_user_count: 3,
      failed_user_count: 1,
      candidates_generated: 4,
      consumed_credits: 1,
      download_url: expect.stringContaining("https://feed.example/"),
      download_url_expires_at: expect.stringMatching(/Z$/),
      filter_stats: {
        total_audience: 9,
        excluded_due_to_null_last_active: 1,
        excluded_due_to_last_active_days: 2,
        excluded_due_to_registered_range: 3,
      },
      completed_at: expect.stringMatching(/Z$/),
    });
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "user-agent": expect.stringContaining("ContentFeedWebhooks/"),
    });
  });

  it("in manual mode is told without filter_stats", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation();
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed");
    await receiver.count(1);
    expect(receiver.received[0]?.payload).not.toHaveProperty("filter_stats");
  });

  it.each([
    ["failed", "storage_unavailable", "Away."],
    ["cancelled", "cancelled", "The job was cancelled."],
  ] as const)("%s is told with its error and without counters", async (how, code, message) => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation();
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", how);
    await receiver.count(1);
    expect(receiver.received[0]?.payload).toEqual({
      event: "push_job.failed",
      job_id: "job-1",
      tenant_id: TENANT,
      scenario_id: "daily",
      status: "failed",
      error: { code, message },
      failed_at: expect.stringMatching(/Z$/),
    });
  });

  it("is told once, by one id, however often its end is said and whoever follows", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ roles: 3 });
    await installation.saveWebhook(receiver.url);
    for (let time = 0; time < 3; time += 1) await installation.endJob("job-1", "completed");
    await installation.endJob("job-1", "failed");
    // What comes after it in the log has been told: nothing of the first is on its way any more.
    await installation.endJob("job-2", "failed");
    await receiver.count(2);
    await installation.attempted(1, "job-2");
    const told = receiver.received.map(({ payload }) => [payload["job_id"], payload["event"]]);
    expect(told.toSorted()).toEqual([
      ["job-1", "push_job.completed"],
      ["job-2", "push_job.failed"],
    ]);
  });

  it("is told to a webhook that another node saved a moment before", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ change: behind });
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed");
    await receiver.count(1);
    expect(await installation.attempted(1)).toMatchObject({ status: "delivered" });
  });

  it("is told to nobody where the tenant has no webhook", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation();
    await installation.endJob("job-1", "completed");
    const { deps } = installation;
    const { eventLog } = deps;
    const hasPassed = async () => {
      const passed = await eventLog.committed(WEBHOOK_GROUP.group, WEBHOOK_GROUP.topic);
      const ends = await eventLog.endOffsets(WEBHOOK_GROUP.topic);
      return ends.every((end, partition) => (passed.get(partition) ?? 0) >= end);
    };
    await waitFor(hasPassed);
    await installation.saveWebhook(receiver.url);
    await installation.service.test(TENANT, deps.clock.nowMs());
    await receiver.count(1);
    expect((await installation.deliveries()).map(({ event }) => event)).toEqual(["webhook.test"]);
  });
});

describe("An attempt that fails (decisions, Webhook)", () => {
  it("is retried 5 s, 5 min and 30 min later with the same id and a new time, then given up", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20));
    await using receiver = await openReceiver((index) => [500, 0, 302, 404][index] ?? 204);
    await using installation = await openInstallation({ clock });
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed");
    const errors = [
      "answered 500",
      "the connection was refused or broke off",
      "answered 302",
      "answered 404",
    ];
    for (const [index, waitMs] of [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS].entries()) {
      const delivery = await installation.attempted(index + 1);
      expect(delivery.attempts.at(-1)).toMatchObject({ error: errors[index] });
      const inMs = (delivery.dueAtMs ?? 0) - clock.nowMs();
      expect(inMs).toBeGreaterThanOrEqual(waitMs * 0.8);
      expect(inMs).toBeLessThanOrEqual(waitMs * 1.2);
      clock.advance(inMs - 1);
      expect(await installation.deps.readState.dueWebhookDeliveries(clock.nowMs(), 1)).toEqual([]);
      clock.advance(1);
    }
    expect(await installation.attempted(4)).toMatchObject({ status: "failed", dueAtMs: null });
    const sent = receiver.received.map(({ headers }) => headers);
    expect(new Set(sent.map((headers) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sent.map((headers) => headers["webhook-timestamp"])).size).toBe(4);
    const urls = receiver.received.map(({ payload }) => payload["download_url_expires_at"]);
    // The last one carries an address that still has time left.
    expect(Date.parse(String(urls.at(-1)))).toBeGreaterThan(clock.nowMs() + 5 * MINUTE_MS);
  });

  it("is over with the first 2xx", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20));
    await using receiver = await openReceiver((index) => (index === 0 ? 503 : 299));
    await using installation = await openInstallation({ clock });
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "failed");
    await installation.attempted(1);
    clock.advance(6_000);
    expect(await installation.attempted(2)).toMatchObject({
      status: "delivered",
      attempts: [
        { attempt: 1, status: 503, error: "answered 503", url: receiver.url },
        { attempt: 2, status: 299, error: null },
      ],
    });
  });

  it("by a 410 disables the webhook until it is saved again", async () => {
    await using receiver = await openReceiver((index) => (index === 0 ? 410 : 204));
    await using installation = await openInstallation();
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed");
    expect(await installation.attempted(1)).toMatchObject({ status: "failed" });
    const { directory } = installation.deps;
    expect(directory.webhook(TENANT)?.disabled).toMatchObject({ reason: "answered 410" });
    await installation.rotate();
    expect(directory.webhook(TENANT)?.disabled).not.toBeNull();
    await installation.endJob("job-2", "completed");
    const second = await installation.attempted(1, "job-2");
    expect(second.attempts[0]?.error).toBe("the webhook is disabled: answered 410");
    expect(receiver.received).toHaveLength(1);
    await installation.service.save(TENANT, receiver.url, installation.stamp());
    await installation.service.resend(TENANT, second.deliveryId, Date.now());
    expect(await installation.attempted(2)).toMatchObject({ status: "delivered" });
  });

  it("because the installation keeps to public addresses sends no packet", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ role: { targets: "public" } });
    await installation.saveWebhook(receiver.url.replace("http:", "https:"));
    await installation.endJob("job-1", "completed");
    expect(await installation.attempted(1)).toMatchObject({
      status: "failed",
      attempts: [{ error: "the address must be on the public internet" }],
    });
    expect(receiver.received).toHaveLength(0);
  });
});

describe("A delivery", () => {
  it("is re-sent with the same id, whatever became of it", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation();
    await installation.saveWebhook(receiver.url);
    await installation.endJob("job-1", "completed");
    const { deliveryId } = await installation.attempted(1);
    expect(await installation.service.resend(TENANT, deliveryId, Date.now())).toBe(true);
    expect(await installation.attempted(2)).toMatchObject({ status: "delivered" });
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([deliveryId, deliveryId]);
    expect(await installation.service.resend(TENANT, "msg_unknown", Date.now())).toBe(false);
  });

  it("is signed by two secrets while they overlap, and by the new one alone after a day", async () => {
    const clock = manualClock(Date.now());
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ clock });
    const first = await installation.saveWebhook(receiver.url);
    const second = await installation.rotate();
    const { service } = installation;
    expect(service.secrets(TENANT, clock.nowMs())).toEqual([second, first]);
    await service.test(TENANT, clock.nowMs());
    // Its end, not its arrival: an attempt under way would find the clock moved on.
    expect(await installation.attempted(1)).toMatchObject({ status: "delivered" });
    const [delivery] = receiver.received;
    const headers = delivery!.headers as Record<string, string>;
    for (const secret of [first, second]) new Webhook(secret).verify(delivery!.body, headers);
    expect(headers["x-service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    clock.advance(24 * 60 * MINUTE_MS);
    expect(service.secrets(TENANT, clock.nowMs())).toEqual([second]);
    const third = await installation.rotate();
    await installation.rotate();
    // Never more than two: a leaked secret ends with the second rotation at the latest.
    expect(service.secrets(TENANT, clock.nowMs())).toEqual([expect.any(String), third]);
  });

  it("is sent once by two senders that find it due at the same moment", async () => {
    const both = Promise.withResolvers<void>();
    let found = 0;
    await using receiver = await openReceiver();
    await using installation = await openInstallation({
      roles: 2,
      change: (deps) => {
        const { readState } = deps;
        let isFirst = true;
        const dueWebhookDeliveries: typeof readState.dueWebhookDeliveries = async (...call) => {
          const due = await readState.dueWebhookDeliveries(...call);
          if (due.length > 0 && isFirst) {
            isFirst = false;
            found += 1;
            if (found === 2) both.resolve();
            await both.promise;
          }
          return due;
        };
        return { ...deps, readState: withMethods(readState, { dueWebhookDeliveries }) };
      },
    });
    await installation.saveWebhook(receiver.url);
    await installation.service.test(TENANT, Date.now());
    await installation.attempted(1);
    // The next one is through, so that the loser of the first claim has had its turn.
    await installation.service.test(TENANT, Date.now());
    await waitFor(async () => (await installation.deliveries()).length === 2);
    await installation.attempted(1);
    expect(receiver.received).toHaveLength(2);
  });

  it("comes to its receiver while another tenant's answers nothing", async () => {
    await using silent = await openReceiver(() => -1);
    await using receiver = await openReceiver();
    // Silence that ends would let further ones through.
    await using installation = await openInstallation({ role: { timeoutMs: 5 * MINUTE_MS } });
    await installation.saveWebhook(silent.url);
    await installation.saveWebhook(receiver.url, OTHER_TENANT);
    const { service } = installation;
    for (let time = 0; time < 20; time += 1) await service.test(TENANT, Date.now());
    await silent.count(8);
    await service.test(OTHER_TENANT, Date.now());
    await receiver.count(1);
    expect(receiver.received[0]?.payload).toEqual({
      event: "webhook.test",
      tenant_id: OTHER_TENANT,
      sent_at: expect.stringMatching(/Z$/),
    });
    // No more than its share is in the air for the silent one.
    expect(silent.received).toHaveLength(8);
    await service.remove(TENANT, installation.stamp());
    silent.hangUp();
  });
});
