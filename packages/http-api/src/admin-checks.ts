import type { ScenarioSettings, ScenarioType } from "@feed/domain/scenario";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { TenantDirectory } from "@feed/tenant-directory";
import { validationProblem } from "./problem.ts";
import type { Fault } from "./problem.ts";

/**
 * What the schema of a tenant can't say: its slug is its own, since `utm_source` tells tenants apart, and
 * its default scenarios exist and are of the type they are the default of.
 *
 * @throws Problem 400 with pointers into the body.
 */
export function checkTenant(tenant: Tenant, directory: TenantDirectory): void {
  const { tenantId, slug, defaultScenarios } = tenant;
  const faults: Fault[] = [];
  const isTaken = directory
    .tenants()
    .some((other) => other.slug === slug && other.tenantId !== tenantId);
  if (isTaken) faults.push({ pointer: "/slug", detail: `"${slug}" belongs to another tenant` });
  for (const [type, name] of Object.entries(defaultScenarios) as [ScenarioType, string][]) {
    if (directory.scenario(tenantId, name)?.type === type) continue;
    const detail = `must name a scenario of type ${type} that this tenant has`;
    faults.push({ pointer: `/default_scenarios/${type}`, detail });
  }
  if (faults.length > 0) throw validationProblem(faults);
}

/** @throws Problem 400 for a key that would never be valid. */
export function checkExpiry(expiresAtMs: ApiKey["expiresAtMs"], nowMs: number): void {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw validationProblem([{ pointer: "/expires_at", detail: "must be in the future" }]);
  }
}

/** @throws Problem 400 for settings under which every article would score 0. */
export function checkSettings({ weights }: ScenarioSettings): void {
  if (Object.values(weights).some((weight) => weight > 0)) return;
  const detail = "must hold at least one weight above 0, the defaults counted in";
  throw validationProblem([{ pointer: "/settings/weights", detail }]);
}
