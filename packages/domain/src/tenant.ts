import { asId } from "./ids.ts";
import type { AreaId, SourceId, TenantId } from "./ids.ts";
import type { ScenarioType } from "./scenario.ts";

export interface Plan {
  /** Credits included in a billing cycle, in tenths. */
  readonly includedTenths: number;
  /** Price of one credit over the plan. */
  readonly unitPrice: number;
  readonly currency: string;
}

/** What a tenant may do with a source's articles (spec 1: rights-cleared). */
export const LICENCES = ["none", "link", "body"] as const;
/** `none`: never delivered; `link`: delivered without body; `body`: content_body may be included. */
export type Licence = (typeof LICENCES)[number];

export interface Tenant {
  readonly tenantId: TenantId;
  /** Goes into `utm_source`. */
  readonly slug: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly rateLimitPerSecond: number;
  readonly plan: Plan;
  /** Applies to sources without a licence fact of their own. */
  readonly defaultLicence: Licence;
  /** Prefectures or cities that shared area names are narrowed to (spec 4.1 rule 4); empty: none. */
  readonly areaScope: readonly AreaId[];
  /** Whether `?explain=true` is answered. */
  readonly explainAllowed: boolean;
  readonly defaultScenarios: Readonly<Partial<Record<ScenarioType, string>>>;
}

export interface ApiKey {
  readonly keyId: string;
  readonly tenantId: TenantId;
  /** Lower-case hex SHA-256 of the whole key; the key itself is shown once and never stored. */
  readonly sha256: string;
  /** First characters, to recognise a key by. */
  readonly prefix: string;
  readonly scopes: readonly ApiScope[];
  readonly expiresAtMs: number | null;
  /** Decisions, "Credits and limits": a test key is never charged and has users of its own. */
  readonly kind: KeyKind;
  /** What people call it; empty: nothing. */
  readonly name: string;
}

export const KEY_KINDS = ["live", "test"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** No tenant id has a dot: nothing else ends like this. */
const TEST_SUFFIX = ".test";

/** The id under which a tenant's test keys work: users, events and jobs of its own, and no credits. */
export function testSpaceOf(tenantId: TenantId): TenantId {
  return asId<TenantId>(`${tenantId}${TEST_SUFFIX}`);
}

export function isTestSpace(tenantId: TenantId): boolean {
  return tenantId.endsWith(TEST_SUFFIX);
}

/** The tenant itself: its settings, keys and licences hold for its test space too. */
export function tenantOfSpace(tenantId: TenantId): TenantId {
  return isTestSpace(tenantId) ? asId<TenantId>(tenantId.slice(0, -TEST_SUFFIX.length)) : tenantId;
}

export const API_SCOPES = ["feed", "users", "events", "push"] as const;
export type ApiScope = (typeof API_SCOPES)[number];

export interface SourceLicence {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  readonly licence: Licence;
}
