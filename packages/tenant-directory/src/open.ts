import type { DirectoryFact } from "@feed/domain/facts";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import { tenantOfSpace } from "@feed/domain/tenant";
import type { EventLog, LogConsumer, PartitionBatch } from "@feed/event-log";
import type { TenantDirectory } from "./directory.ts";
import { runningExperimentOf } from "./fold-experiments.ts";
import { emptyDirectory, foldDirectoryFact, licenceOf, type DirectoryState } from "./fold.ts";

/** Records handed over in one call while the topic is read. */
const RECORDS_PER_CALL_MAX = 1_000;
const PARTITION = 0;
const INSTALLATION_KEY = "installation";
const NOTHING_WITHHELD: ReadonlySet<ContentId> = new Set();

export interface DirectoryDependencies {
  readonly eventLog: EventLog;
  readonly codec: {
    encode(fact: DirectoryFact): Uint8Array;
    decode(bytes: Uint8Array): { readonly type: string };
  };
  readonly clock: { nowMs(): number };
  /** Told of a record that can't be read; the rest go on (architecture rule 4). */
  readonly onUnreadable: (offset: number, reason: unknown) => void;
}

/**
 * Follows `tenants` from its start and resolves when everything appended before the call has been folded: a
 * node is ready only then (architecture rule 8).
 *
 * Errors: LogUnavailable when the log can't be read.
 */
export async function openTenantDirectory(deps: DirectoryDependencies): Promise<TenantDirectory> {
  const directory = new FollowedDirectory(deps);
  await directory.start();
  await directory.caughtUp();
  return directory;
}

class FollowedDirectory implements TenantDirectory {
  readonly #deps: DirectoryDependencies;
  readonly #state: DirectoryState = emptyDirectory();
  readonly #undeliverable = new Map<TenantId, ReadonlySet<SourceId>>();
  #waiting: { readonly offset: number; readonly resolve: () => void }[] = [];
  #nextOffset = 0;
  #version = 0;
  #consumer: LogConsumer | undefined;

  constructor(deps: DirectoryDependencies) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#consumer = await this.#deps.eventLog.follow({
      topic: "tenants",
      from: new Map(),
      recordsMax: RECORDS_PER_CALL_MAX,
      onBatches: async (batches) => this.#fold(batches),
    });
  }

  /** Resolves when every record below `offset` has been folded. */
  foldedUpTo(offset: number): Promise<void> {
    if (this.#nextOffset >= offset) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ offset, resolve }));
  }

  tenant(tenantId: TenantId) {
    const tenant = this.#entry(tenantId)?.tenant;
    return tenant === undefined || tenant.tenantId === tenantId ? tenant : { ...tenant, tenantId };
  }

  tenants() {
    return [...this.#state.entries.values()].flatMap((entry) => entry.tenant ?? []);
  }

  apiKey(sha256: string) {
    return this.#state.keysBySha256.get(sha256);
  }

  apiKeys(tenantId: TenantId) {
    return [...(this.#entry(tenantId)?.keys.values() ?? [])];
  }

  webhook(tenantId: TenantId) {
    return this.#entry(tenantId)?.webhook;
  }

  keyUsedAtMs(tenantId: TenantId, keyId: string) {
    return this.#entry(tenantId)?.keyUses.get(keyId) ?? null;
  }

  scenario(tenantId: TenantId, name: string) {
    return this.scenarioVersions(tenantId, name).at(-1);
  }

  scenarioVersions(tenantId: TenantId, name: string) {
    return this.#entry(tenantId)?.scenarios.get(name) ?? [];
  }

  experiments(tenantId: TenantId, scenario: string) {
    return this.#entry(tenantId)?.experiments.get(scenario) ?? [];
  }

  runningExperiment(tenantId: TenantId, scenario: string) {
    const entry = this.#entry(tenantId);
    return entry && runningExperimentOf(entry, scenario);
  }

  scenarios(tenantId: TenantId, type?: "feed" | "push") {
    const names = this.#entry(tenantId)?.scenarios.values() ?? [];
    const all = [...names].flatMap((versions) => versions.at(-1) ?? []);
    return type === undefined ? all : all.filter((scenario) => scenario.type === type);
  }

  source(sourceId: SourceId) {
    return this.#state.sources.get(sourceId);
  }

  sources() {
    return [...this.#state.sources.values()].filter(({ removed }) => removed !== true);
  }

  licence(tenantId: TenantId, sourceId: SourceId) {
    return licenceOf(this.#state, tenantOfSpace(tenantId), sourceId);
  }

  ownLicence(tenantId: TenantId, sourceId: SourceId) {
    return this.#entry(tenantId)?.licences.get(sourceId);
  }

  undeliverableSources(tenantId: TenantId): ReadonlySet<SourceId> {
    let known = this.#undeliverable.get(tenantId);
    if (known === undefined) {
      const ids = [...this.#state.sources.keys()];
      known = new Set(ids.filter((id) => this.licence(tenantId, id) === "none"));
      this.#undeliverable.set(tenantId, known);
    }
    return known;
  }

  withheldContents(tenantId: TenantId) {
    return this.#entry(tenantId)?.withheld ?? NOTHING_WITHHELD;
  }

  usageAlerts(tenantId: TenantId) {
    return this.#entry(tenantId)?.usageAlerts ?? [];
  }

  person(personId: string) {
    return this.#state.people.people.get(personId);
  }

  personOfRecord(personId: string) {
    return this.person(personId)?.person ?? this.#state.people.removed.get(personId);
  }

  people() {
    return [...this.#state.people.people.values()];
  }

  personByEmail(emailRef: string) {
    return this.person(this.#state.people.byEmailRef.get(emailRef) ?? "");
  }

  personByIdentity(identityRef: string) {
    return this.person(this.#state.people.byIdentityRef.get(identityRef) ?? "");
  }

  session(sha256: string) {
    return this.#state.people.sessions.get(sha256);
  }

  signInLink(sha256: string) {
    return this.#state.people.links.get(sha256);
  }

  async caughtUp(): Promise<void> {
    const [end = 0] = await this.#deps.eventLog.endOffsets("tenants");
    await this.foldedUpTo(end);
  }

  version() {
    return this.#version;
  }

  async change(facts: readonly DirectoryFact[]): Promise<void> {
    const positions = await this.#deps.eventLog.append(
      facts.map((fact) => ({
        topic: "tenants",
        partition: PARTITION,
        key: keyOf(fact),
        value: this.#deps.codec.encode(fact),
        timestampMs: this.#deps.clock.nowMs(),
      })),
    );
    const last = positions.at(-1);
    if (last !== undefined) await this.foldedUpTo(last.offset + 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#consumer?.[Symbol.asyncDispose]();
  }

  /** A test space has the settings of its tenant. */
  #entry(tenantId: TenantId) {
    return this.#state.entries.get(tenantOfSpace(tenantId));
  }

  #fold(batches: readonly PartitionBatch[]): void {
    for (const { records, nextOffset } of batches) {
      for (const record of records) this.#foldRecord(record);
      this.#nextOffset = nextOffset;
    }
    this.#version += 1;
    this.#undeliverable.clear();
    const passed = this.#waiting.filter(({ offset }) => offset <= this.#nextOffset);
    this.#waiting = this.#waiting.filter(({ offset }) => offset > this.#nextOffset);
    for (const { resolve } of passed) resolve();
  }

  #foldRecord(record: PartitionBatch["records"][number]): void {
    if (record.value === null) return;
    try {
      foldDirectoryFact(this.#state, this.#deps.codec.decode(record.value) as DirectoryFact);
    } catch (reason) {
      this.#deps.onUnreadable(record.offset, reason);
    }
  }
}

/** Tenant id, or `installation` for what belongs to none. */
function keyOf(fact: DirectoryFact): string {
  switch (fact.type) {
    case "tenant.saved":
      return fact.tenant.tenantId;
    case "api-key.issued":
      return fact.key.tenantId;
    case "licence.set":
      return fact.licence.tenantId;
    case "person.saved":
      return fact.person.tenantId ?? INSTALLATION_KEY;
    default:
      return ("tenantId" in fact ? fact.tenantId : null) ?? INSTALLATION_KEY;
  }
}
