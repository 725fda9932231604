import { expect, it } from "vitest";
import { concernsOf, type Findings } from "./concerns.ts";

const NOW_MS = Date.parse("2026-11-21T00:00:00Z");
const key = {
  key_id: "k1",
  prefix: "cf_live_Ab3x",
  kind: "live",
  name: "",
  scopes: ["feed"],
  expires_at: null,
  last_used_on: null,
} as const;
const calm: Findings = {
  tenant: {
    tenant_id: "acme",
    slug: "acme",
    name: "Acme",
    status: "active",
    rate_limit_per_second: 100,
    plan: {},
    default_licence: "none",
    area_scope: [],
    explain_allowed: false,
    default_scenarios: { feed: "main" },
    keys: [{ ...key, scopes: ["feed"] }],
    licences: {},
    scenarios: [],
  },
  usage: {
    month: "2026-11",
    used_credits: 79.9,
    cap_credits: 100,
    plan_credits: 1_000,
    resets_at: "2026-11-30T15:00:00.000Z",
    days: [],
    unit_price: 1,
    currency: "JPY",
    over_plan_credits: 0,
    over_plan_cost: 0,
    rate_limit_per_second: 100,
    alerts: [],
  },
  webhook: null,
  deliveries: [],
};
const kindsOf = (findings: Findings) => concernsOf(findings, NOW_MS).map(({ kind }) => kind);
const withUsage = (usage: Partial<Findings["usage"]>) => ({
  ...calm,
  usage: { ...calm.usage, ...usage },
});
const withTenant = (tenant: Partial<Findings["tenant"]>) => ({
  ...calm,
  tenant: { ...calm.tenant, ...tenant },
});

it("finds nothing where all is well", () => {
  expect(kindsOf(calm)).toEqual([]);
});

it("warns from 80 % of a cap on, and says when it is reached", () => {
  expect(kindsOf(withUsage({ used_credits: 80 }))).toEqual(["cap-near"]);
  expect(kindsOf(withUsage({ used_credits: 100 }))).toEqual(["cap-reached"]);
  expect(kindsOf(withUsage({ used_credits: 100, cap_credits: null }))).toEqual([]);
});

it("tells what goes beyond a plan only where that costs something", () => {
  expect(kindsOf(withUsage({ over_plan_credits: 5 }))).toEqual(["over-plan"]);
  expect(kindsOf(withUsage({ over_plan_credits: 5, unit_price: 0 }))).toEqual([]);
});

it("counts no test key and no expired key as a key that works", () => {
  const expired = { ...key, scopes: [], expires_at: "2026-11-20T00:00:00.000Z" };
  const test = { ...key, scopes: [], kind: "test" as const };
  expect(kindsOf(withTenant({ keys: [expired, test] }))).toEqual(["no-key"]);
});

it("warns of a key in its last two weeks", () => {
  const until = (expires_at: string) => withTenant({ keys: [{ ...key, scopes: [], expires_at }] });
  expect(kindsOf(until("2026-12-04T23:59:59.000Z"))).toEqual(["key-expires"]);
  expect(kindsOf(until("2026-12-05T00:00:00.000Z"))).toEqual([]);
});

it("puts the worst first", () => {
  const secrets = [{ created_at: "2026-11-01T00:00:00.000Z", expires_at: null }];
  const disabled = { url: "https://x.example", status: "disabled" as const, secrets };
  const findings = {
    ...withTenant({ default_scenarios: {}, keys: [] }),
    webhook: { ...disabled, disabled_reason: "410" },
  };
  expect(kindsOf(findings)).toEqual(["webhook-disabled", "no-key", "no-scenario"]);
});
