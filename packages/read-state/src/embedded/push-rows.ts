import type { TenantId } from "@feed/domain/ids";
import { SENT_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import type { SubjectKey } from "@feed/domain/user";
import { reservationAfter } from "@feed/projections/credits";
import type {
  OpenPushJob,
  PushJobPlace,
  PushJobRecord,
  ReadStateChange,
  Reservation,
  SentMarks,
} from "../port.ts";
import type { ModelTables, SentRow } from "./tables.ts";
import { rowHead } from "../user-rows.ts";

type Change<Kind extends ReadStateChange["kind"]> = Extract<ReadStateChange, { kind: Kind }>;

/** Above every string in the order of keys. */
export const AFTER_STRINGS = Buffer.from([0xff]);

/** Inside a write transaction. */
export function putReservationStep(
  tables: ModelTables,
  { tenantId, reservationId, month, step, tenths }: Change<"put-reservation-step">,
): void {
  const before = reservationOf(tables, tenantId, reservationId);
  const after = reservationAfter(before, { step, tenths });
  if (after === undefined) return;
  tables.reservations.putSync([tenantId, reservationId], [after.step, after.tenths]);
  const heldTenths = heldBy(after) - heldBy(before);
  const settledTenths = after.step === "settled" ? after.tenths : 0;
  if (heldTenths === 0 && settledTenths === 0) return;
  const [held, settled] = tables.reservationTotals.get([tenantId, month]) ?? [0, 0];
  tables.reservationTotals.putSync([tenantId, month], [held + heldTenths, settled + settledTenths]);
}

function heldBy(reservation: Reservation | undefined): number {
  return reservation?.step === "granted" ? reservation.tenths : 0;
}

export function reservationOf(
  { reservations }: ModelTables,
  tenantId: TenantId,
  reservationId: string,
): Reservation | undefined {
  const row = reservations.get([tenantId, reservationId]);
  return row && { step: row[0], tenths: row[1] };
}

/** Inside a write transaction. */
export function putPushJob(
  tables: ModelTables,
  { state, partition, offset }: Change<"put-push-job">,
): void {
  const { tenantId, jobId, atMs } = state.request;
  const place = [tenantId, jobId];
  const stored = tables.pushJobs.get(place);
  if (stored !== undefined && stored[1] >= offset) return;
  tables.pushJobs.putSync(place, [state, offset]);
  if (stored === undefined) tables.pushJobsByTime.putSync([tenantId, -atMs, jobId], true);
  if (state.closed) tables.openPushJobs.removeSync(place);
  else tables.openPushJobs.putSync(place, [partition, state.requestedOffset]);
}

export function pushJobOf(
  { pushJobs }: ModelTables,
  tenantId: TenantId,
  jobId: string,
): PushJobRecord | undefined {
  const row = pushJobs.get([tenantId, jobId]);
  return row && { state: row[0], offset: row[1] };
}

export function listPushJobs(
  tables: ModelTables,
  tenantId: TenantId,
  after: PushJobPlace | null,
  limit: number,
): readonly PushJobRecord[] {
  const start =
    after === null ? [tenantId] : [tenantId, -after.requestedAtMs, after.jobId, AFTER_STRINGS];
  const range = tables.pushJobsByTime.getKeys({ start, end: [tenantId, AFTER_STRINGS], limit });
  return Array.from(range, (key) => {
    const jobId = String((key as readonly unknown[])[2]);
    return pushJobOf(tables, tenantId, jobId);
  }).filter((record) => record !== undefined);
}

export function listOpenPushJobs({ openPushJobs }: ModelTables): readonly OpenPushJob[] {
  return Array.from(openPushJobs.getRange(), ({ key, value }) => {
    const [tenantId, jobId] = key as unknown as readonly [TenantId, string];
    return { tenantId, jobId, partition: value[0], requestedOffset: value[1] };
  });
}

/** Inside a write transaction. Nothing is kept of a user who has been forgotten. */
export function markSent(
  tables: ModelTables,
  { key: { tenantId, subjectId }, jobId, contentIds }: Change<"mark-sent">,
): void {
  const place = [tenantId, subjectId];
  const user = tables.users.getBinaryFast(place);
  if (user !== undefined && rowHead(user as Buffer).forgotten) return;
  const stored = tables.sent.get(place) ?? [];
  if (stored.some(([known]) => known === jobId)) return;
  tables.sent.putSync(place, latest([...stored, [jobId, contentIds]]));
}

/** As many jobs as keep within the limit, the newest. */
function latest(rows: readonly SentRow[]): readonly SentRow[] {
  let contents = 0;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    contents += rows[index]?.[1].length ?? 0;
    if (contents > SENT_MARKS_PER_USER_MAX) return rows.slice(index + 1);
  }
  return rows;
}

export function sentMarksOf(
  { sent }: ModelTables,
  { tenantId, subjectId }: SubjectKey,
): readonly SentMarks[] {
  const rows = sent.get([tenantId, subjectId]) ?? [];
  return rows.map(([jobId, contentIds]) => ({ jobId, contentIds }));
}
