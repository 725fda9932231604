import type { ContentId, SessionRef } from "@feed/domain/ids";
import { READ_MARKS_PER_USER_MAX, SENT_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import type { SubjectKey } from "@feed/domain/user";
import { Packr } from "msgpackr";
import type { ReadStateChange, SentMarks, UserRecord } from "../port.ts";
import { forgottenRow, userOfRow, userRow } from "../user-rows.ts";
import { script, type Argument, type RedisConnection } from "./connection.ts";
import type { Keys } from "./keys.ts";

type Change<Kind extends ReadStateChange["kind"]> = Extract<ReadStateChange, { kind: Kind }>;
export type SubjectChange = Change<"put-user" | "mark-read" | "mark-sent" | "forget-user">;

const APPLY = script("apply-to-subject");
const packr = new Packr({ useRecords: false });

/** Everything one call changes of one subject: one script, so that it is seen together. */
export class SubjectChanges {
  readonly key: SubjectKey;
  readonly #args: Argument[] = [];

  constructor(key: SubjectKey) {
    this.key = key;
  }

  add(change: SubjectChange): void {
    switch (change.kind) {
      case "put-user":
        this.#args.push("put", String(change.offset), userRow(change.state, change.offset));
        return;
      case "mark-read":
        this.#args.push("read", change.contentId);
        return;
      case "mark-sent":
        this.#args.push("sent", packr.pack([change.jobId, change.contentIds]));
        return;
      case "forget-user":
        this.#args.push("forget", String(change.offset), forgottenRow(change.offset));
    }
  }

  /** Remembers where the subject's part of a session lies. */
  addSession(sessionRef: SessionRef): void {
    this.#args.push("session", sessionRef);
  }

  async apply(redis: RedisConnection, keys: Keys): Promise<SubjectOutcome> {
    const limits = [String(READ_MARKS_PER_USER_MAX), String(SENT_MARKS_PER_USER_MAX)];
    const answer = await redis.run(APPLY, keys.subject(this.key), ...limits, ...this.#args);
    const [forgotten, deleted, sessions] = answer as readonly [number, number, readonly Buffer[]];
    return {
      forgotten: forgotten === 1,
      deleted: deleted === 1,
      sessionRefs: sessions.map((ref) => ref.toString() as SessionRef),
    };
  }
}

export interface SubjectOutcome {
  readonly forgotten: boolean;
  /** A deletion among the changes counted: what lies elsewhere is to be removed. */
  readonly deleted: boolean;
  /** Of a deleted subject: sessions that may hold a part of it. */
  readonly sessionRefs: readonly SessionRef[];
}

export async function usersOf(
  redis: RedisConnection,
  keys: Keys,
  subjects: readonly SubjectKey[],
): Promise<readonly (UserRecord | undefined)[]> {
  const rows = await Promise.all(
    subjects.map((subject) => {
      const [user] = keys.subject(subject);
      return redis.send(user, "GET", user) as Promise<Buffer | null>;
    }),
  );
  return rows.map((row) => (row === null ? undefined : userOfRow(row)));
}

export async function readMarksOf(
  redis: RedisConnection,
  keys: Keys,
  subject: SubjectKey,
): Promise<ReadonlySet<ContentId>> {
  const [, read] = keys.subject(subject);
  const contents = (await redis.send(read, "LRANGE", read, "0", "-1")) as readonly Buffer[];
  return new Set(contents.map((content) => content.toString() as ContentId));
}

export async function sentMarksOf(
  redis: RedisConnection,
  keys: Keys,
  subject: SubjectKey,
): Promise<readonly SentMarks[]> {
  const [, , sent] = keys.subject(subject);
  const entries = (await redis.send(sent, "LRANGE", sent, "0", "-1")) as readonly Buffer[];
  return entries.map((entry) => {
    const [jobId, contentIds] = packr.unpack(entry) as readonly [string, readonly ContentId[]];
    return { jobId, contentIds };
  });
}
