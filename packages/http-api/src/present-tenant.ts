import { creditsFromTenths } from "@feed/domain/credits";
import type { Scenario } from "@feed/domain/scenario";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { KeyRecord, ScenarioRecord, TenantAnswer } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";
import { presentSettings } from "./scenario-settings.ts";

/** A tenant with all that belongs to it, for operators. */
export function presentTenant(tenant: Tenant, directory: TenantDirectory): TenantAnswer["data"] {
  const { tenantId, plan } = tenant;
  return {
    tenant_id: tenantId,
    slug: tenant.slug,
    name: tenant.name,
    status: tenant.status,
    rate_limit_per_second: tenant.rateLimitPerSecond,
    plan: {
      included_credits: creditsFromTenths(plan.includedTenths),
      unit_price: plan.unitPrice,
      currency: plan.currency,
    },
    default_licence: tenant.defaultLicence,
    area_scope: [...tenant.areaScope],
    explain_allowed: tenant.explainAllowed,
    default_scenarios: { ...tenant.defaultScenarios },
    keys: directory.apiKeys(tenantId).map(presentKey),
    licences: Object.fromEntries(
      directory.sources().map(({ sourceId }) => [sourceId, directory.licence(tenantId, sourceId)]),
    ),
    scenarios: directory.scenarios(tenantId).map(presentScenario),
  };
}

/** Never the key itself, nor its hash. */
export function presentKey({ keyId, prefix, scopes, expiresAtMs }: ApiKey): KeyRecord {
  return {
    key_id: keyId,
    prefix,
    scopes: [...scopes],
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
  };
}

export function presentScenario({ name, type, version, settings }: Scenario): ScenarioRecord {
  return { name, type, version, settings: presentSettings(settings) };
}
