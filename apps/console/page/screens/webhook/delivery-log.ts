import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../shared/api.ts";
import { useLoad, type Load } from "../../shared/load.ts";
import { useReloadWhile } from "../../shared/reload-while.ts";
import { useSession, useTenantId } from "../../shared/session.ts";

const DELIVERIES_PER_PAGE = 20;

type Page = Answer<"adminListWebhookDeliveries">;
export type Delivery = Page["data"][number];

/** What was put into the queue from this screen: a test, or a delivery once more. */
export interface Sent {
  readonly deliveryId: string;
  /** How often it had been tried before. */
  readonly attemptsBefore: number;
}

export interface DeliveryLog {
  readonly load: Load<readonly Delivery[]>;
  /** Undefined where there are no older ones. */
  readonly showOlder: (() => Promise<void>) | undefined;
}

/** The deliveries of a tenant, newest first; asked for again while one is pending or what was sent last is not in it yet. */
export function useDeliveryLog(sent: Sent | undefined): DeliveryLog {
  const { api } = useSession();
  const tenant_id = useTenantId();
  const limit = DELIVERIES_PER_PAGE;
  const first = useLoad(
    () => api.call("adminListWebhookDeliveries", { tenant_id, limit }),
    [tenant_id],
  );
  const [older, setOlder] = useState<Page | undefined>(undefined);
  useEffect(() => {
    if (sent !== undefined) first.reload();
  }, [sent]);
  useReloadWhile(first, ({ data }) => isUnderWay(data, sent));
  if (first.state !== "ready") return { load: first, showOlder: undefined };
  const cursor = (older ?? first.value).meta.next_cursor;
  const showOlder = async () => {
    if (cursor === null) return;
    const next = await api.call("adminListWebhookDeliveries", { tenant_id, limit, cursor });
    setOlder({ data: [...(older?.data ?? []), ...next.data], meta: next.meta });
  };
  return {
    load: { ...first, value: merged(first.value.data, older?.data ?? []) },
    showOlder: cursor === null ? undefined : showOlder,
  };
}

/** Whether the log will say more by itself. What is queued is as a rule in the log, and else a moment later. */
export function isUnderWay(deliveries: readonly Delivery[], sent: Sent | undefined): boolean {
  if (deliveries.some(({ status }) => status === "pending")) return true;
  if (sent === undefined) return false;
  const found = deliveries.find(({ delivery_id }) => delivery_id === sent.deliveryId);
  // One that is sent again may lie among the older ones, which are not asked for anew.
  if (found === undefined) return sent.attemptsBefore === 0;
  return found.attempt_count <= sent.attemptsBefore;
}

/** New deliveries push others from the first page into what was asked for before. */
export function merged(
  first: readonly Delivery[],
  older: readonly Delivery[],
): readonly Delivery[] {
  const known = new Set(first.map(({ delivery_id }) => delivery_id));
  return [...first, ...older.filter(({ delivery_id }) => !known.has(delivery_id))];
}
