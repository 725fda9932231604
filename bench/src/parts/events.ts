import { setTimeout as delay } from "node:timers/promises";
import { BEHAVIOUR_KINDS } from "@feed/domain/facts";
import { EVENTS_PER_REQUEST_MAX } from "@feed/domain/limits";

import { contentIdOf } from "../articles/compose.ts";
import { userIdOf } from "../installation/append-activity.ts";
import { startMeasured } from "../installation/measured-service.ts";
import { prepareArticles } from "../installation/prepare.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import { drive } from "../load/drive.ts";
import type { DriveResult } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import type { RequestWriter } from "../load/requests.ts";
import { mainThreadMs } from "../machine.ts";
import { note, step } from "../progress.ts";
import { randomFrom } from "../random.ts";
import type { Random } from "../random.ts";
import { atLeast, atMost, format, stated } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { probeEffects } from "./effects.ts";
import { clicksOfReaders, postAll } from "./readers.ts";

const GOAL_PER_SECOND = 15_000;
/** A little more is offered than must be taken; what falls behind shows in rate and latency. */
const OFFERED_PER_SECOND = 15_450;
const CONNECTIONS = 16;
const LAG_SAMPLE_MS = 500;
/** Events on their way at any time: what is offered in two seconds. More at the end is a lag that grows. */
const LAG_EVENTS_MAX = 2 * OFFERED_PER_SECOND;
const EFFECT_P99_MS_MAX = 300;
const US_PER_MS = 1_000;
/** The lag is judged after the start has settled. */
const SETTLED_SHARE = 0.25;

/** POST /v1/events at a fixed rate for a minute, with the lag and the time from event to effect meanwhile. */
export async function measureEvents(sizes: Sizes): Promise<readonly Result[]> {
  await using prepared = await prepareArticles(sizes);
  const { dataDirectory, apiKey } = prepared;
  const writer = requestWriter(apiKey);
  await using service = await startMeasured({ dataDirectory });
  const { port } = service;
  await using watch = await LagWatch.open(dataDirectory);
  await step("users and articles", async () => {
    await watch.untilCaughtUp("contents");
    await postAll(clicksOfReaders(sizes, Date.now()), { port, writer });
    await watch.untilCaughtUp("users");
  });
  const ending = new AbortController();
  const lags = sampleLag(watch, ending.signal);
  const effects = probeEffects({ port, writer, signal: ending.signal });
  const apiBeforeMs = mainThreadMs(service.pid);
  const load = await step(`${format(OFFERED_PER_SECOND)} events/s`, () =>
    postSteadily(port, writer, sizes),
  );
  const apiMs = mainThreadMs(service.pid) - apiBeforeMs;
  ending.abort();
  const effectMs = summarise(await effects);
  const lag = lagGrowth(await lags);
  const drain = performance.now();
  await step("catching up", () => watch.untilCaughtUp("users"));
  if (load.failed > 0) note(`${load.failed} batches failed: ${load.firstFailure}`);
  const accepted = load.perSecond * EVENTS_PER_REQUEST_MAX;
  const answers = summarise(load.latenciesMs);
  note(
    `batch p50 ${format(answers.p50Ms)} ms, p99 ${format(answers.p99Ms)} ms; ` +
      `effect p50 ${format(effectMs.p50Ms)} ms, max ${format(effectMs.maxMs)} ms; ` +
      `caught up ${format(performance.now() - drain)} ms after the end`,
  );
  const eventUs = (apiMs * US_PER_MS) / (load.answered * EVENTS_PER_REQUEST_MAX);
  return [
    atLeast({ name: "events-accepted", value: accepted, unit: "events/s" }, GOAL_PER_SECOND),
    stated({ name: "events-api-thread", value: eventUs, unit: "µs" }),
    atMost({ name: "events-lag-growth", value: lag, unit: "events" }, LAG_EVENTS_MAX),
    atMost({ name: "events-effect-p99", value: effectMs.p99Ms, unit: "ms" }, EFFECT_P99_MS_MAX),
  ];
}

function postSteadily(port: number, writer: RequestWriter, sizes: Sizes): Promise<DriveResult> {
  const random = randomFrom(5);
  const intervalMs = (EVENTS_PER_REQUEST_MAX / OFFERED_PER_SECOND) * 1_000;
  return drive({
    port,
    connections: CONNECTIONS,
    expectedStatus: 202,
    next: (index) => {
      const dueMs = index * intervalMs;
      if (dueMs >= sizes.eventsMs) return undefined;
      return { dueMs, request: writer.events(batchOf(random, index, sizes)) };
    },
  });
}

/** Events of all eight kinds, as many as a request takes. */
export function batchOf(random: Random, batch: number, sizes: Sizes): readonly object[] {
  const occurred_at = new Date().toISOString();
  return Array.from({ length: EVENTS_PER_REQUEST_MAX }, (_, at) => {
    const user_id = userIdOf(random.integer(sizes.users));
    return {
      type: random.pick(BEHAVIOUR_KINDS),
      event_id: `steady-${batch}-${at}`,
      user_id,
      session_id: `steady-${user_id}-${random.integer(20)}`,
      content_id: contentIdOf(random.integer(sizes.articles)),
      occurred_at,
    };
  });
}

async function sampleLag(watch: LagWatch, signal: AbortSignal): Promise<readonly number[]> {
  const lags: number[] = [];
  while (!signal.aborted) {
    lags.push(await watch.lag("users"));
    await delay(LAG_SAMPLE_MS);
  }
  return lags;
}

/** Median of the last quarter less that of the quarter after the start has settled; flat is around zero. */
function lagGrowth(lags: readonly number[]): number {
  const quarter = Math.ceil(lags.length * SETTLED_SHARE);
  const early = median(lags.slice(quarter, 2 * quarter));
  const late = median(lags.slice(-quarter));
  note(`lag ${format(early)} events in the second quarter, ${format(late)} in the last`);
  return Math.max(0, late - early);
}

function median(values: readonly number[]): number {
  return summarise(values).p50Ms;
}
