import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../shared/api.ts";
import { useLoad, type Load } from "../../shared/load.ts";
import { useSession, useTenantId } from "../../shared/session.ts";

const DELIVERIES_PER_PAGE = 20;
/** How often it is asked what became of deliveries that are pending. */
const PENDING_POLL_MS = 3_000;

type Page = Answer<"adminListWebhookDeliveries">;
export type Delivery = Page["data"][number];

export interface DeliveryLog {
  readonly load: Load<readonly Delivery[]>;
  /** Undefined where there are no older ones. */
  readonly showOlder: (() => Promise<void>) | undefined;
}

/** The deliveries of a tenant, newest first; asked for again while one of them is pending, and with each new test. */
export function useDeliveryLog(tests: number): DeliveryLog {
  const { api } = useSession();
  const tenant_id = useTenantId();
  const limit = DELIVERIES_PER_PAGE;
  const first = useLoad(
    () => api.call("adminListWebhookDeliveries", { tenant_id, limit }),
    [tenant_id],
  );
  const [older, setOlder] = useState<Page | undefined>(undefined);
  useEffect(() => {
    if (tests > 0) first.reload();
  }, [tests]);
  const { reload } = first;
  const isPending =
    first.state === "ready" && first.value.data.some(({ status }) => status === "pending");
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(reload, PENDING_POLL_MS);
    return () => clearInterval(timer);
  }, [isPending]);
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

/** New deliveries push others from the first page into what was asked for before. */
export function merged(
  first: readonly Delivery[],
  older: readonly Delivery[],
): readonly Delivery[] {
  const known = new Set(first.map(({ delivery_id }) => delivery_id));
  return [...first, ...older.filter(({ delivery_id }) => !known.has(delivery_id))];
}
