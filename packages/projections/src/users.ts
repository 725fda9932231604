import type {
  BehaviourPersonal,
  BehaviourRecorded,
  Opened,
  SourcePreferenceChange,
  UserFact,
} from "@feed/domain/facts";
import type { ContentId, SourceId, UserId } from "@feed/domain/ids";
import { COUNTED_SESSION_STARTS_MAX, EVENT_DEDUPLICATION_WINDOW_MS } from "@feed/domain/limits";
import type { SessionState, UserProperties, UserState } from "@feed/domain/user";
import type { StoredUser, UserRecord } from "./changes.ts";
import { addInterest, interestWeight } from "./interests.ts";
import { sessionOf } from "./sessions.ts";

type Behaviour = BehaviourRecorded<Opened<BehaviourPersonal>>;

/** What one fact does to its subject. */
export interface UserProjection {
  /** The same object as `before` where the record does not change. */
  readonly after: UserRecord | undefined;
  /** Content that is now read and leaves the user's feed (spec 6.1 rule 3). */
  readonly read?: { readonly contentId: ContentId; readonly atMs: number };
  /** What the fact says about its session; merged, so that a repeat does no harm. */
  readonly session?: SessionState;
}

/**
 * One fact of topic `users` onto the record of its subject (spec 2.5, 2.6, 4.3, 6.1; decisions, "Users,
 * events, sessions").
 *
 * `offset` is the fact's place in its partition. A fact at or below the record's offset is in the record
 * already and leaves it as it is. Facts of a forgotten subject, and facts whose personal fields can't be
 * opened because their key is gone, have no effect; only a deletion needs no key.
 *
 * @throws an event that claims to be a user's and names none.
 */
export function projectUserFact(
  before: UserRecord | undefined,
  fact: UserFact,
  offset: number,
): UserProjection {
  const isStale = before !== undefined && offset <= before.offset;
  if (fact.type === "user.deleted") {
    return { after: isStale ? before : { kind: "forgotten", offset } };
  }
  if (before?.kind === "forgotten" || fact.personal === null) return { after: before };
  if (fact.type === "behaviour.recorded") {
    return projectBehaviour(before, fact, fact.personal, offset, isStale);
  }
  if (isStale) return { after: before };
  const at = { offset, receivedAtMs: fact.receivedAtMs };
  switch (fact.type) {
    case "user.properties-replaced": {
      const user = before ?? newUser(fact.personal.userId, at);
      return { after: withProperties(user, fact.personal.properties, at) };
    }
    case "user.properties-merged": {
      if (before === undefined) return { after: before };
      const merged = { ...before.state.properties, ...fact.personal.properties };
      return { after: withProperties(before, merged, at) };
    }
    case "user.source-preference-changed":
      return { after: before && withPreference(before, fact.sourceId, fact.change, at) };
  }
}

interface FactPlace {
  readonly offset: number;
  readonly receivedAtMs: number;
}

function projectBehaviour(
  before: StoredUser | undefined,
  fact: Behaviour,
  personal: BehaviourPersonal,
  offset: number,
  isStale: boolean,
): UserProjection {
  const session = sessionOf(fact, personal);
  const sessionPart = session === undefined ? {} : { session };
  if (!fact.ofUser) return { after: before, ...sessionPart };
  if (personal.userId === undefined) throw new Error("an event of a user names no user_id");
  // A store may have kept the record and lost the rest in a crash: what is safe to repeat is repeated.
  const atMs = activityAtMs(fact);
  const { contentId } = fact;
  const readPart = contentId !== undefined && marksRead(fact) ? { read: { contentId, atMs } } : {};
  if (isStale) return { after: before, ...sessionPart, ...readPart };
  const user = before ?? newUser(personal.userId, { offset, receivedAtMs: fact.receivedAtMs });
  return { after: withBehaviour(user, fact, personal, offset), ...sessionPart, ...readPart };
}

/** When the user was active: an event dated in the future counts as received (decisions, `last_active_at`). */
function activityAtMs(fact: Pick<Behaviour, "occurredAtMs" | "receivedAtMs">): number {
  return Math.min(fact.occurredAtMs, fact.receivedAtMs);
}

function marksRead(fact: Behaviour): boolean {
  return fact.kind === "click" || fact.kind === "dislike";
}

function newUser(userId: UserId, { offset, receivedAtMs }: FactPlace): StoredUser {
  const state: UserState = {
    userId,
    properties: {},
    followedSources: [],
    blockedSources: [],
    totalSessions: 0,
    lastActiveAtMs: null,
    firstEventAtMs: null,
    createdAtMs: receivedAtMs,
    updatedAtMs: receivedAtMs,
    createdOffset: offset,
    interests: [],
    countedSessionStarts: [],
    rankingOffset: offset,
  };
  return { kind: "user", state, offset };
}

function withProperties(
  user: StoredUser,
  properties: UserProperties,
  { offset, receivedAtMs }: FactPlace,
): StoredUser {
  const state = { ...user.state, properties, updatedAtMs: receivedAtMs, rankingOffset: offset };
  return { kind: "user", state, offset };
}

/** Following a blocked source unblocks it and the other way round (decisions). */
function withPreference(
  user: StoredUser,
  sourceId: SourceId,
  change: SourcePreferenceChange,
  { offset, receivedAtMs }: FactPlace,
): StoredUser {
  const { followedSources, blockedSources } = user.state;
  const follows = followedSources.includes(sourceId);
  const blocks = blockedSources.includes(sourceId);
  const wantsFollow = change === "follow" || (follows && change === "unblock");
  const wantsBlock = change === "block" || (blocks && change === "unfollow");
  if (follows === wantsFollow && blocks === wantsBlock) return user;
  const state: UserState = {
    ...user.state,
    followedSources: withMember(followedSources, sourceId, wantsFollow),
    blockedSources: withMember(blockedSources, sourceId, wantsBlock),
    updatedAtMs: receivedAtMs,
    rankingOffset: offset,
  };
  return { kind: "user", state, offset };
}

function withMember<T>(list: readonly T[], member: T, wanted: boolean): readonly T[] {
  if (list.includes(member) === wanted) return list;
  return wanted ? [...list, member] : list.filter((other) => other !== member);
}

function withBehaviour(
  user: StoredUser,
  fact: Behaviour,
  personal: BehaviourPersonal,
  offset: number,
): StoredUser {
  const before = user.state;
  const atMs = activityAtMs(fact);
  const attributes = fact.kind === "login" ? personal.userAttributes : undefined;
  const shows = fact.contentId !== undefined && interestWeight(fact.kind) !== undefined;
  const state: UserState = {
    ...before,
    ...(attributes && {
      properties: { ...before.properties, ...attributes },
      updatedAtMs: fact.receivedAtMs,
    }),
    ...(fact.kind === "session_start" && countSessionStart(before, fact)),
    lastActiveAtMs: Math.max(before.lastActiveAtMs ?? atMs, atMs),
    firstEventAtMs: before.firstEventAtMs ?? atMs,
    interests:
      fact.contentId === undefined
        ? before.interests
        : addInterest(before.interests, fact.kind, fact.contentId, atMs),
    rankingOffset: attributes !== undefined || shows ? offset : before.rankingOffset,
  };
  return { kind: "user", state, offset };
}

/** Adds one unless the same event was counted within the window (spec 2.5, decisions: 7 days). */
function countSessionStart(
  state: UserState,
  { eventId, receivedAtMs }: Behaviour,
): Pick<UserState, "totalSessions" | "countedSessionStarts"> {
  const { totalSessions, countedSessionStarts } = state;
  const remembered = countedSessionStarts.filter(
    (start) => receivedAtMs - start.receivedAtMs < EVENT_DEDUPLICATION_WINDOW_MS,
  );
  if (remembered.some((start) => start.eventId === eventId)) {
    return { totalSessions, countedSessionStarts };
  }
  return {
    totalSessions: totalSessions + 1,
    countedSessionStarts: [
      ...remembered.slice(-(COUNTED_SESSION_STARTS_MAX - 1)),
      { eventId, receivedAtMs },
    ],
  };
}
