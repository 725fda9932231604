import type { SourceId, TenantId } from "@feed/domain/ids";
import type { Scenario, ScenarioType } from "@feed/domain/scenario";
import type { Source } from "@feed/domain/source";
import type { ApiKey, Licence, Tenant } from "@feed/domain/tenant";
import type { DirectoryFact } from "@feed/domain/facts";

/**
 * Tenants, keys, licences, scenarios and sources as each node holds them in memory, folded from `tenants`
 * (architecture rule 8). Reads are synchronous; a change reaches every node within 5 s, usually at once.
 */
export interface TenantDirectory extends AsyncDisposable {
  tenant(tenantId: TenantId): Tenant | undefined;
  tenants(): readonly Tenant[];
  /** By the SHA-256 (hex) of a presented key; revoked keys are gone, expired ones are still returned. */
  apiKey(sha256: string): ApiKey | undefined;
  apiKeys(tenantId: TenantId): readonly ApiKey[];
  scenario(tenantId: TenantId, name: string): Scenario | undefined;
  scenarios(tenantId: TenantId, type?: ScenarioType): readonly Scenario[];
  /** Removed ones too: their articles may still be on their way out. */
  source(sourceId: SourceId): Source | undefined;
  /** Without the removed ones. */
  sources(): readonly Source[];
  /** What the tenant may do with the source's articles. */
  licence(tenantId: TenantId, sourceId: SourceId): Licence;
  /** Sources the tenant may not deliver at all: a hard filter of every feed. */
  undeliverableSources(tenantId: TenantId): ReadonlySet<SourceId>;
  /** Moves on every change; for caches. */
  version(): number;
  /** Appends facts and resolves when this node has folded them. */
  change(facts: readonly DirectoryFact[]): Promise<void>;
}
