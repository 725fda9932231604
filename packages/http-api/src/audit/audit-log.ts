import type { DirectoryFact } from "@feed/domain/facts";
import type { TenantId } from "@feed/domain/ids";
import { UnreadableRecord } from "@feed/event-codec";
import type { LogRecord } from "@feed/event-log";
import type { HttpApiDependencies } from "../dependencies.ts";
import { auditEntryOf, type AuditEntry } from "./audit-entry.ts";

const TOPIC = "tenants";
const PARTITION = 0;
const RECORDS_PER_READ = 500;
/** How far the order of facts may be from that of their times: clocks of nodes, and waiting appends. */
const DISORDER_MS_MAX = 3_600_000;

export interface AuditFilter {
  /** Null: every tenant's, and the installation's. */
  readonly tenantId: TenantId | null;
  readonly actor: string | undefined;
  readonly kind: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

type AuditDependencies = Pick<HttpApiDependencies, "eventLog" | "codec" | "directory">;

/** A place in the log that was looked at, with the entry found there, if it is one that was asked for. */
export interface AuditStep {
  readonly offset: number;
  readonly entry: AuditEntry | undefined;
}

/**
 * The audit log from just before `beforeOffset` back to its beginning, newest first: the facts of topic `tenants`, read
 * as they are asked for. Errors: LogUnavailable.
 */
export async function* auditSteps(
  deps: AuditDependencies,
  filter: AuditFilter,
  beforeOffset?: number,
): AsyncGenerator<AuditStep> {
  const [end = 0] = await deps.eventLog.endOffsets(TOPIC);
  let before = Math.min(beforeOffset ?? end, end);
  while (before > 0) {
    const from = Math.max(0, before - RECORDS_PER_READ);
    const records = await recordsBetween(deps, from, before);
    for (const record of records.toReversed()) {
      if (record.timestampMs < filter.fromMs - DISORDER_MS_MAX) return;
      yield { offset: record.offset, entry: entryIn(deps, record, filter) };
    }
    before = from;
  }
}

async function recordsBetween(
  { eventLog }: AuditDependencies,
  from: number,
  before: number,
): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  let next = from;
  while (next < before) {
    const batch = await eventLog.read(TOPIC, PARTITION, next, before - next);
    if (batch.records.length === 0) break;
    records.push(...batch.records.filter(({ offset }) => offset < before));
    next = batch.nextOffset;
  }
  return records;
}

function entryIn(
  { codec, directory }: AuditDependencies,
  { value, offset }: LogRecord,
  filter: AuditFilter,
): AuditEntry | undefined {
  if (value === null) return undefined;
  try {
    const fact = codec.decode(value) as DirectoryFact;
    const entry = auditEntryOf(fact, offset, (id) => directory.personOfRecord(id));
    return entry !== undefined && matches(entry, filter) ? entry : undefined;
  } catch (error) {
    // What nobody can read is reported where the directory is folded.
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

function matches({ atMs, actor, kind, tenantId }: AuditEntry, filter: AuditFilter): boolean {
  return (
    (filter.tenantId === null || filter.tenantId === tenantId) &&
    (filter.actor === undefined || filter.actor === actor) &&
    (filter.kind === undefined || filter.kind === kind) &&
    atMs >= filter.fromMs &&
    atMs < filter.toMs
  );
}
