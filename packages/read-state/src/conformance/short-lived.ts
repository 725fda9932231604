import { IDEMPOTENCY_TTL_MS, IDEMPOTENCY_UNFINISHED_TTL_MS } from "@feed/domain/limits";
import { expect } from "vitest";
import { NOW_MS, OTHER_TENANT, TENANT } from "./harness.ts";
import type { Check } from "./harness.ts";

const ANSWER = { status: 202, body: '{"data":{"accepted":1}}', headers: { "x-a": "b" } };
const FINISHED_MS = NOW_MS + 10;

export const windowChecks: readonly Check[] = [
  {
    name: "allows as many requests in a second as the limit says",
    run: async ({ state }) => {
      const resetAtMs = NOW_MS + 1_000;
      for (const remaining of [1, 0]) {
        const expected = { allowed: true, remaining, resetAtMs };
        expect(await state.countRequest("tenant-1", 2, NOW_MS)).toEqual(expected);
      }
      const refused = { allowed: false, remaining: 0, resetAtMs };
      expect(await state.countRequest("tenant-1", 2, NOW_MS + 999)).toEqual(refused);
      expect((await state.countRequest("tenant-2", 2, NOW_MS)).allowed).toBe(true);
    },
  },
  {
    name: "begins a new window with the next second",
    run: async ({ state }) => {
      expect((await state.countRequest("tenant-1", 1, NOW_MS + 999)).allowed).toBe(true);
      expect((await state.countRequest("tenant-1", 1, NOW_MS + 999)).allowed).toBe(false);
      const next = { allowed: true, remaining: 0, resetAtMs: NOW_MS + 2_000 };
      expect(await state.countRequest("tenant-1", 1, NOW_MS + 1_000)).toEqual(next);
    },
  },
  {
    name: "allows exactly the limit of requests that come at once",
    run: async ({ state }) => {
      const counting = Array.from({ length: 50 }, () => state.countRequest("t", 20, NOW_MS));
      const allowed = (await Promise.all(counting)).filter((window) => window.allowed);
      expect(allowed).toHaveLength(20);
    },
  },
];

const BUCKET = { ratePerSecond: 1, burst: 5 };

export const bucketChecks: readonly Check[] = [
  {
    name: "gives a full bucket of tokens at once, then one a second, to each key its own",
    run: async ({ state }) => {
      const take = (afterMs: number, key = "push:a") =>
        state.takeToken(key, BUCKET, NOW_MS + afterMs);
      for (let taken = 0; taken < 5; taken += 1) {
        expect(await take(0)).toEqual({ allowed: true, waitMs: 0 });
      }
      expect(await take(0)).toEqual({ allowed: false, waitMs: 1_000 });
      expect(await take(400)).toEqual({ allowed: false, waitMs: 600 });
      expect((await take(1_000)).allowed).toBe(true);
      expect((await take(1_000)).allowed).toBe(false);
      expect((await take(0, "push:b")).allowed).toBe(true);
    },
  },
  {
    name: "never holds more tokens than the burst",
    run: async ({ state }) => {
      await state.takeToken("push:a", BUCKET, NOW_MS);
      const later = NOW_MS + 3_600_000;
      const taking = Array.from({ length: 9 }, () => state.takeToken("push:a", BUCKET, later));
      expect((await Promise.all(taking)).filter(({ allowed }) => allowed)).toHaveLength(5);
    },
  },
];

export const snapshotChecks: readonly Check[] = [
  {
    name: "gives a snapshot back until it expires, to its tenant alone",
    run: async ({ state }) => {
      const value = {
        items: [
          ["content-1", 0.5],
          ["content-2", null],
        ],
        title: "渋谷",
      };
      await state.putSnapshot(TENANT, "walk", value, NOW_MS + 100);
      expect(await state.getSnapshot(TENANT, "walk", NOW_MS + 99)).toEqual(value);
      expect(await state.getSnapshot(OTHER_TENANT, "walk", NOW_MS)).toBeUndefined();
      expect(await state.getSnapshot(TENANT, "other", NOW_MS)).toBeUndefined();
      expect(await state.getSnapshot(TENANT, "walk", NOW_MS + 100)).toBeUndefined();
    },
  },
  {
    name: "keeps a snapshot as it was when it was put, and the latest of an id",
    run: async ({ state }) => {
      const value = { items: ["a"] };
      await state.putSnapshot(TENANT, "walk", value, NOW_MS + 100);
      value.items.push("b");
      expect(await state.getSnapshot(TENANT, "walk", NOW_MS)).toEqual({ items: ["a"] });
      await state.putSnapshot(TENANT, "walk", value, NOW_MS + 100);
      expect(await state.getSnapshot(TENANT, "walk", NOW_MS)).toEqual({ items: ["a", "b"] });
    },
  },
];

export const idempotencyChecks: readonly Check[] = [
  {
    name: "starts a key once, and says that it is running",
    run: async ({ state }) => {
      const starting = [1, 2, 3].map(() => state.startIdempotent(TENANT, "key", "sha", NOW_MS));
      const kinds = (await Promise.all(starting)).map(({ kind }) => kind).sort();
      expect(kinds).toEqual(["running", "running", "started"]);
    },
  },
  {
    name: "answers the same key and body as before, also when opened again",
    run: async ({ state, openAnother }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      await state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      const answered = { kind: "answered", ...ANSWER };
      expect(await state.startIdempotent(TENANT, "key", "sha", FINISHED_MS)).toEqual(answered);
      await state[Symbol.asyncDispose]();
      const reopened = await openAnother();
      expect(await reopened.startIdempotent(TENANT, "key", "sha", FINISHED_MS)).toEqual(answered);
    },
  },
  {
    name: "answers at once a key that is asked for while its answer is being kept",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      const finishing = state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      const { kind } = await state.startIdempotent(TENANT, "key", "sha", FINISHED_MS);
      expect(["answered", "running"]).toContain(kind);
      await finishing;
    },
  },
  {
    name: "refuses another body under the same key, running or answered",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      const other = { kind: "other-body" };
      expect(await state.startIdempotent(TENANT, "key", "other", NOW_MS)).toEqual(other);
      await state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      expect(await state.startIdempotent(TENANT, "key", "other", FINISHED_MS)).toEqual(other);
    },
  },
  {
    name: "keeps the keys of two tenants apart",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      await state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      const theirs = await state.startIdempotent(OTHER_TENANT, "key", "other", FINISHED_MS);
      expect(theirs).toEqual({ kind: "started" });
    },
  },
  {
    name: "lets go of an unfinished key after 30 seconds",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      const endMs = NOW_MS + IDEMPOTENCY_UNFINISHED_TTL_MS;
      const kindAt = async (atMs: number) =>
        (await state.startIdempotent(TENANT, "key", "sha", atMs)).kind;
      expect(await kindAt(endMs - 1)).toBe("running");
      expect(await kindAt(endMs)).toBe("started");
    },
  },
  {
    name: "keeps an answer for 24 hours",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      await state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      const endMs = FINISHED_MS + IDEMPOTENCY_TTL_MS;
      const kindAt = async (atMs: number) =>
        (await state.startIdempotent(TENANT, "key", "sha", atMs)).kind;
      expect(await kindAt(endMs - 1)).toBe("answered");
      expect(await kindAt(endMs)).toBe("started");
    },
  },
  {
    name: "lets go of an abandoned key at once, not of an answered one",
    run: async ({ state }) => {
      await state.startIdempotent(TENANT, "key", "sha", NOW_MS);
      await state.abandonIdempotent(TENANT, "key");
      const again = await state.startIdempotent(TENANT, "key", "other", NOW_MS);
      expect(again.kind).toBe("started");
      await state.finishIdempotent(TENANT, "key", ANSWER, FINISHED_MS);
      await state.abandonIdempotent(TENANT, "key");
      const answered = await state.startIdempotent(TENANT, "key", "other", FINISHED_MS);
      expect(answered.kind).toBe("answered");
    },
  },
];
