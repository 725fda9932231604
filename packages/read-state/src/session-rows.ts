import type { SessionRef, SubjectId } from "@feed/domain/ids";
import type { SessionState } from "@feed/domain/user";

/** What one subject's events say about a session; the owner, where there is one, is that subject. */
export type SessionRow = readonly [
  sessionId: string,
  firstEventAtMs: number,
  lastEventAtMs: number,
  owner: readonly [receivedAtMs: number, eventId: string] | null,
  start:
    | readonly [
        startedAtMs: number,
        receivedAtMs: number,
        eventId: string,
        deviceInfo: Readonly<Record<string, unknown>> | null,
      ]
    | null,
];

// Flat, without field names and without what the key says already: these rows are the most written of all.
export function partRow(part: SessionState): SessionRow {
  const { sessionId, owner, start, firstEventAtMs, lastEventAtMs } = part;
  return [
    sessionId,
    firstEventAtMs,
    lastEventAtMs,
    owner && [owner.receivedAtMs, owner.eventId],
    start && [start.startedAtMs, start.receivedAtMs, start.eventId, start.deviceInfo ?? null],
  ];
}

export function partOf(
  sessionRef: SessionRef,
  subjectId: SubjectId,
  row: SessionRow,
): SessionState {
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
