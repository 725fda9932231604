import { BEHAVIOUR_KINDS } from "@feed/domain/facts";
import type { BehaviourKind, BehaviourPersonal } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { UserId } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import type { Core } from "@feed/engines";
import type { NewRecord } from "@feed/event-log";
import { partitionOf, userPartition } from "@feed/signing";
import { contentIdOf } from "../articles/compose.ts";
import { FEED_ITEMS } from "../load/requests.ts";
import { randomFrom } from "../random.ts";
import type { Random } from "../random.ts";
import { TENANT_ID } from "./directory-facts.ts";

/** Records in one append. */
const CHUNK = 5_000;
const COST_TENTHS = 10;
/** Time from one fact to the next. */
const STEP_MS = 50;

export interface ActivityOptions {
  readonly count: number;
  readonly users: number;
  readonly articles: number;
  readonly nowMs: number;
  /** Absent: all eight in equal parts. */
  readonly kinds?: readonly BehaviourKind[];
}

interface User {
  readonly userId: UserId;
  readonly key: string;
  readonly partition: number;
  readonly subjectId: ReturnType<Core["keyring"]["pseudonyms"]["subjectOfUser"]>;
}

/** Appends behaviour as POST /v1/events does: personal fields sealed under keys of the users. */
export async function appendBehaviour(core: Core, options: ActivityOptions): Promise<void> {
  const random = randomFrom(1);
  const users = usersOf(core, options.users);
  for (let from = 0; from < options.count; from += CHUNK) {
    const size = Math.min(CHUNK, options.count - from);
    const drafts = Array.from({ length: size }, (_, at) => {
      const user = random.pick(users);
      const sessionId = `session-${user.userId}-${random.integer(20)}`;
      const personal: BehaviourPersonal = { userId: user.userId, sessionId };
      return { index: from + at, user, sessionId, personal };
    });
    const sealed = await core.personalData.sealAll(
      drafts.map(({ user, personal }) => ({ ...user, tenantId: TENANT_ID, personal })),
    );
    const records = drafts.map(({ index, user, sessionId }, at): NewRecord => {
      const atMs = timeOf(index, options);
      const value = core.codec.encode({
        type: "behaviour.recorded",
        tenantId: TENANT_ID,
        subjectId: user.subjectId,
        eventId: `event-${index}`,
        kind: random.pick(options.kinds ?? BEHAVIOUR_KINDS),
        ofUser: true,
        sessionRef: core.keyring.pseudonyms.sessionRef(TENANT_ID, sessionId),
        contentId: contentIdOf(random.integer(options.articles)),
        occurredAtMs: atMs,
        receivedAtMs: atMs,
        personal: sealed[at]!,
      });
      const { partition, key } = user;
      return { topic: "users", partition, key, value, timestampMs: atMs };
    });
    await core.eventLog.append(records);
  }
}

/** Appends deliveries as GET /v1/feed does. */
export async function appendDeliveries(core: Core, options: ActivityOptions): Promise<void> {
  const random = randomFrom(2);
  const users = usersOf(core, options.users);
  for (let from = 0; from < options.count; from += CHUNK) {
    const size = Math.min(CHUNK, options.count - from);
    const records = Array.from({ length: size }, (_, at): NewRecord => {
      const user = random.pick(users);
      const servedAtMs = timeOf(from + at, options);
      const value = core.codec.encode({
        type: "feed.delivered",
        tenantId: TENANT_ID,
        subjectId: user.subjectId,
        requestId: `request-${from + at}`,
        scenario: "main",
        items: itemsFor(random, options.articles),
        creditsTenths: COST_TENTHS,
        servedAtMs,
      });
      const partition = partitionOf(user.key, TOPICS.deliveries.partitions);
      return {
        topic: "deliveries",
        partition,
        key: user.subjectId,
        value,
        timestampMs: servedAtMs,
      };
    });
    await core.eventLog.append(records);
  }
}

function itemsFor(random: Random, articles: number) {
  return Array.from({ length: FEED_ITEMS }, (_, position) => ({
    contentId: contentIdOf(random.integer(articles)),
    position,
    score: random.fraction(),
  }));
}

function usersOf({ keyring: { pseudonyms } }: Core, count: number): readonly User[] {
  return Array.from({ length: count }, (_, index): User => {
    const userId = asId<UserId>(userIdOf(index));
    const key = pseudonyms.userRef(TENANT_ID, userId);
    return {
      userId,
      key,
      partition: userPartition(key, TOPICS.users.partitions),
      subjectId: pseudonyms.subjectOfUser(TENANT_ID, userId, 0),
    };
  });
}

export function userIdOf(index: number): string {
  return `reader-${String(index).padStart(5, "0")}`;
}

/** Facts in even steps, the last one now. */
function timeOf(index: number, { count, nowMs }: ActivityOptions): number {
  return nowMs - (count - index) * STEP_MS;
}
