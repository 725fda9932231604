import { userIdOf } from "../installation/append-activity.ts";
import { startMeasured } from "../installation/measured-service.ts";
import { preparePush } from "../installation/prepare.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import { processorMs } from "../machine.ts";
import { note, step } from "../progress.ts";
import { atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { runJob, saveScenario } from "./push-job.ts";

/** Constant within 20 %: the dearer size costs at most this many times what the cheaper one does. */
const COST_RATIO_MAX = 1.2;
/** What the first job of a thread does once for all, such as loading the index, is done by one that all threads share. */
const FIRST_JOB_USERS = 5_000;

/** Processor time of a push job by user, in a small installation and in a large one. */
export async function measurePushCost(sizes: Sizes): Promise<readonly Result[]> {
  const costsMs: number[] = [];
  for (const users of sizes.pushCostUsers) {
    costsMs.push(await costOf({ ...sizes, pushUsers: users }));
  }
  const ratio = Math.max(...costsMs) / Math.min(...costsMs);
  return [atMost({ name: "push-cost-ratio", value: ratio, unit: "times" }, COST_RATIO_MAX)];
}

async function costOf(sizes: Sizes): Promise<number> {
  const users = sizes.pushUsers;
  await using prepared = await preparePush(sizes);
  const { dataDirectory, apiKey } = prepared;
  await using service = await startMeasured({ dataDirectory, prefix: [] });
  await using watch = await LagWatch.open(dataDirectory);
  await step("projecting articles and clicks", async () => {
    await watch.untilCaughtUp("contents");
    await watch.untilCaughtUp("users");
  });
  await saveScenario(service, dataDirectory);
  const userIds = Array.from({ length: Math.min(users, FIRST_JOB_USERS) }, (_, user) =>
    userIdOf(user),
  );
  await runJob(service, apiKey, { users: userIds.length, userIds });
  const beforeMs = processorMs(service.pid);
  const startMs = performance.now();
  await step(`a job for ${format(users)} users`, () => runJob(service, apiKey, { users }));
  const costMs = (processorMs(service.pid) - beforeMs) / users;
  const seconds = (performance.now() - startMs) / 1_000;
  note(`${format(costMs)} ms of processor time for each, ${format(seconds)} s in all`);
  return costMs;
}
