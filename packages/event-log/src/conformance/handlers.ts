import { expect } from "vitest";

import { consuming, failureOf, Inbox, record, until } from "./harness.ts";
import type { Check } from "./harness.ts";

export const handlerChecks: readonly Check[] = [
  {
    name: "stops a consumer whose handler throws, with that error, and commits nothing of the call",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "a")]);
      const inbox = new Inbox();
      const broken = new Error("the handler's own");
      let calls = 0;
      const consumer = await log.consume(
        consuming(async (batches) => {
          calls += 1;
          if (batches.some((batch) => batch.records.some((one) => one.offset > 0))) throw broken;
          await inbox.onBatches(batches);
        }),
      );
      await until("the first record", patienceMs, async () => {
        return (await log.committed("readers", "users")).get(0) === 1;
      });
      await log.append([record(0, "bad"), record(1, "before, with or after it")]);
      expect(await failureOf(consumer, patienceMs)).toBe(broken);
      const callsWhenFailed = calls;
      expect((await log.committed("readers", "users")).get(0)).toBe(1);
      // Its partitions are free for the next member, which gets the record again.
      const next = new Inbox();
      await using _ = await log.consume(consuming(next.onBatches));
      await until("both records", patienceMs, () => {
        return next.texts(0).length > 0 && inbox.texts(1).length + next.texts(1).length > 0;
      });
      expect(next.texts(0)).toEqual(["bad"]);
      expect([...inbox.texts(1), ...next.texts(1)]).toHaveLength(1);
      expect(calls).toBe(callsWhenFailed);
      await consumer[Symbol.asyncDispose]();
    },
  },
  {
    name: "never calls a handler twice at once, nor with more records than asked for",
    run: async ({ log, patienceMs }) => {
      await log.append(Array.from({ length: 50 }, (_, n) => record(n % 10, `${n}`)));
      let running = 0;
      let runningMax = 0;
      const inbox = new Inbox();
      await using _ = await log.consume(
        consuming(
          async (batches) => {
            running += 1;
            runningMax = Math.max(runningMax, running);
            await new Promise((resolve) => setTimeout(resolve, 1));
            await inbox.onBatches(batches);
            running -= 1;
          },
          { recordsMax: 7 },
        ),
      );
      await until("all", patienceMs, () => inbox.records.length === 50);
      expect(runningMax).toBe(1);
      const sizes = inbox.calls.map((batches) => batches.flatMap((batch) => batch.records).length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
      for (const batch of inbox.calls.flat()) {
        expect(batch.nextOffset).toBe((batch.records.at(-1)?.offset ?? -1) + 1);
      }
    },
  },
  {
    name: "waits for more records up to the linger and then hands them over together",
    run: async ({ log, patienceMs }) => {
      const inbox = new Inbox();
      await using _ = await log.consume(consuming(inbox.onBatches, { lingerMs: 2_000 }));
      // On their way together: on a busy machine one may take as long as a linger.
      await Promise.all([log.append([record(0, "a")]), log.append([record(0, "b")])]);
      await until("both", patienceMs, () => inbox.records.length === 2);
      expect(inbox.calls).toHaveLength(1);
    },
  },
  {
    name: "finishes and commits the call in progress when it is disposed, and tells the handler by its signal",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "a"), record(0, "b")]);
      const finish = Promise.withResolvers<void>();
      let signal: AbortSignal | undefined;
      const consumer = await log.consume(
        consuming(
          async (_batches, given) => {
            signal = given;
            await finish.promise;
          },
          { recordsMax: 1 },
        ),
      );
      await until("a call", patienceMs, () => signal !== undefined);
      expect(signal?.aborted).toBe(false);
      const disposal = consumer[Symbol.asyncDispose]();
      await until("the signal", patienceMs, () => signal?.aborted === true);
      expect(await log.committed("readers", "users")).toEqual(new Map());
      finish.resolve();
      await disposal;
      await consumer.failed;
      expect(await log.committed("readers", "users")).toEqual(new Map([[0, 1]]));
    },
  },
  {
    name: "commits nothing when a handler gives up because it was disposed",
    run: async ({ log, patienceMs }) => {
      await log.append([record(0, "a")]);
      let called = false;
      const consumer = await log.consume(
        consuming((_batches, signal) => {
          called = true;
          return new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        }),
      );
      await until("a call", patienceMs, () => called);
      await consumer[Symbol.asyncDispose]();
      await consumer.failed;
      expect(await log.committed("readers", "users")).toEqual(new Map());
    },
  },
];
