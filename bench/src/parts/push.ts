import { preparePush } from "../installation/prepare.ts";
import type { ServiceProcess } from "@feed/test-kit/service-process";
import { startMeasured } from "../installation/measured-service.ts";
import { userIdOf } from "../installation/append-activity.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import { drive } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import { MemoryWatch, processorMs } from "../machine.ts";
import { note, step } from "../progress.ts";
import { atLeast, atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { runJob, saveScenario } from "./push-job.ts";

const JOB_SECONDS_MAX = 60;
const MEMORY_GB_MAX = 1.5;
const FEED_P99_RATIO_MAX = 3;
const BYTES_PER_GB = 1e9;
/** A light, steady load of feeds: what the job may slow down. */
const FEED_CONNECTIONS = 2;
const FEED_EVERY_MS = 50;
const FEED_USERS = 1_000;
const IDLE_MS = 8_000;

/** A push job over every user, from POST to completed, on both cores, with feeds beside it. */
export async function measurePush(sizes: Sizes): Promise<readonly Result[]> {
  await using prepared = await preparePush(sizes);
  const { dataDirectory, apiKey } = prepared;
  await using service = await startMeasured({ dataDirectory, prefix: [] });
  await using watch = await LagWatch.open(dataDirectory);
  await step("projecting articles and clicks", async () => {
    await watch.untilCaughtUp("contents");
    await watch.untilCaughtUp("users");
  });
  await saveScenario(service, dataDirectory);
  const idle = await step("feeds without a job", () =>
    feedP99(service, apiKey, () => Promise.resolve(), IDLE_MS),
  );
  using memory = new MemoryWatch(service.pid);
  const started = performance.now();
  const processorBeforeMs = processorMs(service.pid);
  let seconds = 0;
  const busy = await step(`a job for ${format(sizes.pushUsers)} users`, () =>
    feedP99(service, apiKey, async () => {
      await runJob(service, apiKey, { users: sizes.pushUsers });
      seconds = (performance.now() - started) / 1_000;
    }),
  );
  const peak = memory.peak();
  const processorSeconds = (processorMs(service.pid) - processorBeforeMs) / 1_000;
  note(`${format(processorSeconds)} s of processor time, feeds and projecting included`);
  note(`feed p99 ${format(idle)} ms without and ${format(busy)} ms with the job`);
  note(`resident with mapped files ${format(peak.residentBytes / BYTES_PER_GB)} GB at the most`);
  const perSecond = sizes.pushUsers / seconds;
  return [
    atMost({ name: "push-job", value: seconds, unit: "s" }, JOB_SECONDS_MAX),
    atLeast({ name: "push-rate", value: perSecond, unit: "users/s" }, 100_000 / JOB_SECONDS_MAX),
    atMost({ name: "push-feed-p99-ratio", value: busy / idle, unit: "times" }, FEED_P99_RATIO_MAX),
    atMost(
      { name: "push-memory-peak", value: peak.ownBytes / BYTES_PER_GB, unit: "GB" },
      MEMORY_GB_MAX,
    ),
  ];
}

/** p99 of feeds of other users in turn, for as long as the work takes, and at least for `leastMs`. */
async function feedP99(
  { port }: ServiceProcess,
  apiKey: string,
  work: () => Promise<void>,
  leastMs = 0,
): Promise<number> {
  const writer = requestWriter(apiKey);
  const endMs = performance.now() + leastMs;
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const { latenciesMs, failed, firstFailure } = await drive({
    port,
    connections: FEED_CONNECTIONS,
    expectedStatus: 200,
    next: (index) =>
      isDone && performance.now() >= endMs
        ? undefined
        : { request: writer.feed(userIdOf(index % FEED_USERS)), dueMs: index * FEED_EVERY_MS },
  });
  await working;
  if (failed > 0) throw new Error(`feeds failed: ${firstFailure}`);
  return summarise(latenciesMs).p99Ms;
}
