import { creditsFromTenths } from "@feed/domain/credits";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { ScenarioVersion, TenantDirectory } from "@feed/tenant-directory";
import type {
  KeyRecord,
  ScenarioRecord,
  TenantAnswer,
  TenantListAnswer,
} from "./openapi.generated.ts";
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
    keys: directory.apiKeys(tenantId).map((key) => presentKey(key, directory)),
    licences: Object.fromEntries(
      directory.sources().map(({ sourceId }) => [sourceId, directory.licence(tenantId, sourceId)]),
    ),
    scenarios: directory
      .scenarios(tenantId)
      .flatMap(({ name }) => directory.scenarioVersions(tenantId, name).slice(-1))
      .map(presentScenario),
  };
}

/** One line of the list of tenants. */
export function presentTenantSummary({
  tenantId,
  slug,
  name,
  status,
}: Tenant): TenantListAnswer["data"][number] {
  return { tenant_id: tenantId, slug, name, status };
}

/** Never the key itself, nor its hash. */
export function presentKey(
  { tenantId, keyId, prefix, kind, name, scopes, expiresAtMs }: ApiKey,
  directory: Pick<TenantDirectory, "keyUsedAtMs">,
): KeyRecord {
  const usedAtMs = directory.keyUsedAtMs(tenantId, keyId);
  return {
    key_id: keyId,
    prefix,
    kind,
    name,
    scopes: [...scopes],
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
    last_used_on: usedAtMs === null ? null : isoTime(usedAtMs).slice(0, 10),
  };
}

export function presentScenario(scenario: ScenarioVersion): ScenarioRecord {
  const { name, type, version, settings, savedBy, savedAtMs } = scenario;
  return {
    name,
    type,
    version,
    settings: presentSettings(settings),
    saved_by: savedBy,
    saved_at: isoTime(savedAtMs),
  };
}
