import type { ExperimentArm } from "@feed/domain/experiment";
import type { ContentId, SubjectId, TenantId, UserId } from "@feed/domain/ids";
import type { PushConditions } from "@feed/domain/push-facts";
import type { Topic } from "@feed/domain/topics";
import type { ActivityRows } from "@feed/projections/activity-rows";

/** Topics that are projected into the activity store; each has positions of its own. */
export const ACTIVITY_TOPICS = [
  "users",
  "deliveries",
  "credits",
  "contents",
  "push-jobs",
] as const satisfies readonly Topic[];
export type ActivityTopic = (typeof ACTIVITY_TOPICS)[number];

/** How one article did with one tenant's users. */
export interface ContentEngagement {
  readonly contentId: ContentId;
  /** Distinct impression events: what was delivered has not yet been seen. */
  readonly impressions: number;
  /** Distinct click, like and share events. */
  readonly clicks: number;
}

export interface UserListPage {
  /** Ascending by subject. */
  readonly subjectIds: readonly SubjectId[];
}

/** Credits of one day and endpoint, for GET /v1/usage. */
export interface UsageDay {
  /** `YYYY-MM-DD` in Asia/Tokyo. */
  readonly day: string;
  readonly endpoint: "feed" | "content" | "push";
  readonly requests: number;
  readonly creditsTenths: number;
}

/** What the users of one arm of an experiment were served in feeds, and what they did with it. */
export interface ArmCounts {
  readonly users: number;
  readonly feeds: number;
  readonly items: number;
  /** Distinct impression events of what was served. */
  readonly impressions: number;
  /** Distinct click events of what was served. */
  readonly clicks: number;
  readonly usersClicked: number;
}

/** One user of a tenant and which conditions leave them out (spec 2.8): independent of each other. */
export interface AudienceUser {
  readonly subjectId: SubjectId;
  /** Empty where a condition leaves the user out. */
  readonly userId: UserId;
  readonly neverActive: boolean;
  readonly activeTooLongAgo: boolean;
  readonly outsideRegisteredRange: boolean;
}

/**
 * Everything that happened, for counting: ClickHouse, served or embedded (architecture section 1).
 *
 * Repeats  rows carry deterministic ids; applying a batch again changes no answer (architecture rule 3).
 * People   rows carry subject ids; user ids lie in one table, whose row a deletion removes (rule 7).
 * Errors   ActivityStoreUnavailable (retry later) or ActivityStoreRejected (a bug).
 */
export interface ActivityStore extends AsyncDisposable {
  /** Inserts rows, then stores the positions of the topic. At most 50,000 rows. */
  apply(
    topic: ActivityTopic,
    rows: ActivityRows,
    positions: ReadonlyMap<number, number>,
  ): Promise<void>;
  /** Partition to next offset, as last applied. */
  positions(topic: ActivityTopic): Promise<ReadonlyMap<number, number>>;
  /** Articles with any engagement since `sinceMs`, for ranking. At most 20,000, most clicked first. */
  engagement(tenantId: TenantId, sinceMs: number): Promise<readonly ContentEngagement[]>;
  /** Existing users of the tenant after a subject. At most 1,000. */
  listUsers(tenantId: TenantId, after: SubjectId | null, limit: number): Promise<UserListPage>;
  /** How many facts each table holds, a repeat counted once, and sums over them: what two versions must agree in. */
  totals(): Promise<ReadonlyMap<string, number>>;
  usageByDay(tenantId: TenantId, month: string): Promise<readonly UsageDay[]>;
  /** Feeds served in the arms of an experiment since `sinceMs`. Users served in both arms count in none. */
  experimentArms(
    tenantId: TenantId,
    experimentId: string,
    sinceMs: number,
  ): Promise<Readonly<Record<ExperimentArm, ArmCounts>>>;
  /**
   * Every existing user of the tenant at one instant, ascending by subject, in blocks: from one query, so that
   * counters and users fit each other. `last_active_days` counts back from `atMs`.
   */
  audience(
    tenantId: TenantId,
    conditions: PushConditions,
    atMs: number,
  ): AsyncIterable<readonly AudienceUser[]>;
}

export class ActivityStoreUnavailable extends Error {
  override readonly name = "ActivityStoreUnavailable";
}
export class ActivityStoreRejected extends Error {
  override readonly name: string = "ActivityStoreRejected";
}
/** A value of a row can't be taken; the other rows of the batch could. */
export class ActivityRowRefused extends ActivityStoreRejected {
  override readonly name = "ActivityRowRefused";
}
