import { BEHAVIOUR_KINDS } from "@feed/domain/facts";
import { COUNTED_SESSION_STARTS_MAX, EVENT_DEDUPLICATION_WINDOW_MS } from "@feed/domain/limits";
import type { UserProperties } from "@feed/domain/user";
import { registeredAtMs } from "@feed/domain/user";
import { buildBehaviourRecorded as event, BUILT_AT_MS } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import {
  given,
  LATER_MS,
  patch,
  prefer,
  put,
  SOURCE,
  stateOf,
  USER_ID,
} from "./user-facts.fixture.ts";

describe("a user comes to be (spec 4.3, 6.1)", () => {
  it.each(BEHAVIOUR_KINDS)("by a %s that names them, if unregistered", (kind) => {
    const state = stateOf(event({ kind }));
    expect(state).toMatchObject({ userId: USER_ID, createdAtMs: BUILT_AT_MS, createdOffset: 0 });
    expect(state.totalSessions).toBe(kind === "session_start" ? 1 : 0);
  });

  it("by a PUT, without activity", () => {
    expect(stateOf(put({ language: "ja" }))).toMatchObject({
      properties: { language: "ja" },
      totalSessions: 0,
      lastActiveAtMs: null,
      firstEventAtMs: null,
      createdOffset: 0,
    });
  });

  it("once: later events and PUTs leave the time and offset of creation", () => {
    const state = stateOf(event({ kind: "return" }), put({}, LATER_MS), event({ kind: "login" }));
    expect(state).toMatchObject({ createdAtMs: BUILT_AT_MS, createdOffset: 0 });
  });

  it.each([
    ["a PATCH", patch({ language: "ja" })],
    ["a follow", prefer("follow")],
    ["a block", prefer("block")],
    ["an event of a lone session", event({ ofUser: false, personal: { sessionId: "s" } })],
  ])("not by %s", (_name, fact) => {
    expect(given(fact)).toBeUndefined();
  });

  it("not by an event that is a user's and names none: that is refused", () => {
    expect(() => given(event({ personal: {} }))).toThrow("names no user_id");
  });
});

describe("properties (spec 2.5, 4.3)", () => {
  const before = put({ language: "ja", interests: ["film", "food"], area_names: ["渋谷"] });

  it("a PUT replaces the whole set", () => {
    expect(stateOf(before, put({ language: "en" })).properties).toEqual({ language: "en" });
  });

  it("a PATCH overwrites the keys it names, whole", () => {
    expect(stateOf(before, patch({ interests: ["go"] })).properties).toEqual({
      language: "ja",
      interests: ["go"],
      area_names: ["渋谷"],
    });
  });

  it("a login merges metadata.user_attributes, other events do not", () => {
    const userAttributes: UserProperties = { interests: ["go"] };
    const personal = { userId: USER_ID, userAttributes };
    const merged = { language: "ja", interests: ["go"], area_names: ["渋谷"] };
    expect(stateOf(before, event({ kind: "login", personal })).properties).toEqual(merged);
    expect(stateOf(before, event({ kind: "click", personal })).properties).not.toEqual(merged);
  });

  it("updated_at is the time of the last change to properties or preferences", () => {
    const late = { receivedAtMs: LATER_MS, kind: "impression" } as const;
    expect(stateOf(before, event(late)).updatedAtMs).toBe(BUILT_AT_MS);
    expect(stateOf(before, patch({}, LATER_MS)).updatedAtMs).toBe(LATER_MS);
    expect(stateOf(before, prefer("follow", LATER_MS)).updatedAtMs).toBe(LATER_MS);
    expect(stateOf(before, prefer("unfollow", LATER_MS)).updatedAtMs).toBe(BUILT_AT_MS);
  });
});

describe("source preferences (spec 2.5; decisions, users)", () => {
  it.each([
    { changes: ["follow"], followed: true, blocked: false },
    { changes: ["follow", "follow"], followed: true, blocked: false },
    { changes: ["follow", "unfollow"], followed: false, blocked: false },
    { changes: ["block"], followed: false, blocked: true },
    { changes: ["block", "unblock"], followed: false, blocked: false },
    { changes: ["block", "follow"], followed: true, blocked: false },
    { changes: ["follow", "block"], followed: false, blocked: true },
    { changes: ["follow", "unblock"], followed: true, blocked: false },
    { changes: ["block", "unfollow"], followed: false, blocked: true },
  ] as const)(
    "$changes: followed $followed, blocked $blocked",
    ({ changes, followed, blocked }) => {
      const state = stateOf(put({}), ...changes.map((change) => prefer(change)));
      expect(state.followedSources).toEqual(followed ? [SOURCE] : []);
      expect(state.blockedSources).toEqual(blocked ? [SOURCE] : []);
    },
  );
});

describe("total_sessions (spec 2.5)", () => {
  const start = (eventId: string, receivedAtMs = BUILT_AT_MS) =>
    event({ kind: "session_start", eventId, receivedAtMs });

  it("counts session_starts alone", () => {
    const others = BEHAVIOUR_KINDS.map((kind) => event({ kind, eventId: kind }));
    expect(stateOf(...others, start("a"), start("b")).totalSessions).toBe(3);
  });

  it("counts an event once within 7 days, wherever it lies in the log", () => {
    const soon = BUILT_AT_MS + EVENT_DEDUPLICATION_WINDOW_MS - 1;
    expect(stateOf(start("a"), start("b"), start("a", soon)).totalSessions).toBe(2);
    expect(stateOf(start("a"), start("a", soon + 1)).totalSessions).toBe(2);
  });

  it("remembers no more than it says", () => {
    const starts = Array.from({ length: COUNTED_SESSION_STARTS_MAX + 5 }, (_, i) => start(`e${i}`));
    const state = stateOf(...starts);
    expect(state.totalSessions).toBe(starts.length);
    expect(state.countedSessionStarts).toHaveLength(COUNTED_SESSION_STARTS_MAX);
    expect(state.countedSessionStarts.at(-1)?.eventId).toBe(`e${starts.length - 1}`);
  });
});

describe("times of a user (decisions: last_active_at, registered_at)", () => {
  it.each(BEHAVIOUR_KINDS)(
    "a %s moves last_active_at to the lesser of occurred and received",
    (kind) => {
      const future = event({ kind, occurredAtMs: LATER_MS + 5, receivedAtMs: LATER_MS });
      const past = event({ kind, occurredAtMs: LATER_MS - 5, receivedAtMs: LATER_MS });
      expect(stateOf(future).lastActiveAtMs).toBe(LATER_MS);
      expect(stateOf(past).lastActiveAtMs).toBe(LATER_MS - 5);
      expect(stateOf(future, past).lastActiveAtMs).toBe(LATER_MS);
    },
  );

  it("PUT and PATCH don't count as activity", () => {
    const state = stateOf(event(), put({}, LATER_MS), patch({}, LATER_MS));
    expect(state.lastActiveAtMs).toBe(BUILT_AT_MS);
    expect(stateOf(put({}), patch({})).lastActiveAtMs).toBeNull();
  });

  it("registered_at is the property, else the first event by order in the log, else null", () => {
    const registered_at = "2026-01-02T03:04:05Z";
    const late = event({ occurredAtMs: BUILT_AT_MS + 9, receivedAtMs: BUILT_AT_MS + 9 });
    expect(registeredAtMs(stateOf(put({})))).toBeNull();
    expect(registeredAtMs(stateOf(put({}), late, event()))).toBe(BUILT_AT_MS + 9);
    expect(registeredAtMs(stateOf(late, put({ registered_at })))).toBe(Date.parse(registered_at));
    expect(registeredAtMs(stateOf(late, put({ registered_at }), put({})))).toBe(BUILT_AT_MS + 9);
  });
});
