import type { ServiceProcess } from "@feed/test-kit/service-process";
import { userIdOf } from "../installation/append-activity.ts";
import { startMeasured } from "../installation/measured-service.ts";
import { prepareArticles } from "../installation/prepare.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import { drive } from "../load/drive.ts";
import { requestWriter } from "../load/requests.ts";
import { MemoryWatch } from "../machine.ts";
import { note, step } from "../progress.ts";
import { atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";

const FIRST_FEED_SECONDS_MAX = 5;
const MEMORY_GB_MAX = 1.5;
const BYTES_PER_GB = 1e9;

/** A start on an installation whose read models are there: from the command until the first feed has arrived. */
export async function measureStart(sizes: Sizes): Promise<readonly Result[]> {
  await using prepared = await prepareArticles(sizes);
  const { dataDirectory, apiKey } = prepared;
  await step("indexing the articles", async () => {
    await using service = await startMeasured({ dataDirectory });
    {
      await using watch = await LagWatch.open(dataDirectory);
      await watch.untilCaughtUp("contents");
    }
    await service.stop("SIGTERM");
  });
  const startMs = performance.now();
  await using service = await step("starting again", async () => {
    const started = await startMeasured({ dataDirectory });
    await firstFeed(started, apiKey);
    return started;
  });
  const seconds = (performance.now() - startMs) / 1_000;
  using memory = new MemoryWatch(service.pid);
  const { ownBytes, residentBytes } = memory.peak();
  note(`of its own ${format(ownBytes / BYTES_PER_GB)} GB`);
  return [
    atMost({ name: "start-first-feed", value: seconds, unit: "s" }, FIRST_FEED_SECONDS_MAX),
    atMost(
      { name: "start-memory", value: residentBytes / BYTES_PER_GB, unit: "GB" },
      MEMORY_GB_MAX,
    ),
  ];
}

async function firstFeed({ port }: ServiceProcess, apiKey: string): Promise<void> {
  const request = requestWriter(apiKey).feed(userIdOf(0));
  const next = (index: number) => (index === 0 ? { request } : undefined);
  const { failed, firstFailure } = await drive({ port, connections: 1, next, expectedStatus: 200 });
  if (failed > 0) throw new Error(`the first feed failed: ${firstFailure}`);
}
