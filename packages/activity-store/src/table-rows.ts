import type {
  ActivityRows,
  ContentRow,
  DeliveryRow,
  EventRow,
  IdentityRow,
  PushJobRow,
  PushSentRow,
  UsageCapRow,
  UserChangeRow,
} from "@feed/projections/activity-rows";

/** Rows of one table, with the table's own column names. */
export interface TableRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The rows of a batch by table; tables without rows are left out. */
export function tableRows(rows: ActivityRows): TableRows[] {
  const tables: TableRows[] = [
    { table: "events", rows: rows.events.map(eventColumns) },
    { table: "user_changes", rows: rows.userChanges.map(userChangeColumns) },
    { table: "identities", rows: distinctIdentities(rows.identities).map(identityColumns) },
    { table: "deliveries", rows: rows.deliveries.map(deliveryColumns) },
    { table: "usage_caps", rows: rows.usageCaps.map(usageCapColumns) },
    { table: "contents", rows: rows.contents.map(contentColumns) },
    { table: "push_jobs", rows: rows.pushJobs.map(pushJobColumns) },
    { table: "push_sent", rows: rows.pushSent.map(pushSentColumns) },
  ];
  return tables.filter((table) => table.rows.length > 0);
}

/** What `DateTime64(3)` can hold; a time beyond is the nearest it can. */
const TIME_MS_MIN = Date.UTC(1900, 0, 1);
const TIME_MS_MAX = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** `DateTime64(3)` in UTC as text: exact, and the same text for the same instant. */
function timeText(atMs: number): string {
  const held = Math.min(TIME_MS_MAX, Math.max(TIME_MS_MIN, atMs));
  return new Date(held).toISOString().slice(0, -1).replace("T", " ");
}

function eventColumns(row: EventRow) {
  return {
    tenant_id: row.tenantId,
    subject_id: row.subjectId,
    of_user: row.ofUser,
    event_id: row.eventId,
    kind: row.kind,
    session_ref: row.sessionRef ?? "",
    content_id: row.contentId ?? "",
    surface: row.surface ?? "",
    scenario: row.scenario ?? "",
    delivery_id: row.deliveryId ?? "",
    position: row.position ?? -1,
    occurred_at: timeText(row.occurredAtMs),
    received_at: timeText(row.receivedAtMs),
    log_offset: row.offset,
  };
}

function userChangeColumns(row: UserChangeRow) {
  return {
    tenant_id: row.tenantId,
    subject_id: row.subjectId,
    log_offset: row.offset,
    changed_at: timeText(row.changedAtMs),
    creates: row.creates,
    deletes: row.deletes,
    sets_registered: row.registeredAtMs !== undefined,
    registered_at:
      row.registeredAtMs === undefined || row.registeredAtMs === null
        ? null
        : timeText(row.registeredAtMs),
  };
}

function identityColumns({ tenantId, subjectId, userId }: IdentityRow) {
  return { tenant_id: tenantId, subject_id: subjectId, user_id: userId };
}

/** A busy user is named by every event of a batch; one row says it. */
function distinctIdentities(rows: readonly IdentityRow[]): IdentityRow[] {
  return [...new Map(rows.map((row) => [`${row.tenantId}\n${row.subjectId}`, row])).values()];
}

function deliveryColumns(row: DeliveryRow) {
  return {
    tenant_id: row.tenantId,
    request_id: row.requestId,
    endpoint: row.endpoint,
    subject_id: row.subjectId ?? "",
    scenario: row.scenario ?? "",
    experiment_id: row.experiment?.experimentId ?? "",
    arm: row.experiment?.arm ?? "",
    content_ids: row.contentIds,
    positions: row.positions,
    scores: row.scores,
    credits_tenths: row.creditsTenths,
    served_at: timeText(row.servedAtMs),
  };
}

function usageCapColumns(row: UsageCapRow) {
  return {
    tenant_id: row.tenantId,
    log_offset: row.offset,
    cap_tenths: row.capTenths,
    actor: row.actor,
    set_at: timeText(row.atMs),
  };
}

function contentColumns(row: ContentRow) {
  return {
    content_id: row.contentId,
    source_id: row.sourceId,
    title: row.title,
    category: row.category,
    language: row.language,
    published_at: timeText(row.publishedAtMs),
    withdrawn: row.withdrawn,
    log_offset: row.offset,
  };
}

function pushJobColumns(row: PushJobRow) {
  return {
    tenant_id: row.tenantId,
    job_id: row.jobId,
    scenario: row.scenario,
    status: row.status,
    error_code: row.errorCode,
    target_users: row.targetUsers,
    users_failed: row.usersFailed,
    candidates: row.candidates,
    credits_tenths: row.creditsTenths,
    ended_at: timeText(row.endedAtMs),
    precedence: Number.MAX_SAFE_INTEGER - row.offset,
  };
}

function pushSentColumns(row: PushSentRow) {
  return {
    tenant_id: row.tenantId,
    job_id: row.jobId,
    scenario: row.scenario,
    content_id: row.contentId,
    users: row.users,
    sent_at: timeText(row.sentAtMs),
  };
}
