import type { ContentId, SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import { TOPICS } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import { projectUserFact } from "@feed/projections";
import type { Placed, UserRecord } from "@feed/projections";
import type { UserFact } from "@feed/domain/facts";

const RECORDS_PER_READ_MAX = 2_000;

/** One subject as the log alone says it is. */
export interface ExpectedSubject {
  readonly key: SubjectKey;
  record: UserRecord | undefined;
  readonly read: Set<ContentId>;
  /** Events that marked something read, repeats included. */
  marks: number;
  readonly sessions: Map<SessionRef, SessionState>;
}

/** What the read state must hold for topic `users`. */
export interface ExpectedUsers {
  readonly subjects: ReadonlyMap<string, ExpectedSubject>;
  readonly generations: ReadonlyMap<string, ExpectedGeneration>;
}

export interface ExpectedGeneration {
  readonly tenantId: TenantId;
  readonly userRef: UserRef;
  readonly generation: number;
}

/**
 * Topic `users` folded fact by fact from its start, in memory and without batches, positions or a store: what a
 * read state that lost nothing and counted nothing twice must agree with. Unreadable records are passed over.
 */
export async function foldUsersLog(
  eventLog: Pick<EventLog, "read">,
  personalData: Pick<PersonalData, "openUserFacts">,
): Promise<ExpectedUsers> {
  const users = noUsers();
  for (let partition = 0; partition < TOPICS.users.partitions; partition += 1) {
    let from = 0;
    for (;;) {
      const batch = await eventLog.read("users", partition, from, RECORDS_PER_READ_MAX);
      if (batch.records.length === 0) break;
      from = batch.nextOffset;
      for (const opened of await personalData.openUserFacts(batch)) {
        if ("fact" in opened) foldFact(users, opened);
      }
    }
  }
  return users;
}

/** Users as they are folded. */
export interface FoldedUsers extends ExpectedUsers {
  readonly subjects: Map<string, ExpectedSubject>;
  readonly generations: Map<string, ExpectedGeneration>;
}

export function noUsers(): FoldedUsers {
  return { subjects: new Map(), generations: new Map() };
}

/** One fact more. Throws, and changes nothing, where no projection can make sense of it. */
export function foldFact(
  { subjects, generations }: FoldedUsers,
  { fact, offset }: Placed<UserFact>,
): void {
  const { tenantId, subjectId } = fact;
  const name = JSON.stringify([tenantId, subjectId]);
  const subject = subjects.get(name) ?? {
    key: { tenantId, subjectId },
    record: undefined,
    read: new Set<ContentId>(),
    marks: 0,
    sessions: new Map<SessionRef, SessionState>(),
  };
  subjects.set(name, subject);
  const { after, read, session } = projectUserFact(subject.record, fact, offset);
  subject.record = after;
  if (read !== undefined) {
    subject.read.add(read.contentId);
    subject.marks += 1;
  }
  if (session !== undefined) {
    const known = subject.sessions.get(session.sessionRef);
    subject.sessions.set(session.sessionRef, known ? mergeSessions(known, session) : session);
  }
  if (fact.type !== "user.deleted") return;
  subject.read.clear();
  subject.marks = 0;
  subject.sessions.clear();
  const { userRef } = fact;
  const userName = JSON.stringify([tenantId, userRef]);
  const generation = Math.max(generations.get(userName)?.generation ?? 0, fact.generation + 1);
  generations.set(userName, { tenantId, userRef, generation });
}
