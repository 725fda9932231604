import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId } from "./ids.ts";
import type { SessionRef, SubjectId } from "./ids.ts";
import { mergeSessions } from "./session.ts";
import type { SessionState } from "./user.ts";

const eventOrder = {
  receivedAtMs: fc.integer({ min: 1, max: 3 }),
  eventId: fc.constantFrom("a", "b"),
};
const session: fc.Arbitrary<SessionState> = fc.record({
  sessionRef: fc.constant(asId<SessionRef>("ref")),
  sessionId: fc.constant("session"),
  owner: fc.option(
    fc.record({ ...eventOrder, subjectId: fc.constantFrom("x", "y").map(asId<SubjectId>) }),
  ),
  start: fc.option(
    fc.record({
      ...eventOrder,
      startedAtMs: fc.integer({ min: 1, max: 2 }),
      deviceInfo: fc.constantFrom({ os: "1" }, { os: "2" }),
    }),
  ),
  firstEventAtMs: fc.integer({ min: 1, max: 9 }),
  lastEventAtMs: fc.integer({ min: 1, max: 9 }),
});

describe("merging what is known of a session (spec 6.1 rule 1, architecture rule 2)", () => {
  it("gives the same session in any order, in any grouping, with any repeats", () => {
    fc.assert(
      fc.property(session, session, session, (a, b, c) => {
        expect(mergeSessions(a, b)).toEqual(mergeSessions(b, a));
        expect(mergeSessions(mergeSessions(a, b), c)).toEqual(
          mergeSessions(a, mergeSessions(b, c)),
        );
        expect(mergeSessions(a, a)).toEqual(a);
      }),
    );
  });

  it("keeps the first user as owner and the last session_start as start", () => {
    const early: SessionState = {
      sessionRef: asId<SessionRef>("ref"),
      sessionId: "session",
      owner: { subjectId: asId<SubjectId>("first"), receivedAtMs: 10, eventId: "e1" },
      start: { startedAtMs: 5, receivedAtMs: 10, eventId: "e1" },
      firstEventAtMs: 5,
      lastEventAtMs: 5,
    };
    const late: SessionState = {
      ...early,
      owner: { subjectId: asId<SubjectId>("second"), receivedAtMs: 20, eventId: "e0" },
      start: { startedAtMs: 3, receivedAtMs: 20, eventId: "e0" },
      firstEventAtMs: 3,
      lastEventAtMs: 30,
    };
    expect(mergeSessions(late, early)).toEqual({
      ...early,
      start: late.start,
      firstEventAtMs: 3,
      lastEventAtMs: 30,
    });
  });
});
