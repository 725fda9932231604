import type { BehaviourPersonal, BehaviourRecorded } from "@feed/domain/facts";
import type { SessionState } from "@feed/domain/user";

/**
 * What one event says about its session (spec 2.6, 6.1 rule 1); undefined where it belongs to none.
 * Only a session_start says when it started and on which device.
 */
export function sessionOf(
  fact: Omit<BehaviourRecorded<unknown>, "personal">,
  personal: BehaviourPersonal,
): SessionState | undefined {
  const { eventId, receivedAtMs, sessionRef, subjectId } = fact;
  if (sessionRef === undefined || personal.sessionId === undefined) return undefined;
  const atMs = Math.min(fact.occurredAtMs, receivedAtMs);
  const start = {
    startedAtMs: fact.occurredAtMs,
    ...(personal.deviceInfo !== undefined && { deviceInfo: personal.deviceInfo }),
    receivedAtMs,
    eventId,
  };
  return {
    sessionRef,
    sessionId: personal.sessionId,
    owner: fact.ofUser ? { subjectId, receivedAtMs, eventId } : null,
    start: fact.kind === "session_start" ? start : null,
    firstEventAtMs: atMs,
    lastEventAtMs: atMs,
  };
}
