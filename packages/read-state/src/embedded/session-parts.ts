import type { SessionRef, SubjectId, TenantId } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import { partOf, partRow } from "../session-rows.ts";
import type { ModelTables } from "./tables.ts";

/** Above every string in the order of keys. */
const AFTER_STRINGS = Buffer.from([0xff]);

/** Inside a write transaction. */
export function mergeSessionPart(
  { sessions, sessionsOf }: ModelTables,
  { tenantId, subjectId }: SubjectKey,
  session: SessionState,
): void {
  const { sessionRef } = session;
  const key = [tenantId, sessionRef, subjectId];
  const known = sessions.get(key);
  if (known === undefined) sessionsOf.putSync([tenantId, subjectId, sessionRef], true);
  const part =
    known === undefined ? session : mergeSessions(partOf(sessionRef, subjectId, known), session);
  sessions.putSync(key, partRow(part));
}

export function mergedSession(
  { sessions }: ModelTables,
  tenantId: TenantId,
  sessionRef: SessionRef,
): SessionState | undefined {
  let merged: SessionState | undefined;
  const start = [tenantId, sessionRef];
  for (const { key, value } of sessions.getRange({ start, end: [...start, AFTER_STRINGS] })) {
    const subjectId = (key as readonly string[])[2] as SubjectId;
    const part = partOf(sessionRef, subjectId, value);
    merged = merged === undefined ? part : mergeSessions(merged, part);
  }
  return merged;
}

/** Inside a write transaction. */
export function removeSessionParts(
  { sessions, sessionsOf }: ModelTables,
  { tenantId, subjectId }: SubjectKey,
): void {
  const start = [tenantId, subjectId];
  const range = { start, end: [...start, AFTER_STRINGS] };
  for (const key of Array.from(sessionsOf.getKeys(range))) {
    const sessionRef = (key as readonly string[])[2] ?? "";
    sessions.removeSync([tenantId, sessionRef, subjectId]);
    sessionsOf.removeSync(key);
  }
}
