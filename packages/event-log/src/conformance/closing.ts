import { expect } from "vitest";

import { LogClosed } from "../port.ts";
import { consuming, Inbox, record, until } from "./harness.ts";
import type { Check } from "./harness.ts";

export const closingChecks: readonly Check[] = [
  {
    name: "rejects every method with LogClosed after disposal, which may be repeated",
    run: async ({ log }) => {
      await log[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      const inbox = new Inbox();
      const calls = [
        log.append([record(0, "a")]),
        log.read("users", 0, 0, 1),
        log.endOffsets("users"),
        log.consume(consuming(inbox.onBatches)),
        log.follow({ topic: "users", from: new Map(), recordsMax: 1, onBatches: inbox.onBatches }),
        log.committed("readers", "users"),
        log.resetOffsets("readers", "users", new Map([[0, 0]])),
      ];
      const results = await Promise.allSettled(calls);
      for (const result of results) {
        expect(result.status).toBe("rejected");
        expect(result).toHaveProperty("reason", expect.any(LogClosed));
      }
    },
  },
  {
    name: "finishes appends and calls in progress when the log is closed",
    run: async (subject) => {
      const { log, patienceMs } = subject;
      await log.append([record(0, "a")]);
      const finish = Promise.withResolvers<void>();
      let called = false;
      const consumer = await log.consume(
        consuming(async () => {
          called = true;
          await finish.promise;
        }),
      );
      await until("a call", patienceMs, () => called);
      const append = log.append([record(1, "in flight")]);
      const closing = log[Symbol.asyncDispose]();
      finish.resolve();
      await Promise.all([closing, consumer.failed]);
      await expect(append).resolves.toEqual([{ topic: "users", partition: 1, offset: 0 }]);
      const reopened = await subject.openAnother();
      expect((await reopened.committed("readers", "users")).get(0)).toBe(1);
    },
  },
];
