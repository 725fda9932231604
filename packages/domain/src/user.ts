import type { AreaLevel } from "./area.ts";
import type { ContentId, SessionRef, SourceId, SubjectId, TenantId, UserId } from "./ids.ts";

/** Spec 2.5: the five named properties; anything else is refused at the edge. */
export interface UserProperties {
  readonly area_names?: readonly string[];
  readonly area_level?: AreaLevel;
  readonly language?: string;
  readonly interests?: readonly string[];
  /** RFC 3339 with offset, as sent. */
  readonly registered_at?: string;
}

/** Where a user's record lives: the subject is the tenant's pseudonym for the user's current generation. */
export interface SubjectKey {
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
}

/** A subject, and the partition of `users` and `user-keys` that has everything about it. */
export interface PlacedSubject extends SubjectKey {
  readonly partition: number;
}

/** One article the user reacted to; vectors are joined when a feed is made (architecture rule 6). */
export interface InterestMark {
  readonly contentId: ContentId;
  /** Click 1, like and share more, dislike below zero. */
  readonly weight: number;
  readonly atMs: number;
}

/** A session_start already counted, kept for the deduplication window. */
export interface CountedSessionStart {
  readonly eventId: string;
  readonly receivedAtMs: number;
}

/** What the `users` topic says about one user, folded. */
export interface UserState {
  readonly userId: UserId;
  readonly properties: UserProperties;
  readonly followedSources: readonly SourceId[];
  readonly blockedSources: readonly SourceId[];
  readonly totalSessions: number;
  readonly lastActiveAtMs: number | null;
  /** Time of the first event by order in the log; stands in for `registered_at` (decisions). */
  readonly firstEventAtMs: number | null;
  readonly createdAtMs: number;
  /** Of the last fact that changed properties or preferences. */
  readonly updatedAtMs: number;
  /** Offset of the fact that created the user: whether a PUT created, whether a PATCH found somebody. */
  readonly createdOffset: number;
  /** At most INTERESTS_STORED_MAX, oldest first, one for each content. */
  readonly interests: readonly InterestMark[];
  /** At most COUNTED_SESSION_STARTS_MAX, oldest first. */
  readonly countedSessionStarts: readonly CountedSessionStart[];
  /** Offset of the last fact that changed what ranking sees: properties, preferences, interests, read marks. */
  readonly rankingOffset: number;
}

/** A session's facts can lie in two partitions, so its record merges in any order (architecture rule 2). */
export interface SessionState {
  readonly sessionRef: SessionRef;
  readonly sessionId: string;
  /** Owner: of the lowest (receivedAtMs, eventId) among events with a user. */
  readonly owner: {
    readonly subjectId: SubjectId;
    readonly receivedAtMs: number;
    readonly eventId: string;
  } | null;
  /** Of the session_start with the highest (receivedAtMs, eventId). */
  readonly start: {
    readonly startedAtMs: number;
    readonly deviceInfo?: Readonly<Record<string, unknown>>;
    readonly receivedAtMs: number;
    readonly eventId: string;
  } | null;
  readonly firstEventAtMs: number;
  readonly lastEventAtMs: number;
}

/** `registered_at` of the answer: the property, else the first event, else null (decisions). */
export function registeredAtMs(
  state: Pick<UserState, "properties" | "firstEventAtMs">,
): number | null {
  const given = state.properties.registered_at;
  return given === undefined ? state.firstEventAtMs : Date.parse(given);
}
