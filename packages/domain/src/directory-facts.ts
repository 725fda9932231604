import type { ExperimentFact } from "./experiment.ts";
import type { ContentId, SourceId, TenantId } from "./ids.ts";
import type { PeopleFact } from "./people.ts";
import type { ScenarioSettings, ScenarioType } from "./scenario.ts";
import type { Source } from "./source.ts";
import type { ApiKey, SourceLicence, Tenant } from "./tenant.ts";
import type { Webhook } from "./webhook.ts";

interface DirectoryFactBase {
  /** Who changed it: `feedctl`, `demo`, an operator's name. */
  readonly actor: string;
  readonly atMs: number;
}
/** Topic `tenants`, keyed by tenant id, or `installation` for sources. */
export type DirectoryFact =
  | (DirectoryFactBase & { readonly type: "tenant.saved"; readonly tenant: Tenant })
  | (DirectoryFactBase & { readonly type: "api-key.issued"; readonly key: ApiKey })
  | (DirectoryFactBase & {
      readonly type: "api-key.revoked";
      readonly tenantId: TenantId;
      readonly keyId: string;
    })
  | (DirectoryFactBase & {
      /** The key ends then, when it is rotated. */
      readonly type: "api-key.expiry-set";
      readonly tenantId: TenantId;
      readonly keyId: string;
      readonly expiresAtMs: number;
    })
  | (DirectoryFactBase & {
      /** A key was used on that day: once a day at most, or a few times by several nodes. */
      readonly type: "api-key.used";
      readonly tenantId: TenantId;
      readonly keyId: string;
    })
  | (DirectoryFactBase & {
      readonly type: "scenario.saved";
      readonly tenantId: TenantId;
      readonly name: string;
      readonly scenarioType: ScenarioType;
      readonly version: number;
      readonly settings: ScenarioSettings;
    })
  | (DirectoryFactBase & { readonly type: "licence.set"; readonly licence: SourceLicence })
  | (DirectoryFactBase & { readonly type: "source.saved"; readonly source: Source })
  | (DirectoryFactBase & { readonly type: "webhook.saved" } & Omit<Webhook, "disabled">)
  | (DirectoryFactBase & { readonly type: "webhook.removed"; readonly tenantId: TenantId })
  | (DirectoryFactBase & {
      /** Nothing is sent to this address any more, until it is saved again. */
      readonly type: "webhook.disabled";
      readonly tenantId: TenantId;
      readonly url: string;
      readonly reason: string;
    })
  | (DirectoryFactBase & {
      /** The tenant's licence for a source is its default again. */
      readonly type: "licence.reset";
      readonly tenantId: TenantId;
      readonly sourceId: SourceId;
    })
  | (DirectoryFactBase & {
      /** An article the tenant does not deliver, or delivers again. */
      readonly type: "content.withheld";
      readonly tenantId: TenantId;
      readonly contentId: ContentId;
      readonly isWithheld: boolean;
    })
  | (DirectoryFactBase & UsageThresholdReached)
  | (DirectoryFactBase & ActionRecorded)
  | ExperimentFact
  | PeopleFact;

/** A tenant has used that much of its cap. The first of a month and threshold stands. */
export interface UsageThresholdReached {
  readonly type: "usage-threshold.reached";
  readonly tenantId: TenantId;
  /** Billing month, `YYYY-MM`. */
  readonly month: string;
  readonly thresholdPercent: number;
  readonly usedTenths: number;
  readonly capTenths: number;
}

/** What somebody did whose effect lies in another topic, or nowhere: it is here for the audit log. */
export interface ActionRecorded {
  readonly type: "action.recorded";
  /** `usage-cap.set`, `content.taken-down`, … */
  readonly action: string;
  /** Null: it concerned the installation. */
  readonly tenantId: TenantId | null;
  /** What it was done to; empty: the tenant, or the installation. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}
