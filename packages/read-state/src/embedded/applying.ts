import type { ContentId } from "@feed/domain/ids";
import type { SubjectKey } from "@feed/domain/user";
import type { ReadStateChange, ReadStateProjection } from "../port.ts";
import { markSent, putPushJob, putReservationStep } from "./push-rows.ts";
import { addReadMarks, removeReadMarks } from "./read-marks.ts";
import { mergeSessionPart, removeSessionParts } from "./session-parts.ts";
import type { ModelTables } from "./tables.ts";
import { forgottenRow, rowHead, userRow } from "../user-rows.ts";
import type { RowHead } from "../user-rows.ts";
import { putWebhookDelivery } from "./webhook-rows.ts";

type Change<Kind extends ReadStateChange["kind"]> = Extract<ReadStateChange, { kind: Kind }>;

/** All of it in one write transaction: visible together, or not at all. */
export function applyChanges(
  tables: ModelTables,
  projection: ReadStateProjection,
  changes: readonly ReadStateChange[],
  positions: ReadonlyMap<number, number>,
): void {
  tables.root.transactionSync(() => {
    const marks = new PendingMarks();
    for (const change of changes) applyChange(tables, change, marks);
    marks.write(tables);
    movePositions(tables, projection, positions);
  });
}

function applyChange(tables: ModelTables, change: ReadStateChange, marks: PendingMarks): void {
  switch (change.kind) {
    case "put-user":
      return putUser(tables, change);
    case "mark-read":
      return marks.add(change.key, change.contentId);
    case "forget-user":
      marks.drop(change.key);
      return forgetUser(tables, change);
    case "merge-session":
      return mergeSessionPart(tables, change.key, change.session);
    case "put-usage":
      return putUsage(tables, change);
    case "put-cap":
      return putCap(tables, change);
    case "put-reservation-step":
      return putReservationStep(tables, change);
    case "put-push-job":
      return putPushJob(tables, change);
    case "mark-sent":
      return markSent(tables, change);
    case "put-webhook-delivery":
      return putWebhookDelivery(tables, change);
  }
}

function putUser(tables: ModelTables, { key, state, offset }: Change<"put-user">): void {
  const place = [key.tenantId, key.subjectId];
  const head = storedHead(tables, place);
  if (head !== undefined && (head.forgotten || head.offset >= offset)) return;
  tables.users.putSync(place, userRow(state, offset));
}

function storedHead(tables: ModelTables, place: string[]): RowHead | undefined {
  const row = tables.users.getBinaryFast(place);
  return row && rowHead(row as Buffer);
}

function forgetUser(tables: ModelTables, change: Change<"forget-user">): void {
  const { key, offset } = change;
  const place = [key.tenantId, key.subjectId];
  const head = storedHead(tables, place);
  if (head !== undefined && head.offset >= offset) return;
  tables.users.putSync(place, forgottenRow(offset));
  removeReadMarks(tables, key);
  removeSessionParts(tables, key);
  tables.sent.removeSync(place);
  const generationKey = [key.tenantId, change.userRef];
  const generation = tables.generations.get(generationKey) ?? 0;
  tables.generations.putSync(generationKey, Math.max(generation, change.nextGeneration));
}

function putUsage(tables: ModelTables, change: Change<"put-usage">): void {
  const { tenantId, month, partition, tenths, offset } = change;
  const [storedTenths, storedOffset] = tables.usage.get([tenantId, month, partition]) ?? [0, -1];
  if (storedOffset >= offset) return;
  tables.usage.putSync([tenantId, month, partition], [tenths, offset]);
  const total = tables.usageTotals.get([tenantId, month]) ?? 0;
  tables.usageTotals.putSync([tenantId, month], total + tenths - storedTenths);
}

function putCap(tables: ModelTables, { tenantId, capTenths, offset }: Change<"put-cap">): void {
  const stored = tables.caps.get(tenantId);
  if (stored !== undefined && stored[1] >= offset) return;
  tables.caps.putSync(tenantId, [capTenths, offset]);
}

function movePositions(
  { positions }: ModelTables,
  projection: ReadStateProjection,
  moved: ReadonlyMap<number, number>,
): void {
  const merged = new Map(positions.get(projection) ?? []);
  for (const [partition, offset] of moved) {
    merged.set(partition, Math.max(offset, merged.get(partition) ?? 0));
  }
  positions.putSync(projection, [...merged]);
}

/** Marks of one batch, so that each user's chunk is written once. */
class PendingMarks {
  readonly #bySubject = new Map<
    string,
    { readonly key: SubjectKey; readonly read: Set<ContentId> }
  >();

  add(key: SubjectKey, contentId: ContentId): void {
    const name = subjectName(key);
    const pending = this.#bySubject.get(name);
    if (pending === undefined) this.#bySubject.set(name, { key, read: new Set([contentId]) });
    else pending.read.add(contentId);
  }

  drop(key: SubjectKey): void {
    this.#bySubject.delete(subjectName(key));
  }

  write(tables: ModelTables): void {
    for (const { key, read } of this.#bySubject.values()) addReadMarks(tables, key, read);
  }
}

function subjectName({ tenantId, subjectId }: SubjectKey): string {
  return JSON.stringify([tenantId, subjectId]);
}
