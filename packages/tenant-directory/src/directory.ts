import type { Experiment } from "@feed/domain/experiment";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import type { Person, PersonSession } from "@feed/domain/people";
import type { Scenario, ScenarioType } from "@feed/domain/scenario";
import type { Source } from "@feed/domain/source";
import type { ApiKey, Licence, Tenant } from "@feed/domain/tenant";
import type { Webhook } from "@feed/domain/webhook";
import type { DirectoryFact } from "@feed/domain/facts";
import type { PersonEntry } from "./fold-people.ts";
import type { ScenarioVersion, UsageAlert } from "./fold.ts";

/**
 * Tenants, keys, licences, scenarios and sources as each node holds them in memory, folded from `tenants`
 * (architecture rule 8). Reads are synchronous; a change reaches every node within 5 s, usually at once. The id of a
 * test space has what its tenant has.
 */
export interface TenantDirectory extends AsyncDisposable {
  tenant(tenantId: TenantId): Tenant | undefined;
  tenants(): readonly Tenant[];
  /** By the SHA-256 (hex) of a presented key; revoked keys are gone, expired ones are still returned. */
  apiKey(sha256: string): ApiKey | undefined;
  apiKeys(tenantId: TenantId): readonly ApiKey[];
  /** A time on the last day (UTC) the key was used; null: never. */
  keyUsedAtMs(tenantId: TenantId, keyId: string): number | null;
  /** A disabled one too. */
  webhook(tenantId: TenantId): Webhook | undefined;
  /** The latest version. */
  scenario(tenantId: TenantId, name: string): Scenario | undefined;
  /** Oldest first: at most SCENARIO_VERSIONS_KEPT_MAX, the latest. */
  scenarioVersions(tenantId: TenantId, name: string): readonly ScenarioVersion[];
  /** Of a scenario, oldest first: at most EXPERIMENTS_KEPT_MAX, the latest. */
  experiments(tenantId: TenantId, scenario: string): readonly Experiment[];
  /** The one of a scenario that has not ended. */
  runningExperiment(tenantId: TenantId, scenario: string): Experiment | undefined;
  scenarios(tenantId: TenantId, type?: ScenarioType): readonly Scenario[];
  /** Removed ones too: their articles may still be on their way out. */
  source(sourceId: SourceId): Source | undefined;
  /** Without the removed ones. */
  sources(): readonly Source[];
  /** What the tenant may do with the source's articles. */
  licence(tenantId: TenantId, sourceId: SourceId): Licence;
  /** What was set for the tenant and this source; undefined: its default holds. */
  ownLicence(tenantId: TenantId, sourceId: SourceId): Licence | undefined;
  /** Sources the tenant may not deliver at all: a hard filter of every feed. */
  undeliverableSources(tenantId: TenantId): ReadonlySet<SourceId>;
  /** Articles the tenant has taken out of its feeds; the same object until that changes. */
  withheldContents(tenantId: TenantId): ReadonlySet<ContentId>;
  /** In the order they were noticed. */
  usageAlerts(tenantId: TenantId): readonly UsageAlert[];
  person(personId: string): PersonEntry | undefined;
  /** Also somebody who was removed. */
  personOfRecord(personId: string): Person | undefined;
  people(): readonly PersonEntry[];
  personByEmail(emailRef: string): PersonEntry | undefined;
  personByIdentity(identityRef: string): PersonEntry | undefined;
  /** By the SHA-256 (hex) of a presented token; expired ones may still be returned. */
  session(sha256: string): PersonSession | undefined;
  signInLink(
    sha256: string,
  ): { readonly personId: string; readonly expiresAtMs: number } | undefined;
  /** Resolves when everything appended before the call has been folded. */
  caughtUp(): Promise<void>;
  /** Moves on every change; for caches. */
  version(): number;
  /** Appends facts and resolves when this node has folded them. */
  change(facts: readonly DirectoryFact[]): Promise<void>;
}
