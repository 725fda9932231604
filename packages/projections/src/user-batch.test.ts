import type { UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { SessionRef, SubjectId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import { buildBehaviourRecorded as event } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import type { Placed } from "./placed.ts";
import { deletedSubjects, foldUserFacts, revivedSubjects, subjectsOf } from "./user-batch.ts";

const sessionRef = asId<SessionRef>("ref");
const personal = { userId: asId<UserId>("user-1"), sessionId: "s-1" };
const deleted: UserFact = {
  type: "user.deleted",
  tenantId: asId<TenantId>("tenant-1"),
  subjectId: asId<SubjectId>("subject-1"),
  userRef: asId<UserRef>("user-ref"),
  generation: 2,
  receivedAtMs: 1,
};

function place(facts: readonly UserFact[]): readonly Placed<UserFact>[] {
  return facts.map((fact, offset) => ({ fact, partition: 0, offset }));
}
function fold(...facts: readonly UserFact[]) {
  return foldUserFacts(place(facts), []);
}

describe("a batch of user facts", () => {
  it("loads each subject once, and never one tenant's for another's", () => {
    const other = asId<TenantId>("tenant-2");
    expect(subjectsOf(place([event(), event(), event({ tenantId: other })]))).toHaveLength(2);
  });

  it("becomes one change for each user and session", () => {
    const { changes } = fold(
      event({ kind: "session_start", eventId: "a", sessionRef, personal }),
      event({ kind: "session_start", eventId: "b", sessionRef, personal }),
    );
    expect(changes.map((change) => change.kind)).toEqual(["merge-session", "put-user"]);
    expect(changes[1]).toMatchObject({ offset: 1, state: { totalSessions: 2 } });
  });

  it("continues from the stored record", () => {
    const first = foldUserFacts(place([event({ kind: "session_start", eventId: "a" })]), []);
    const [put] = first.changes;
    if (put?.kind !== "put-user") throw new Error("expected a user");
    const next = { fact: event({ kind: "session_start", eventId: "b" }), partition: 0, offset: 9 };
    const stored = { kind: "user", state: put.state, offset: put.offset } as const;
    const second = foldUserFacts([next], [stored]);
    expect(second.changes).toMatchObject([{ kind: "put-user", state: { totalSessions: 2 } }]);
  });

  it("ends with deletions, so that nothing of the batch outlives them", () => {
    const { changes } = fold(event({ sessionRef, personal }), deleted, event());
    expect(changes.map((change) => change.kind)).toEqual([
      "mark-read",
      "merge-session",
      "forget-user",
    ]);
    expect(changes.at(-1)).toMatchObject({ nextGeneration: 3, offset: 1 });
  });

  it("changes nothing for facts that have no effect", () => {
    expect(fold(event({ personal: null }), event({ ofUser: false })).changes).toEqual([]);
  });

  it("returns a fact that can't be projected and goes on with the next", () => {
    const { changes, refused } = fold(event({ personal: {} }), event());
    expect(refused.map(({ placed }) => placed.offset)).toEqual([0]);
    expect(changes.map((change) => change.kind)).toEqual(["mark-read", "put-user"]);
  });
});

describe("subjects whose keys have to go", () => {
  const { tenantId, subjectId } = event();
  const subject = { tenantId, subjectId, partition: 0 };
  const forgotten = { kind: "forgotten", offset: 0 } as const;

  it("are those that the batch deletes, each once", () => {
    expect(deletedSubjects(place([event(), deleted, deleted]))).toEqual([
      { tenantId: deleted.tenantId, subjectId: deleted.subjectId, partition: 0 },
    ]);
    expect(deletedSubjects(place([event()]))).toEqual([]);
  });

  it("are those of forgotten users whose facts could be opened", () => {
    const opened = place([event(), event({ eventId: "event-2" })]);
    expect(revivedSubjects(opened, [forgotten])).toEqual([subject]);
    expect(revivedSubjects(opened, [undefined])).toEqual([]);
    expect(revivedSubjects(place([event({ personal: null })]), [forgotten])).toEqual([]);
  });

  it("are not those of other users in the batch", () => {
    const other = event({ subjectId: asId<SubjectId>("subject-2") });
    const facts = place([other, event()]);
    expect(revivedSubjects(facts, [undefined, forgotten])).toEqual([subject]);
  });
});
