import type { TenantId } from "./ids.ts";
import { isTestSpace } from "./tenant.ts";

/** Credits are counted in integers of 0.1 (decisions, "Credits and limits"). */
export const FEED_COST_TENTHS = 10;
export const CONTENT_COST_TENTHS = 1;
export const PUSH_USER_COST_TENTHS = 5;

/** What something costs a tenant; test keys are never charged (decisions, "Credits and limits"). */
export function costTo(tenantId: TenantId, tenths: number): number {
  return isTestSpace(tenantId) ? 0 : tenths;
}

const JST_OFFSET_MS = 9 * 3_600_000;

/** Billing cycle of an instant: its month in Asia/Tokyo, as `YYYY-MM` (spec 8, Credits). */
export function billingMonth(atMs: number): string {
  return new Date(atMs + JST_OFFSET_MS).toISOString().slice(0, 7);
}

/** First instant of the cycle after the one `atMs` lies in. */
export function nextCycleStartMs(atMs: number): number {
  const jst = new Date(atMs + JST_OFFSET_MS);
  return Date.UTC(jst.getUTCFullYear(), jst.getUTCMonth() + 1, 1) - JST_OFFSET_MS;
}

/** `X-Credits-Used` and `consumed_credits` from tenths. */
export function creditsFromTenths(tenths: number): number {
  return tenths / 10;
}
