import { BEHAVIOUR_KINDS } from "@feed/domain/facts";
import type { UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type {
  ContentId,
  SessionRef,
  SourceId,
  SubjectId,
  TenantId,
  UserId,
  UserRef,
} from "@feed/domain/ids";

const START_MS = Date.UTC(2026, 10, 1);
const CHANGES = ["follow", "unfollow", "block", "unblock"] as const;

interface RandomFactsOptions {
  readonly users: number;
  /** Of 1; the rest are behavioural events. */
  readonly profileShare: number;
  readonly deletionShare: number;
}

/**
 * Facts of two tenants' users, the same for the same seed. A deleted user's facts go on arriving, as they do from
 * clients that have not heard of it.
 */
export function randomUserFacts(
  seed: number,
  count: number,
  { users, profileShare, deletionShare }: RandomFactsOptions,
): readonly UserFact[] {
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, index): UserFact => {
    const tenantId = asId<TenantId>(`tenant-${below(2)}`);
    const user = below(users);
    const receivedAtMs = START_MS + index * 1_000;
    const subjectId = asId<SubjectId>(`subject-of-user-${user}-of-${tenantId}`);
    const base = { tenantId, subjectId, receivedAtMs };
    const userId = asId<UserId>(`user-${user}`);
    const chance = random();
    if (chance < deletionShare) {
      const userRef = asId<UserRef>(`ref-${user}`);
      return { type: "user.deleted", ...base, userRef, generation: 0 };
    }
    if (chance < deletionShare + profileShare) {
      const sourceId = asId<SourceId>(`source-${below(5)}`);
      const change = CHANGES[below(CHANGES.length)] ?? "follow";
      const properties = { language: below(2) === 0 ? "ja" : "en" };
      const personal = { userId, properties };
      if (below(2) === 0) return { type: "user.properties-replaced", ...base, personal };
      if (below(2) === 0) return { type: "user.properties-merged", ...base, personal };
      const type = "user.source-preference-changed";
      return { type, ...base, sourceId, change, personal: { userId } };
    }
    const session = below(users);
    return {
      type: "behaviour.recorded",
      ...base,
      eventId: `event-${below(count)}`,
      kind: BEHAVIOUR_KINDS[below(BEHAVIOUR_KINDS.length)] ?? "click",
      ofUser: true,
      sessionRef: asId<SessionRef>(`session-ref-${session}`),
      contentId: asId<ContentId>(
        `0192f3a4-5b6c-7d8e-9f00-${String(below(5_000)).padStart(12, "0")}`,
      ),
      occurredAtMs: receivedAtMs - below(5_000),
      personal: { userId, sessionId: `session-${session}`, deviceInfo: { os: "Android" } },
    };
  });
}

/** Mulberry32: 0 (inclusive) to 1 (exclusive). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
