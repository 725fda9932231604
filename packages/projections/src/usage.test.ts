import type { DeliveryFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import { describe, expect, it } from "vitest";
import { projectCreditFact } from "./credits.ts";
import { foldUsage, usageKeysOf } from "./usage.ts";

const TENANT = asId<TenantId>("tenant-1");
const OTHER = asId<TenantId>("tenant-2");
const NOVEMBER_MS = Date.UTC(2026, 10, 15);

function feed(creditsTenths = 10, tenantId = TENANT, servedAtMs = NOVEMBER_MS): DeliveryFact {
  const parts = { requestId: "request-1", scenario: "main", items: [] };
  return { type: "feed.delivered", tenantId, ...parts, creditsTenths, servedAtMs };
}
const content: DeliveryFact = {
  type: "content.delivered",
  tenantId: TENANT,
  requestId: "request-2",
  contentId: asId<ContentId>("content-1"),
  creditsTenths: 1,
  servedAtMs: NOVEMBER_MS,
};
const at = (offset: number, fact: DeliveryFact, partition = 0) => ({ fact, partition, offset });

describe("usage from deliveries (spec 8, Credits)", () => {
  it("adds up a tenant's month in each partition", () => {
    const facts = [at(0, feed()), at(1, content), at(2, feed(10, OTHER)), at(0, feed(), 5)];
    expect(foldUsage(facts, [])).toEqual([
      {
        kind: "put-usage",
        tenantId: TENANT,
        month: "2026-11",
        partition: 0,
        tenths: 11,
        offset: 1,
      },
      { kind: "put-usage", tenantId: OTHER, month: "2026-11", partition: 0, tenths: 10, offset: 2 },
      {
        kind: "put-usage",
        tenantId: TENANT,
        month: "2026-11",
        partition: 5,
        tenths: 10,
        offset: 0,
      },
    ]);
  });

  it("takes the month from Asia/Tokyo", () => {
    const lastMs = Date.UTC(2026, 10, 30, 15) - 1;
    const facts = [at(0, feed(10, TENANT, lastMs)), at(1, feed(10, TENANT, lastMs + 1))];
    expect(usageKeysOf(facts).map(({ month }) => month)).toEqual(["2026-11", "2026-12"]);
  });

  it("continues from the stored sum and counts no delivery twice", () => {
    const facts = [at(6, feed()), at(7, feed()), at(8, feed())];
    const sum = { tenths: 100, offset: 7 };
    expect(foldUsage(facts, [sum])).toMatchObject([{ tenths: 110, offset: 8 }]);
    expect(foldUsage(facts, [{ tenths: 110, offset: 8 }])).toEqual([]);
  });
});

describe("usage caps (spec 8, Credits)", () => {
  it.each([500, null])("sets a cap of %s tenths", (capTenths) => {
    const fact = {
      type: "usage-cap.set",
      tenantId: TENANT,
      capTenths,
      actor: "a",
      atMs: 1,
    } as const;
    const change = { kind: "put-cap", tenantId: TENANT, capTenths, offset: 4 };
    expect(projectCreditFact(fact, 4)).toEqual(change);
  });
});
