import type { SessionState } from "./user.ts";

type Owner = NonNullable<SessionState["owner"]>;
type Start = NonNullable<SessionState["start"]>;

/**
 * Two views of one session as one (spec 6.1 rule 1; architecture rule 2): the owner is that of the lowest
 * (receivedAtMs, eventId), the start that of the highest. Any order, any grouping and any repeats give
 * the same session, because its facts come from two partitions that keep no order between them.
 */
export function mergeSessions(left: SessionState, right: SessionState): SessionState {
  return {
    sessionRef: left.sessionRef,
    sessionId: left.sessionId,
    owner: pick(left.owner, right.owner, (one, other) => compareOwners(one, other) <= 0),
    start: pick(left.start, right.start, (one, other) => compareStarts(one, other) >= 0),
    firstEventAtMs: Math.min(left.firstEventAtMs, right.firstEventAtMs),
    lastEventAtMs: Math.max(left.lastEventAtMs, right.lastEventAtMs),
  };
}

function pick<T>(
  left: T | null,
  right: T | null,
  leftWins: (left: T, right: T) => boolean,
): T | null {
  if (left === null) return right;
  if (right === null) return left;
  return leftWins(left, right) ? left : right;
}

function compareOwners(left: Owner, right: Owner): number {
  return compareEvents(left, right) || compareText(left.subjectId, right.subjectId);
}

function compareStarts(left: Start, right: Start): number {
  return (
    compareEvents(left, right) ||
    left.startedAtMs - right.startedAtMs ||
    // One event id can be sent twice with different contents; the answer must not depend on who came first.
    compareText(JSON.stringify(left.deviceInfo ?? null), JSON.stringify(right.deviceInfo ?? null))
  );
}

interface EventOrder {
  readonly receivedAtMs: number;
  readonly eventId: string;
}

function compareEvents(left: EventOrder, right: EventOrder): number {
  return left.receivedAtMs - right.receivedAtMs || compareText(left.eventId, right.eventId);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
