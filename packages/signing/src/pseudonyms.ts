import { asId } from "@feed/domain/ids";
import type { SessionRef, SubjectId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import { hmacSha256 } from "./hmac-sha256.ts";
import { MAC_BYTES } from "./mac.ts";
import { partitionOf } from "./murmur2.ts";
import type { PurposeKeys } from "./purpose-keys.ts";

type PseudonymKind = "user-ref" | "session-ref" | "user" | "session" | "event";

/**
 * Names that stand for people outside sealed fields (architecture rule 7): HMAC over kind, tenant and the
 * parts, 22 characters of base64url. They never change, and one can't be led back or across tenants
 * without the root.
 */
export interface Pseudonyms {
  /** A user over all generations: partition and record key. */
  userRef(tenantId: TenantId, userId: UserId): UserRef;
  /** A user of one generation (from 0): one more after each deletion. */
  subjectOfUser(tenantId: TenantId, userId: UserId, generation: number): SubjectId;
  /** Subject of events that name a session and no user. */
  subjectOfSession(tenantId: TenantId, sessionId: string): SubjectId;
  /** Subject of an event that names neither. */
  subjectOfEvent(tenantId: TenantId, eventId: string): SubjectId;
  sessionRef(tenantId: TenantId, sessionId: string): SessionRef;
}

export function createPseudonyms(keys: PurposeKeys): Pseudonyms {
  const hmac = hmacSha256(keys.fixed("pseudonym"));
  const pseudonym = (kind: PseudonymKind, ...parts: readonly string[]): string => {
    // Lengths in front: no two lists of parts make the same input.
    const input = parts.reduce((text, part) => `${text}${part.length}:${part}`, `${kind}:`);
    return hmac(input).toString("base64url", 0, MAC_BYTES);
  };
  return {
    userRef: (tenantId, userId) => asId<UserRef>(pseudonym("user-ref", tenantId, userId)),
    subjectOfUser: (tenantId, userId, generation) =>
      asId<SubjectId>(pseudonym("user", tenantId, userId, `${generation}`)),
    subjectOfSession: (tenantId, sessionId) =>
      asId<SubjectId>(pseudonym("session", tenantId, sessionId)),
    subjectOfEvent: (tenantId, eventId) => asId<SubjectId>(pseudonym("event", tenantId, eventId)),
    sessionRef: (tenantId, sessionId) =>
      asId<SessionRef>(pseudonym("session-ref", tenantId, sessionId)),
  };
}

/**
 * Partition in `users`, `user-keys` and `deliveries` of everything about one user, or of what has no user:
 * its session, else its event (architecture rules 2 and 7).
 */
export function userPartition(ref: UserRef | SessionRef | SubjectId, partitions: number): number {
  return partitionOf(ref, partitions);
}
