import { expect } from "vitest";
import { ReadStateClosed } from "../port.ts";
import { KEY, MONTH, NO_POSITIONS, NOW_MS, SESSION_REF, TENANT, USER_REF } from "./harness.ts";
import type { Check } from "./harness.ts";

export const closingChecks: readonly Check[] = [
  {
    name: "rejects every method with ReadStateClosed after disposal, which may be repeated",
    run: async ({ state }) => {
      await state[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
      const answer = { status: 200, body: "", headers: {} };
      const results = await Promise.allSettled([
        state.apply("users", [], NO_POSITIONS),
        state.positions("users"),
        state.users([KEY]),
        state.session(TENANT, SESSION_REF),
        state.readMarks(KEY),
        state.generations(TENANT, [USER_REF]),
        state.usage(TENANT, MONTH, 0),
        state.takeCredits(TENANT, MONTH, 1),
        state.returnCredits(TENANT, MONTH, 1),
        state.creditStanding(TENANT, MONTH),
        state.pushJob(TENANT, "job-1"),
        state.pushJobs(TENANT, null, 1),
        state.openPushJobs(),
        state.sentMarks([KEY]),
        state.reservation(TENANT, "job-1"),
        state.webhookDelivery(TENANT, "msg_1"),
        state.webhookDeliveries(TENANT, null, 1),
        state.dueWebhookDeliveries(NOW_MS, 1),
        state.countRequest("tenant-1", 1, NOW_MS),
        state.takeToken("tenant-1", { ratePerSecond: 1, burst: 1 }, NOW_MS),
        state.putSnapshot(TENANT, "walk", 1, NOW_MS),
        state.getSnapshot(TENANT, "walk", NOW_MS),
        state.startIdempotent(TENANT, "key", "sha", NOW_MS),
        state.finishIdempotent(TENANT, "key", answer, NOW_MS),
        state.abandonIdempotent(TENANT, "key"),
      ]);
      for (const result of results) {
        expect(result).toMatchObject({ status: "rejected", reason: expect.any(ReadStateClosed) });
      }
    },
  },
];
