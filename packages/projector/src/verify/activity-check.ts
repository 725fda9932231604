import type { ActivityStore, UsageDay } from "@feed/activity-store";
import { billingMonth } from "@feed/domain/credits";
import type { CreditFact, DeliveryFact } from "@feed/domain/facts";
import { asId, type TenantId } from "@feed/domain/ids";
import type { FactCodec } from "@feed/event-codec";
import type { PartitionBatch } from "@feed/event-log";
import { projectCreditActivity, projectDeliveryActivity } from "@feed/projections/activity";
import type { DeliveryRow } from "@feed/projections/activity-rows";
import { decodeFacts, isCreditFact, isDeliveryFact } from "../decoding.ts";
import { differencesAmong } from "./check.ts";
import type { Check, Difference, Expected } from "./check.ts";
import { partitionsOf } from "./partitions.ts";

const TOPICS_OF_CHARGES = ["deliveries", "credits"] as const;

/** What data teams and GET /v1/usage count: requests and credits by tenant, day and endpoint. */
export function chargesCheck(
  activityStore: Pick<ActivityStore, "positions" | "usageByDay">,
  codec: FactCodec,
): Check {
  return {
    projection: "activity-store.deliveries",
    // Days add up over all partitions, and push jobs charge through `credits`.
    parts: [TOPICS_OF_CHARGES.flatMap(partitionsOf)],
    positions: (topic) => activityStore.positions(topic === "credits" ? "credits" : "deliveries"),
    expect: () => new ChargesExpected(activityStore, codec),
  };
}

interface Charged {
  readonly tenantId: TenantId;
  readonly month: string;
  readonly usage: { -readonly [Name in keyof UsageDay]: UsageDay[Name] };
}

class ChargesExpected implements Expected {
  readonly #activityStore: Pick<ActivityStore, "usageByDay">;
  readonly #codec: FactCodec;
  readonly #days = new Map<string, Charged>();
  /** A request is charged once, however often its fact came. */
  readonly #requests = new Set<string>();

  constructor(activityStore: Pick<ActivityStore, "usageByDay">, codec: FactCodec) {
    this.#activityStore = activityStore;
    this.#codec = codec;
  }

  async fold(batch: PartitionBatch): Promise<void> {
    const belongs = (
      fact: Parameters<typeof isDeliveryFact>[0],
    ): fact is DeliveryFact | CreditFact => isDeliveryFact(fact) || isCreditFact(fact);
    for (const decoded of decodeFacts(batch, this.#codec, belongs)) {
      if (!("fact" in decoded)) continue;
      const { fact, offset } = decoded;
      const { deliveries } = isDeliveryFact(fact)
        ? projectDeliveryActivity(fact)
        : projectCreditActivity(fact, offset);
      for (const row of deliveries) this.#charge(row);
    }
  }

  size(): number {
    return this.#days.size;
  }

  differences(among?: ReadonlySet<string>): Promise<readonly Difference[]> {
    const items = Array.from(this.#days, ([name, charged]): [Difference, Charged] => {
      return [{ kind: "credits of a day", name }, charged];
    });
    return differencesAmong(items, among, async (block) => {
      const live = await this.#liveDays(block);
      return block.map((charged) => {
        const { requests, creditsTenths } = live.get(nameOf(charged)) ?? NOTHING;
        return requests === charged.usage.requests && creditsTenths === charged.usage.creditsTenths;
      });
    });
  }

  async #liveDays(block: readonly Charged[]): Promise<ReadonlyMap<string, UsageDay>> {
    const live = new Map<string, UsageDay>();
    for (const month of new Set(block.map(({ tenantId, month }) => `${month} ${tenantId}`))) {
      const tenantId = asId<TenantId>(month.slice(month.indexOf(" ") + 1));
      for (const usage of await this.#activityStore.usageByDay(tenantId, month.slice(0, 7)))
        live.set(nameOf({ tenantId, usage }), usage);
    }
    return live;
  }

  #charge({ tenantId, requestId, endpoint, creditsTenths, servedAtMs }: DeliveryRow): void {
    const request = `${tenantId}\n${requestId}`;
    if (this.#requests.has(request)) return;
    this.#requests.add(request);
    const usage = { day: dayOf(servedAtMs), endpoint, requests: 0, creditsTenths: 0 };
    const fresh: Charged = { tenantId, month: billingMonth(servedAtMs), usage };
    const name = nameOf(fresh);
    const day = this.#days.get(name) ?? fresh;
    this.#days.set(name, day);
    day.usage.requests += 1;
    day.usage.creditsTenths += creditsTenths;
  }
}

const NOTHING = { requests: 0, creditsTenths: 0 };

function nameOf({ tenantId, usage }: Pick<Charged, "tenantId" | "usage">): string {
  return `${usage.day} ${usage.endpoint} of ${tenantId}`;
}

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo", dateStyle: "short" });

/** `YYYY-MM-DD` in the time zone that is billed in (spec 8, Credits). */
function dayOf(timeMs: number): string {
  return DAY.format(timeMs);
}
