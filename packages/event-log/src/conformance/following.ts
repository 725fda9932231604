import { expect } from "vitest";

import { failureOf, Inbox, record, until } from "./harness.ts";
import type { Check } from "./harness.ts";

export const followingChecks: readonly Check[] = [
  {
    name: "follows all partitions of a topic from the given offsets, without a group",
    run: async (subject) => {
      const { log, patienceMs } = subject;
      await log.append([record(0, "a0"), record(0, "a1"), record(9, "b0"), record(9, "b1")]);
      const [one, two] = [new Inbox(), new Inbox()];
      const options = { topic: "users", from: new Map([[0, 1]]), recordsMax: 3 } as const;
      await using _one = await log.follow({ ...options, onBatches: one.onBatches });
      const other = await subject.openAnother();
      await using _two = await other.follow({ ...options, onBatches: two.onBatches });
      await log.append([record(0, "a2")]);
      for (const inbox of [one, two]) {
        await until("four records", patienceMs, () => inbox.records.length >= 4);
        expect(inbox.texts(0)).toEqual(["a1", "a2"]);
        expect(inbox.texts(9)).toEqual(["b0", "b1"]);
        expect(
          inbox.calls.every((call) => call.flatMap((batch) => batch.records).length <= 3),
        ).toBe(true);
      }
    },
  },
  {
    name: "stops a follower whose handler throws, with that error",
    run: async ({ log, patienceMs }) => {
      const broken = new Error("the handler's own");
      const follower = await log.follow({
        topic: "tenants",
        from: new Map(),
        recordsMax: 10,
        onBatches: () => Promise.reject(broken),
      });
      await log.append([record(0, "a", { topic: "tenants" })]);
      expect(await failureOf(follower, patienceMs)).toBe(broken);
    },
  },
];
