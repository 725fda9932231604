import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId, UserId, UserRef } from "@feed/domain/ids";
import { READ_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import { buildUserState } from "@feed/test-kit";
import { expect } from "vitest";
import { CHANGES_PER_APPLY_MAX, ReadStateRejected, USERS_PER_READ_MAX } from "../port.ts";
import type { ReadStateChange } from "../port.ts";
import {
  applyUsers,
  forgetUser,
  KEY,
  keyOf,
  markRead,
  mergeSession,
  NO_POSITIONS,
  NOW_MS,
  OTHER_TENANT,
  putUser,
  SESSION_REF,
  TENANT,
  USER_REF,
} from "./harness.ts";
import type { Check } from "./harness.ts";

/** Lets other work of this process run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

export const modelChecks: readonly Check[] = [
  {
    name: "is empty at first",
    run: async ({ state }) => {
      expect(await state.users([KEY])).toEqual([undefined]);
      expect(await state.readMarks(KEY)).toEqual(new Set());
      expect(await state.session(TENANT, SESSION_REF)).toBeUndefined();
      expect(await state.generations(TENANT, [USER_REF])).toEqual([0]);
      expect(await state.positions("users")).toEqual(new Map());
    },
  },
  {
    name: "gives a user back as it was put, in the order asked",
    run: async ({ state }) => {
      const whole = buildUserState({
        properties: {
          area_names: ["渋谷駅"],
          area_level: "station",
          language: "ja",
          interests: ["映画"],
          registered_at: "2026-01-02T03:04:05+09:00",
        },
        followedSources: [asId<SourceId>("source-1")],
        blockedSources: [asId<SourceId>("source-2"), asId<SourceId>("source-3")],
        totalSessions: 3,
        lastActiveAtMs: NOW_MS,
        firstEventAtMs: NOW_MS - 1,
        createdOffset: 4,
        rankingOffset: 6,
        interests: [
          { contentId: asId<ContentId>("content-1"), weight: 1, atMs: NOW_MS },
          { contentId: asId<ContentId>("content-2"), weight: -2, atMs: NOW_MS + 1 },
        ],
        countedSessionStarts: [{ eventId: "event\n1", receivedAtMs: NOW_MS }],
      });
      const bare = buildUserState({ userId: asId<UserId>("user-2") });
      await applyUsers(state, putUser(7, whole), putUser(8, bare, keyOf("subject-2")));
      expect(await state.users([keyOf("subject-2"), keyOf("nobody"), KEY])).toEqual([
        { kind: "user", state: bare, offset: 8 },
        undefined,
        { kind: "user", state: whole, offset: 7 },
      ]);
    },
  },
  {
    name: "ignores a user whose offset is not above the stored one",
    run: async ({ state }) => {
      await applyUsers(state, putUser(5, { totalSessions: 5 }));
      await applyUsers(state, putUser(5, { totalSessions: 9 }), putUser(4, { totalSessions: 9 }));
      expect(await state.users([KEY])).toMatchObject([{ offset: 5, state: { totalSessions: 5 } }]);
      await applyUsers(state, putUser(6, { totalSessions: 6 }));
      expect(await state.users([KEY])).toMatchObject([{ offset: 6, state: { totalSessions: 6 } }]);
    },
  },
  {
    name: "marks a content as read once, however often it is told",
    run: async ({ state }) => {
      await applyUsers(state, markRead("a"), markRead("b"), markRead("a"));
      await applyUsers(state, markRead("a"));
      expect(await state.readMarks(KEY)).toEqual(new Set(["a", "b"]));
    },
  },
  {
    name: "keeps the latest read marks, up to the limit",
    run: async ({ state }) => {
      const marks: ReadStateChange[] = [];
      for (let index = 0; index < READ_MARKS_PER_USER_MAX + 1_000; index += 1) {
        marks.push(markRead(`content-${index}`, KEY, NOW_MS + index));
      }
      const batch = CHANGES_PER_APPLY_MAX / 2;
      for (let from = 0; from < marks.length; from += batch) {
        await applyUsers(state, ...marks.slice(from, from + batch));
      }
      const read = await state.readMarks(KEY);
      expect(read.size).toBeLessThanOrEqual(READ_MARKS_PER_USER_MAX);
      expect(read.has(asId<ContentId>("content-0"))).toBe(false);
      for (let index = 2_000; index < marks.length; index += 1) {
        expect(read.has(asId<ContentId>(`content-${index}`))).toBe(true);
      }
    },
  },
  {
    name: "forgets a user: the record, the read marks, its part of sessions",
    run: async ({ state }) => {
      const owner = { subjectId: KEY.subjectId, receivedAtMs: NOW_MS, eventId: "e" };
      await applyUsers(state, putUser(1), markRead("a"), mergeSession({ owner }));
      const other = keyOf("subject-10");
      await applyUsers(state, putUser(1, {}, other), markRead("b", other));
      await applyUsers(state, forgetUser(2, 4));
      expect(await state.users([KEY])).toEqual([{ kind: "forgotten", offset: 2 }]);
      expect(await state.readMarks(KEY)).toEqual(new Set());
      expect(await state.session(TENANT, SESSION_REF)).toBeUndefined();
      expect(await state.generations(TENANT, [USER_REF])).toEqual([4]);
      expect(await state.users([other])).toMatchObject([{ kind: "user" }]);
      expect(await state.readMarks(other)).toEqual(new Set(["b"]));
    },
  },
  {
    name: "gives generations in the order asked",
    run: async ({ state }) => {
      const refs = ["a", "b", "c"].map((name) => asId<UserRef>(name));
      expect(await state.generations(TENANT, [])).toEqual([]);
      for (const [at, userRef] of refs.slice(1).entries())
        await applyUsers(state, forgetUser(1, at + 1, keyOf(userRef), userRef));
      expect(await state.generations(TENANT, refs)).toEqual([0, 1, 2]);
      expect(await state.generations(TENANT, refs.toReversed())).toEqual([2, 1, 0]);
      expect(await state.generations(OTHER_TENANT, refs)).toEqual([0, 0, 0]);
      const many = Array.from({ length: USERS_PER_READ_MAX + 1 }, () => USER_REF);
      await expect(state.generations(TENANT, many)).rejects.toThrow(ReadStateRejected);
    },
  },
  {
    name: "forgets a user with thousands of read marks",
    run: async ({ state }) => {
      const marks = Array.from({ length: 3_000 }, (_, index) => markRead(`content-${index}`));
      await applyUsers(state, putUser(1), ...marks);
      await applyUsers(state, forgetUser(2));
      expect(await state.readMarks(KEY)).toEqual(new Set());
    },
  },
  {
    name: "never brings a forgotten user back, and never lowers a generation",
    run: async ({ state }) => {
      await applyUsers(state, putUser(1), forgetUser(2, 3), putUser(3));
      await applyUsers(state, putUser(4), forgetUser(2, 1), forgetUser(5, 2, keyOf("older")));
      expect(await state.users([KEY])).toEqual([{ kind: "forgotten", offset: 2 }]);
      expect(await state.generations(TENANT, [USER_REF])).toEqual([3]);
    },
  },
  {
    name: "ignores a deletion older than the record",
    run: async ({ state }) => {
      await applyUsers(state, putUser(5), markRead("a"));
      await applyUsers(state, forgetUser(4));
      expect(await state.users([KEY])).toMatchObject([{ kind: "user" }]);
      expect(await state.readMarks(KEY)).toEqual(new Set(["a"]));
    },
  },
  {
    name: "merges what several subjects say about a session, in any order, with repeats",
    run: async ({ state }) => {
      const lone = mergeSession({ firstEventAtMs: 1 }, keyOf("lone-subject"));
      const late = { subjectId: KEY.subjectId, receivedAtMs: 20, eventId: "b" };
      const start = { startedAtMs: 15, receivedAtMs: 20, eventId: "b", deviceInfo: { os: "x" } };
      const second = mergeSession({ owner: late, start, lastEventAtMs: NOW_MS + 9 });
      const early = { subjectId: KEY.subjectId, receivedAtMs: 10, eventId: "a" };
      await applyUsers(state, second, lone);
      await applyUsers(state, mergeSession({ owner: early }), second);
      expect(await state.session(TENANT, SESSION_REF)).toEqual({
        sessionRef: SESSION_REF,
        sessionId: "s-1",
        owner: early,
        start,
        firstEventAtMs: 1,
        lastEventAtMs: NOW_MS + 9,
      });
    },
  },
  {
    name: "keeps of a session what others said when one of its subjects is forgotten",
    run: async ({ state }) => {
      const first = { subjectId: KEY.subjectId, receivedAtMs: 10, eventId: "a" };
      const key = keyOf("subject-2");
      const second = { subjectId: key.subjectId, receivedAtMs: 20, eventId: "b" };
      await applyUsers(state, mergeSession({ owner: second }, key), mergeSession({ owner: first }));
      expect((await state.session(TENANT, SESSION_REF))?.owner).toEqual(first);
      await applyUsers(state, forgetUser(1));
      expect((await state.session(TENANT, SESSION_REF))?.owner).toEqual(second);
    },
  },
  {
    name: "shows nothing of one tenant to another",
    run: async ({ state }) => {
      const owner = { subjectId: KEY.subjectId, receivedAtMs: NOW_MS, eventId: "e" };
      await applyUsers(state, putUser(1), markRead("a"), mergeSession({ owner }));
      const other = keyOf(KEY.subjectId, OTHER_TENANT);
      expect(await state.users([other])).toEqual([undefined]);
      expect(await state.readMarks(other)).toEqual(new Set());
      expect(await state.session(OTHER_TENANT, SESSION_REF)).toBeUndefined();
      await applyUsers(state, forgetUser(2, 1, other));
      expect(await state.users([KEY])).toMatchObject([{ kind: "user" }]);
      expect(await state.readMarks(KEY)).toEqual(new Set(["a"]));
      expect(await state.session(TENANT, SESSION_REF)).toBeDefined();
      expect(await state.generations(TENANT, [USER_REF])).toEqual([0]);
    },
  },
  {
    name: "keeps positions of each projection, which never move back",
    run: async ({ state }) => {
      await state.apply("users", [], new Map([[3, 10]]));
      await state.apply("users", [], new Map([[3, 9]]));
      await state.apply("users", [], new Map([[63, 1]]));
      await state.apply("credits", [], new Map([[3, 1]]));
      expect(await state.positions("users")).toEqual(
        new Map([
          [3, 10],
          [63, 1],
        ]),
      );
      expect(await state.positions("credits")).toEqual(new Map([[3, 1]]));
      expect(await state.positions("deliveries")).toEqual(new Map());
    },
  },
  {
    name: "shows every change to whoever sees the positions, in other processes too",
    run: async ({ state, openAnother }) => {
      const reader = await openAnother();
      const subjects = Array.from({ length: 20 }, (_, index) => keyOf(`subject-${index}`));
      const writing = (async () => {
        for (let offset = 1; offset <= 100; offset += 1) {
          const changes = subjects.map((key) => putUser(offset, {}, key));
          await state.apply("users", changes, new Map([[0, offset + 1]]));
          await turn();
        }
      })();
      let next = 0;
      while (next <= 100) {
        next = (await reader.positions("users")).get(0) ?? 0;
        const records = await reader.users(subjects);
        if (records.some((record) => (record?.offset ?? 0) < next - 1)) break;
        await turn();
      }
      await writing;
      expect(next, "a position was seen before its changes").toBe(101);
    },
  },
  {
    name: "shows the changes to one subject together, in other processes too",
    run: async ({ state, openAnother }) => {
      const reader = await openAnother();
      const writing = (async () => {
        for (let offset = 1; offset <= 100; offset += 1) {
          await applyUsers(state, putUser(offset), markRead(`content-${offset}`));
          await turn();
        }
      })();
      let seen = 0;
      while (seen < 100) {
        // Looks at what there is now: what was read a moment ago may be read again.
        await reader.positions("users");
        const [record] = await reader.users([KEY]);
        seen = record?.offset ?? 0;
        if ((await reader.readMarks(KEY)).size < seen) break;
        await turn();
      }
      await writing;
      expect(seen, "a record was seen before its read mark").toBe(100);
    },
  },
  {
    name: "applies nothing of a call beyond a limit",
    run: async ({ state }) => {
      const changes = Array.from({ length: CHANGES_PER_APPLY_MAX + 1 }, (_, i) => putUser(i + 1));
      const applying = state.apply("users", changes, new Map([[0, 1]]));
      await expect(applying).rejects.toThrow(ReadStateRejected);
      expect(await state.users([KEY])).toEqual([undefined]);
      expect(await state.positions("users")).toEqual(NO_POSITIONS);
      const keys = Array.from({ length: USERS_PER_READ_MAX + 1 }, () => KEY);
      await expect(state.users(keys)).rejects.toThrow(ReadStateRejected);
    },
  },
  {
    name: "has everything that was applied when it is opened again",
    run: async ({ state, openAnother }) => {
      await state.apply("users", [putUser(1), markRead("a"), mergeSession()], new Map([[0, 2]]));
      await state[Symbol.asyncDispose]();
      const reopened = await openAnother();
      expect(await reopened.users([KEY])).toMatchObject([{ kind: "user", offset: 1 }]);
      expect(await reopened.readMarks(KEY)).toEqual(new Set(["a"]));
      expect(await reopened.session(TENANT, SESSION_REF)).toBeDefined();
      expect(await reopened.positions("users")).toEqual(new Map([[0, 2]]));
    },
  },
];
