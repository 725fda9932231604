import { BoundedCache } from "@feed/domain/bounded-cache";
import type { SessionRef, SubjectId } from "@feed/domain/ids";

/** Sessions in use at a time on one node; an older one is forgotten, and shared use of it missed. */
const SESSIONS_REMEMBERED_MAX = 50_000;

/** Notices a session that is used by a second user: a mistake of the tenant's that is counted, not refused (spec 2.6). */
export class SessionOwners {
  readonly #owners = new BoundedCache<SessionRef, SubjectId>(SESSIONS_REMEMBERED_MAX);

  /** Whether the session was seen with another user here; the first one seen stays its owner. */
  isShared(sessionRef: SessionRef, subjectId: SubjectId): boolean {
    const owner = this.#owners.get(sessionRef);
    if (owner !== undefined) return owner !== subjectId;
    this.#owners.set(sessionRef, subjectId);
    return false;
  }
}
