import { PUSH_RESULT_TTL_MS } from "@feed/domain/limits";
import type { PushDependencies } from "./dependencies.ts";
import { isPartAway } from "./failures.ts";
import { RESULT_PREFIX } from "./objects.ts";

const SWEEP_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const DAY_IN_KEY = /^[^/]+\/(\d{4}-\d{2}-\d{2})\//;

type SweepDependencies = Pick<PushDependencies, "objectStore" | "clock" | "log">;

/** Removes results once an hour when their 7 days are over (decisions, "Push jobs"). */
export function runResultSweep(deps: SweepDependencies): AsyncDisposable {
  let sweeping = Promise.resolve();
  const sweep = () => {
    sweeping = sweepResults(deps).catch((error: unknown) => {
      deps.log[isPartAway(error) ? "warn" : "error"](
        { err: error },
        "old results were not removed",
      );
    });
  };
  const timer = setInterval(sweep, SWEEP_EVERY_MS);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}

/** Removes what was resolved on a day that ended more than PUSH_RESULT_TTL_MS ago. */
export async function sweepResults({ objectStore, clock }: SweepDependencies): Promise<void> {
  for await (const { key } of objectStore.list(`${RESULT_PREFIX}/`)) {
    const day = Date.parse(DAY_IN_KEY.exec(key)?.[1] ?? "");
    // A job resolved at the end of its day may be completed some minutes into the next.
    if (day + 2 * DAY_MS + PUSH_RESULT_TTL_MS < clock.nowMs()) await objectStore.delete(key);
  }
}
