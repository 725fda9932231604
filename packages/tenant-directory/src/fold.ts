import type { DirectoryFact } from "@feed/domain/facts";
import type { SourceId, TenantId } from "@feed/domain/ids";
import type { Scenario } from "@feed/domain/scenario";
import type { Source } from "@feed/domain/source";
import type { ApiKey, Licence, Tenant } from "@feed/domain/tenant";

/** What one tenant's facts add up to. */
export interface TenantEntry {
  tenant: Tenant | undefined;
  readonly keys: Map<string, ApiKey>;
  /** Latest version by name. */
  readonly scenarios: Map<string, Scenario>;
  readonly licences: Map<SourceId, Licence>;
}

/** The folded directory. Changed in place by `foldDirectoryFact` alone. */
export interface DirectoryState {
  readonly entries: Map<TenantId, TenantEntry>;
  readonly keysBySha256: Map<string, ApiKey>;
  readonly sources: Map<SourceId, Source>;
}

export function emptyDirectory(): DirectoryState {
  return { entries: new Map(), keysBySha256: new Map(), sources: new Map() };
}

/**
 * Applies one fact of topic `tenants`. Applying the same facts in the same order gives the same state; a
 * scenario keeps the highest version, so that a repeat of an older fact changes nothing.
 */
export function foldDirectoryFact(state: DirectoryState, fact: DirectoryFact): void {
  switch (fact.type) {
    case "tenant.saved":
      entryOf(state, fact.tenant.tenantId).tenant = fact.tenant;
      return;
    case "api-key.issued":
      entryOf(state, fact.key.tenantId).keys.set(fact.key.keyId, fact.key);
      state.keysBySha256.set(fact.key.sha256, fact.key);
      return;
    case "api-key.revoked":
      revokeKey(state, fact.tenantId, fact.keyId);
      return;
    case "scenario.saved":
      saveScenario(state, fact);
      return;
    case "licence.set":
      entryOf(state, fact.licence.tenantId).licences.set(
        fact.licence.sourceId,
        fact.licence.licence,
      );
      return;
    case "source.saved":
      state.sources.set(fact.source.sourceId, fact.source);
      return;
    default:
      fact satisfies never;
  }
}

/**
 * A tenant's licence for a source: its own, else the tenant's default, else nothing (spec 1: rights-cleared).
 * A removed source is licensed to nobody.
 */
export function licenceOf(state: DirectoryState, tenantId: TenantId, sourceId: SourceId): Licence {
  if (state.sources.get(sourceId)?.removed === true) return "none";
  const entry = state.entries.get(tenantId);
  return entry?.licences.get(sourceId) ?? entry?.tenant?.defaultLicence ?? "none";
}

function entryOf(state: DirectoryState, tenantId: TenantId): TenantEntry {
  let entry = state.entries.get(tenantId);
  if (entry === undefined) {
    entry = { tenant: undefined, keys: new Map(), scenarios: new Map(), licences: new Map() };
    state.entries.set(tenantId, entry);
  }
  return entry;
}

function revokeKey(state: DirectoryState, tenantId: TenantId, keyId: string): void {
  const entry = entryOf(state, tenantId);
  const key = entry.keys.get(keyId);
  if (key === undefined) return;
  entry.keys.delete(keyId);
  state.keysBySha256.delete(key.sha256);
}

function saveScenario(
  state: DirectoryState,
  fact: Extract<DirectoryFact, { type: "scenario.saved" }>,
): void {
  const { tenantId, name, scenarioType, version, settings } = fact;
  const { scenarios } = entryOf(state, tenantId);
  const known = scenarios.get(name);
  if (known !== undefined && known.version >= version) return;
  scenarios.set(name, { tenantId, name, type: scenarioType, version, settings });
}
