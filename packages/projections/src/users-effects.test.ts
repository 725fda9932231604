import type { UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, SessionRef } from "@feed/domain/ids";
import type { UserProperties } from "@feed/domain/user";
import { buildBehaviourRecorded as event, BUILT_AT_MS } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { DELETED, given, KEY, patch, prefer, put, stateOf, USER_ID } from "./user-facts.fixture.ts";
import { projectUserFact } from "./users.ts";

describe("read contents and interests (spec 6.1 rule 3; decisions: dislike)", () => {
  it.each([
    { kind: "click", reads: true, weight: 1 },
    { kind: "dislike", reads: true, weight: -2 },
    { kind: "like", reads: false, weight: 3 },
    { kind: "share", reads: false, weight: 2 },
    { kind: "impression", reads: false, weight: undefined },
    { kind: "return", reads: false, weight: undefined },
  ] as const)("a $kind marks as read: $reads, weighs $weight", ({ kind, reads, weight }) => {
    const { after, read } = projectUserFact(undefined, event({ kind }), 0);
    expect(read?.contentId).toBe(reads ? "content-1" : undefined);
    expect(after?.kind === "user" && after.state.interests[0]?.weight).toBe(weight);
  });

  it("a click that names no content says nothing of interests", () => {
    const { contentId: _, ...click } = event();
    const { after, read } = projectUserFact(undefined, click, 0);
    expect(read).toBeUndefined();
    expect(after?.kind === "user" && after.state.interests).toEqual([]);
  });

  it("rankingOffset moves when ranking sees a change, and only then", () => {
    const login = (userAttributes?: UserProperties) =>
      event({
        kind: "login",
        personal: { userId: USER_ID, ...(userAttributes && { userAttributes }) },
      });
    const moved = (fact: UserFact) => stateOf(put({}), fact).rankingOffset === 1;
    const unmoved = (["impression", "return", "session_start"] as const).map((kind) =>
      event({ kind }),
    );
    for (const fact of [...unmoved, login(), prefer("unblock")]) expect(moved(fact)).toBe(false);
    for (const kind of ["click", "like", "share", "dislike"] as const) {
      expect(moved(event({ kind }))).toBe(true);
    }
    const changes = [login({ language: "ja" }), put({}), patch({}), prefer("follow")];
    for (const fact of changes) expect(moved(fact)).toBe(true);
  });
});

describe("sessions (spec 2.6, 6.1 rule 1)", () => {
  const sessionRef = asId<SessionRef>("session-ref");
  const personal = { userId: USER_ID, sessionId: "s-1", deviceInfo: { os: "Android" } };

  it("an event with session_id makes the session known, owned by its user, not started", () => {
    const { session } = projectUserFact(undefined, event({ sessionRef, personal }), 0);
    expect(session).toEqual({
      sessionRef,
      sessionId: "s-1",
      owner: { subjectId: KEY.subjectId, receivedAtMs: BUILT_AT_MS, eventId: "event-1" },
      start: null,
      firstEventAtMs: BUILT_AT_MS,
      lastEventAtMs: BUILT_AT_MS,
    });
  });

  it("a session_start says when it started, by occurred_at, and on which device", () => {
    const occurredAtMs = BUILT_AT_MS - 7_000;
    const fact = event({ kind: "session_start", sessionRef, personal, occurredAtMs });
    expect(projectUserFact(undefined, fact, 0).session?.start).toEqual({
      startedAtMs: occurredAtMs,
      deviceInfo: { os: "Android" },
      receivedAtMs: BUILT_AT_MS,
      eventId: "event-1",
    });
  });

  it("a lone session's events touch the session alone, which then has no owner", () => {
    const fact = event({ ofUser: false, sessionRef, personal: { sessionId: "s-1" } });
    const { after, read, session } = projectUserFact(undefined, fact, 0);
    expect([after, read]).toEqual([undefined, undefined]);
    expect(session?.owner).toBeNull();
  });
});

describe("deletion (spec 4.3; architecture rules 2 and 7)", () => {
  it("forgets the user, and drops what comes later for that generation", () => {
    const record = given(event(), DELETED, event(), put({}), patch({}), prefer("follow"));
    expect(record).toEqual({ kind: "forgotten", offset: 1 });
    const sessionRef = asId<SessionRef>("session-ref");
    const late = event({ sessionRef, personal: { userId: USER_ID, sessionId: "s" } });
    expect(projectUserFact(record, late, 9)).toEqual({ after: record });
  });

  it("needs no user to be there: facts may still be on their way", () => {
    expect(given(DELETED)).toEqual({ kind: "forgotten", offset: 0 });
  });

  it("facts whose key is gone have no effect", () => {
    expect(given(event({ personal: null }))).toBeUndefined();
    const user = given(put({}));
    expect(projectUserFact(user, event({ personal: null }), 1)).toEqual({ after: user });
  });
});

describe("repeats (architecture rule 3)", () => {
  it("a fact at or below the record's offset leaves the record as it is", () => {
    const record = given(put({}), event({ kind: "session_start" }), prefer("follow"));
    const facts = [
      event({ kind: "session_start", eventId: "new" }),
      put({ language: "ja" }),
      DELETED,
    ];
    for (const fact of facts) expect(projectUserFact(record, fact, 2).after).toBe(record);
  });

  it("what is merged anyway is said again, for a store that lost it in a crash", () => {
    const record = given(put({}), event());
    const contentId = asId<ContentId>("content-1");
    expect(projectUserFact(record, event(), 1)).toEqual({
      after: record,
      read: { contentId, atMs: BUILT_AT_MS },
    });
  });
});
