import { asId, type TenantId } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import { manualClock, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openInstallation, OTHER_TENANT, TENANT } from "./testing/installation.fixture.ts";
import type { Installation } from "./testing/installation.fixture.ts";
import { openReceiver } from "./testing/receiver.fixture.ts";
import { runUsageWatch } from "./usage-watch.ts";

/** 2026-12-01 00:00 in Tokyo. */
const NEXT_CYCLE_MS = Date.UTC(2026, 10, 30, 15);

/** Many watches that look all the time. */
function watches(installation: Installation, count: number) {
  const stack = new AsyncDisposableStack();
  for (let index = 0; index < count; index += 1)
    stack.use(runUsageWatch(installation.deps, { pollMs: 5 }));
  return stack;
}

async function setCap(installation: Installation, credits: number, tenantId = TENANT) {
  const { eventLog, codec, readState } = installation.deps;
  const capTenths = credits * 10;
  const fact = { type: "usage-cap.set", tenantId, capTenths, actor: "test", atMs: 0 } as const;
  const partition = partitionOf(tenantId, TOPICS.credits.partitions);
  const value = codec.encode(fact);
  await eventLog.append([{ topic: "credits", partition, key: tenantId, value, timestampMs: 0 }]);
  const standing = () => readState.creditStanding(tenantId, "2026-11");
  await waitFor(async () => (await standing()).capTenths === capTenths);
}

const use = (installation: Installation, credits: number, month = "2026-11", tenantId = TENANT) =>
  installation.deps.readState.takeCredits(tenantId, month, credits * 10);
const alerts = (installation: Installation, tenantId: TenantId = TENANT) =>
  installation.deps.directory.usageAlerts(tenantId);

describe("A cap of which 80 % are used (decisions, Credits and limits)", () => {
  it("is told once a month, however many look, and again in the next", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20));
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ clock });
    await installation.saveWebhook(receiver.url);
    await setCap(installation, 100);
    await use(installation, 79.9);
    await using _watches = watches(installation, 3);
    await use(installation, 0.1);
    await receiver.count(1);
    expect(receiver.received[0]?.payload).toEqual({
      event: "usage.threshold_reached",
      tenant_id: TENANT,
      month: "2026-11",
      threshold_percent: 80,
      used_credits: 80,
      cap_credits: 100,
      reached_at: "2026-11-20T00:00:00.000Z",
      resets_at: "2026-11-30T15:00:00.000Z",
    });
    await use(installation, 15);
    await setCap(installation, 110);
    // An attempt under way would find the clock moved on.
    await installation.attempted(1);
    clock.advance(NEXT_CYCLE_MS - clock.nowMs());
    await use(installation, 90, "2026-12");
    await receiver.count(2);
    expect(receiver.received.map(({ payload }) => payload["month"])).toEqual([
      "2026-11",
      "2026-12",
    ]);
    expect(alerts(installation).map(({ month }) => month)).toEqual(["2026-11", "2026-12"]);
  });

  it("is not told before, nor to a tenant without a cap, nor of a cap of nothing", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20));
    await using installation = await openInstallation({ clock });
    await setCap(installation, 0);
    await use(installation, 500, "2026-11", OTHER_TENANT);
    await using _watches = watches(installation, 1);
    const third = asId<TenantId>("third");
    const tenant = { ...installation.deps.directory.tenant(TENANT)!, tenantId: third, slug: "3" };
    await setCap(installation, 10, third);
    await use(installation, 8, "2026-11", third);
    // It comes last in every look: the others have been looked at when it is noticed.
    await installation.deps.directory.change([
      { type: "tenant.saved", tenant, ...installation.stamp() },
    ]);
    await waitFor(() => alerts(installation, third).length === 1);
    expect([alerts(installation), alerts(installation, OTHER_TENANT)]).toEqual([[], []]);
  });

  it("is told to a webhook that is saved afterwards", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20));
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ clock });
    await setCap(installation, 10);
    await use(installation, 9);
    await using _watches = watches(installation, 1);
    await waitFor(() => alerts(installation).length === 1);
    await installation.saveWebhook(receiver.url);
    await receiver.count(1);
    expect(receiver.received[0]?.payload).toMatchObject({ used_credits: 9, cap_credits: 10 });
  });
});
