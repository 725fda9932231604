import type { Answer } from "../../shared/api.ts";
import { CAP_WARNING_SHARE, type Usage } from "../../shared/usage.ts";

const KEY_EXPIRES_SOON_MS = 14 * 86_400_000;

export type Tenant = Answer<"adminGetTenant">["data"];
export type Webhook = Answer<"adminGetWebhook">["data"];
export type Delivery = Answer<"adminListWebhookDeliveries">["data"][number];

/** What an overview is made of. */
export interface Findings {
  readonly tenant: Tenant;
  readonly usage: Usage;
  /** Null where the tenant has none. */
  readonly webhook: Webhook | null;
  /** The latest. */
  readonly deliveries: readonly Delivery[];
}

/** Something to look at, and the screen on which that is done. */
export interface Concern {
  readonly kind:
    | "suspended"
    | "cap-reached"
    | "cap-near"
    | "over-plan"
    | "no-key"
    | "key-expires"
    | "no-scenario"
    | "webhook-disabled"
    | "deliveries-failed";
  readonly tone: "bad" | "warning" | "plain";
  readonly screen: "billing" | "keys" | "scenarios" | "webhook" | undefined;
  /** A number or name the sentence needs. */
  readonly about: string;
}

/** What somebody should look at, the worst first. */
export function concernsOf(findings: Findings, nowMs: number): readonly Concern[] {
  const found = [
    ...ofTenant(findings),
    ...ofUsage(findings),
    ...ofKeys(findings, nowMs),
    ...ofWebhook(findings),
  ];
  const order = ["bad", "warning", "plain"];
  return found.toSorted((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone));
}

function ofTenant({ tenant }: Findings): readonly Concern[] {
  const found: Concern[] = [];
  if (tenant.status === "suspended")
    found.push({ kind: "suspended", tone: "bad", screen: undefined, about: "" });
  if (!("feed" in tenant.default_scenarios))
    found.push({ kind: "no-scenario", tone: "plain", screen: "scenarios", about: "" });
  return found;
}

function ofUsage({ usage }: Findings): readonly Concern[] {
  const { used_credits: used, cap_credits: cap, over_plan_credits: over } = usage;
  const found: Concern[] = [];
  if (cap !== null && used >= cap)
    found.push({ kind: "cap-reached", tone: "bad", screen: "billing", about: String(cap) });
  else if (cap !== null && used >= cap * CAP_WARNING_SHARE)
    found.push({ kind: "cap-near", tone: "warning", screen: "billing", about: String(cap) });
  if (over > 0 && usage.unit_price > 0)
    found.push({ kind: "over-plan", tone: "plain", screen: "billing", about: String(over) });
  return found;
}

function ofKeys({ tenant }: Findings, nowMs: number): readonly Concern[] {
  const live = tenant.keys.filter(({ kind, expires_at }) => {
    const isInForce = expires_at === null || Date.parse(expires_at) > nowMs;
    return kind === "live" && isInForce;
  });
  if (live.length === 0) return [{ kind: "no-key", tone: "warning", screen: "keys", about: "" }];
  return live
    .filter(({ expires_at }) => expires_at !== null)
    .filter(({ expires_at }) => Date.parse(expires_at ?? "") < nowMs + KEY_EXPIRES_SOON_MS)
    .map(({ name, prefix }) => ({
      kind: "key-expires" as const,
      tone: "warning" as const,
      screen: "keys" as const,
      about: name === "" ? prefix : name,
    }));
}

function ofWebhook({ webhook, deliveries }: Findings): readonly Concern[] {
  const found: Concern[] = [];
  if (webhook?.status === "disabled")
    found.push({
      kind: "webhook-disabled",
      tone: "bad",
      screen: "webhook",
      about: webhook.disabled_reason ?? "",
    });
  const failed = deliveries.filter(({ status }) => status === "failed").length;
  if (failed > 0)
    found.push({
      kind: "deliveries-failed",
      tone: "warning",
      screen: "webhook",
      about: String(failed),
    });
  return found;
}
