import type { ActivityStore, AudienceUser } from "@feed/activity-store";
import type { TenantId, UserId } from "@feed/domain/ids";
import type { FilterStats, PushConditions } from "@feed/domain/push-facts";
import type { PushDependencies } from "./dependencies.ts";
import type { AudienceMember } from "./objects.ts";

/** Users looked up between two turns of the event loop. */
const USERS_PER_BLOCK = 500;

export interface Audience {
  readonly count: number;
  /** Null in manual mode. */
  readonly filterStats: FilterStats | null;
}

/**
 * Users that the conditions let pass, by subject, handed over in blocks; resolves with the counters of spec 2.8, made
 * from the same answer.
 */
export async function audienceByConditions(
  activityStore: Pick<ActivityStore, "audience">,
  query: {
    readonly tenantId: TenantId;
    readonly conditions: PushConditions;
    readonly atMs: number;
  },
  take: (members: readonly AudienceMember[]) => Promise<void>,
): Promise<Audience> {
  const { tenantId, conditions, atMs } = query;
  const counters = { total: 0, never: 0, tooLongAgo: 0, outOfRange: 0, count: 0 };
  for await (const users of activityStore.audience(tenantId, conditions, atMs)) {
    const members = users.filter(isMember);
    counters.total += users.length;
    counters.count += members.length;
    for (const { neverActive, activeTooLongAgo, outsideRegisteredRange } of users) {
      counters.never += Number(neverActive);
      counters.tooLongAgo += Number(activeTooLongAgo);
      counters.outOfRange += Number(outsideRegisteredRange);
    }
    await take(members);
  }
  const filterStats = {
    totalAudience: counters.total,
    excludedDueToNullLastActive: counters.never,
    excludedDueToLastActiveDays: counters.tooLongAgo,
    excludedDueToRegisteredRange: counters.outOfRange,
  };
  return { count: counters.count, filterStats };
}

function isMember(user: AudienceUser): boolean {
  return !user.neverActive && !user.activeTooLongAgo && !user.outsideRegisteredRange;
}

/** The users of a manual job, in the order given; whether they are registered shows when their lines are made. */
export async function audienceByIds(
  { readState, keyring }: Pick<PushDependencies, "readState" | "keyring">,
  tenantId: TenantId,
  userIds: readonly UserId[],
  take: (members: readonly AudienceMember[]) => Promise<void>,
): Promise<Audience> {
  const { pseudonyms } = keyring;
  for (let from = 0; from < userIds.length; from += USERS_PER_BLOCK) {
    const block = userIds.slice(from, from + USERS_PER_BLOCK);
    const userRefs = block.map((userId) => pseudonyms.userRef(tenantId, userId));
    const generations = await readState.generations(tenantId, userRefs);
    const members = block.map((userId, at) => {
      return {
        subjectId: pseudonyms.subjectOfUser(tenantId, userId, generations[at] ?? 0),
        userId,
      };
    });
    await take(members);
  }
  return { count: userIds.length, filterStats: null };
}
