import type { DirectoryFact } from "@feed/domain/facts";
import type { SourceId, TenantId } from "@feed/domain/ids";
import type { EventLog, LogConsumer, PartitionBatch } from "@feed/event-log";
import type { TenantDirectory } from "./directory.ts";
import { emptyDirectory, foldDirectoryFact, licenceOf, type DirectoryState } from "./fold.ts";

/** Records handed over in one call while the topic is read. */
const RECORDS_PER_CALL_MAX = 1_000;
const PARTITION = 0;

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
  const [end = 0] = await deps.eventLog.endOffsets("tenants");
  const directory = new FollowedDirectory(deps);
  await directory.start();
  await directory.foldedUpTo(end);
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
    return this.#state.entries.get(tenantId)?.tenant;
  }

  tenants() {
    return [...this.#state.entries.values()].flatMap((entry) => entry.tenant ?? []);
  }

  apiKey(sha256: string) {
    return this.#state.keysBySha256.get(sha256);
  }

  apiKeys(tenantId: TenantId) {
    return [...(this.#state.entries.get(tenantId)?.keys.values() ?? [])];
  }

  scenario(tenantId: TenantId, name: string) {
    return this.#state.entries.get(tenantId)?.scenarios.get(name);
  }

  scenarios(tenantId: TenantId, type?: "feed" | "push") {
    const all = [...(this.#state.entries.get(tenantId)?.scenarios.values() ?? [])];
    return type === undefined ? all : all.filter((scenario) => scenario.type === type);
  }

  source(sourceId: SourceId) {
    return this.#state.sources.get(sourceId);
  }

  sources() {
    return [...this.#state.sources.values()].filter(({ removed }) => removed !== true);
  }

  licence(tenantId: TenantId, sourceId: SourceId) {
    return licenceOf(this.#state, tenantId, sourceId);
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

function keyOf(fact: DirectoryFact): string {
  switch (fact.type) {
    case "tenant.saved":
      return fact.tenant.tenantId;
    case "api-key.issued":
      return fact.key.tenantId;
    case "licence.set":
      return fact.licence.tenantId;
    case "source.saved":
      return "installation";
    default:
      return fact.tenantId;
  }
}
