import type { SessionRef, SubjectId, TenantId } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import type { ModelTables, SessionRow } from "./tables.ts";

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

// Flat, without field names and without what the key says already: these rows are the most written of all.
function partRow(part: SessionState): SessionRow {
  const { sessionId, owner, start, firstEventAtMs, lastEventAtMs } = part;
  return [
    sessionId,
    firstEventAtMs,
    lastEventAtMs,
    owner && [owner.receivedAtMs, owner.eventId],
    start && [start.startedAtMs, start.receivedAtMs, start.eventId, start.deviceInfo ?? null],
  ];
}

function partOf(sessionRef: SessionRef, subjectId: SubjectId, row: SessionRow): SessionState {
  const [sessionId, firstEventAtMs, lastEventAtMs, owner, start] = row;
  return {
    sessionRef,
    sessionId,
    owner: owner && { subjectId, receivedAtMs: owner[0], eventId: owner[1] },
    start: start && {
      startedAtMs: start[0],
      receivedAtMs: start[1],
      eventId: start[2],
      ...(start[3] !== null && { deviceInfo: start[3] }),
    },
    firstEventAtMs,
    lastEventAtMs,
  };
}
