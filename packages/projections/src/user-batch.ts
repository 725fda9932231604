import type { UserFact } from "@feed/domain/facts";
import { mergeSessions } from "@feed/domain/session";
import type { PlacedSubject, SubjectKey } from "@feed/domain/user";
import type { UserChange, UserRecord } from "./changes.ts";
import type { Folded, Placed, Refused } from "./placed.ts";
import { projectUserFact } from "./users.ts";

type SessionMerge = Extract<UserChange, { kind: "merge-session" }>;

interface Subject {
  readonly key: SubjectKey;
  readonly before: UserRecord | undefined;
  record: UserRecord | undefined;
}

/** Every subject a batch speaks of, once. */
export function subjectsOf(facts: readonly Placed<UserFact>[]): readonly SubjectKey[] {
  const keys = new Map<string, SubjectKey>();
  for (const { fact } of facts) {
    const name = subjectName(fact);
    if (!keys.has(name)) keys.set(name, { tenantId: fact.tenantId, subjectId: fact.subjectId });
  }
  return [...keys.values()];
}

/** Subjects that the batch deletes: their keys go before the batch is passed over (architecture rule 7). */
export function deletedSubjects(facts: readonly Placed<UserFact>[]): readonly PlacedSubject[] {
  return placedSubjects(facts.filter(({ fact }) => fact.type === "user.deleted"));
}

/**
 * Subjects that are forgotten and have a key nevertheless: a fact of theirs was opened. It was sealed for a
 * generation that had ended, by a process to which the log no longer told so.
 *
 * @param stored records of `subjectsOf(facts)`, in that order.
 */
export function revivedSubjects(
  facts: readonly Placed<UserFact>[],
  stored: readonly (UserRecord | undefined)[],
): readonly PlacedSubject[] {
  if (!stored.some((record) => record?.kind === "forgotten")) return [];
  const names = subjectsOf(facts).map(subjectName);
  const forgotten = new Set(names.filter((_, index) => stored[index]?.kind === "forgotten"));
  return placedSubjects(
    facts.filter(
      ({ fact }) =>
        fact.type !== "user.deleted" && fact.personal !== null && forgotten.has(subjectName(fact)),
    ),
  );
}

function placedSubjects(facts: readonly Placed<UserFact>[]): readonly PlacedSubject[] {
  const subjects = facts.map(({ fact: { tenantId, subjectId }, partition }) => {
    return { tenantId, subjectId, partition };
  });
  return [...new Map(subjects.map((subject) => [subjectName(subject), subject])).values()];
}

/**
 * A batch of facts, in order within each partition, folded onto the stored records: one change for each user,
 * session part and read content, deletions last. A fact that can't be projected is left out and returned.
 *
 * @param stored records of `subjectsOf(facts)`, in that order.
 */
export function foldUserFacts(
  facts: readonly Placed<UserFact>[],
  stored: readonly (UserRecord | undefined)[],
): Folded<UserFact, UserChange> {
  const subjects = new Map<string, Subject>();
  for (const [index, key] of subjectsOf(facts).entries()) {
    const before = stored[index];
    subjects.set(subjectName(key), { key, before, record: before });
  }
  const sessions = new Map<string, SessionMerge>();
  const changes: UserChange[] = [];
  const deletions = new Map<string, UserChange>();
  const refused: Refused<UserFact>[] = [];
  for (const placed of facts) {
    const { fact, offset } = placed;
    const name = subjectName(fact);
    const subject = subjects.get(name);
    if (subject === undefined) throw new Error("the record of a subject was not loaded");
    try {
      const { after, read, session } = projectUserFact(subject.record, fact, offset);
      const { key } = subject;
      subject.record = after;
      if (read !== undefined) changes.push({ kind: "mark-read", key, ...read });
      if (session !== undefined) {
        const part = `${name}\n${session.sessionRef}`;
        const known = sessions.get(part)?.session;
        const merged = known === undefined ? session : mergeSessions(known, session);
        sessions.set(part, { kind: "merge-session", key, session: merged });
      }
      if (fact.type === "user.deleted" && after?.offset === offset) {
        const { userRef } = fact;
        const nextGeneration = fact.generation + 1;
        deletions.set(name, { kind: "forget-user", key, userRef, nextGeneration, offset });
      }
    } catch (error) {
      refused.push({ placed, error });
    }
  }
  changes.push(...sessions.values(), ...changedUsers(subjects.values()), ...deletions.values());
  return { changes, refused };
}

function changedUsers(subjects: Iterable<Subject>): readonly UserChange[] {
  const changes: UserChange[] = [];
  for (const { key, before, record } of subjects) {
    if (record === before || record?.kind !== "user") continue;
    changes.push({ kind: "put-user", key, state: record.state, offset: record.offset });
  }
  return changes;
}

function subjectName({ tenantId, subjectId }: SubjectKey): string {
  return `${tenantId}\n${subjectId}`;
}
