import { measureBareKoa } from "../bare-koa.ts";
import type { MeasuredRun } from "../bare-koa.ts";
import { userIdOf } from "../installation/append-activity.ts";
import { startMeasured } from "../installation/measured-service.ts";
import { prepareArticles } from "../installation/prepare.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import type { Answer } from "../load/connection.ts";
import { drive, together } from "../load/drive.ts";
import type { DriveOptions, DriveResult } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import type { RequestWriter } from "../load/requests.ts";
import { MemoryWatch, ON_SERVER_CORE, pinLoadGenerator, processorMs } from "../machine.ts";
import type { Memory } from "../machine.ts";
import { note, step } from "../progress.ts";
import { atLeastShareOf, atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { clicksOfReaders, postAll } from "./readers.ts";
import { measureRecall } from "./recall.ts";

const CONNECTIONS = 16;
const GROUP_USERS = 2_000;
const WARM = { share: 0.2, p99Ms: 25 };
const COLD = { share: 0.03, p99Ms: 100 };
const BYTES_PER_GB = 1e9;
const MEMORY_GB_MAX = 1.5;

interface FeedFigures {
  readonly warm: MeasuredRun;
  readonly cold: MeasuredRun;
  readonly recorded: Answer;
  readonly request: string;
  readonly memory: Memory;
}

/** GET /v1/feed, warm and cold, beside a bare Koa server on the same core; recall and memory with it. */
export async function measureFeed(sizes: Sizes): Promise<readonly Result[]> {
  await using prepared = await prepareArticles(sizes);
  const { dataDirectory, apiKey } = prepared;
  pinLoadGenerator(true);
  const figures = await serveReaders(dataDirectory, requestWriter(apiKey), sizes);
  const { warm, cold, recorded, request, memory } = figures;
  const bare = await step("a bare Koa server answering the same bytes", () =>
    measureBareKoa({ recorded, request, connections: CONNECTIONS, durationMs: sizes.bareMs }),
  );
  pinLoadGenerator(false);
  const recall = await step("recall against an exact scan", () =>
    measureRecall(dataDirectory, sizes),
  );
  note(`resident with mapped files ${format(memory.residentBytes / BYTES_PER_GB)} GB at the most`);
  note(`answers of ${format(recorded.body.length)} bytes; bare Koa ${describe(bare)}`);
  const rate = (name: string, { perSecond: value }: DriveResult, share: number): Result =>
    atLeastShareOf({ name, value, unit: "requests/s" }, bare.perSecond, share);
  const p99 = (name: string, { latenciesMs }: DriveResult, mostMs: number): Result =>
    atMost({ name, value: summarise(latenciesMs).p99Ms, unit: "ms" }, mostMs);
  return [
    rate("feed-warm-rate", warm, WARM.share),
    p99("feed-warm-p99", warm, WARM.p99Ms),
    rate("feed-cold-rate", cold, COLD.share),
    p99("feed-cold-p99", cold, COLD.p99Ms),
    recall,
    atMost(
      { name: "memory-peak-serving", value: memory.ownBytes / BYTES_PER_GB, unit: "GB" },
      MEMORY_GB_MAX,
    ),
  ];
}

async function serveReaders(
  dataDirectory: string,
  writer: RequestWriter,
  sizes: Sizes,
): Promise<FeedFigures> {
  await using service = await startMeasured({ dataDirectory, prefix: ON_SERVER_CORE });
  const { port } = service;
  using memory = new MemoryWatch(service.pid);
  await using watch = await LagWatch.open(dataDirectory);
  const requests = Array.from({ length: sizes.users }, (_, user) => writer.feed(userIdOf(user)));
  const feeds = async (parts: Pick<DriveOptions, "next" | "onAnswer">): Promise<MeasuredRun> => {
    const beforeMs = processorMs(service.pid);
    const result = await drive({ port, connections: CONNECTIONS, expectedStatus: 200, ...parts });
    if (result.failed > 0) throw new Error(`feeds failed: ${result.firstFailure}`);
    return { ...result, processorMs: processorMs(service.pid) - beforeMs };
  };

  await step("indexing the articles", () => watch.untilCaughtUp("contents"));
  await step("clicks of every user", async () => {
    await postAll(clicksOfReaders(sizes, Date.now()), { port, writer });
    await watch.untilCaughtUp("users");
  });
  const shown = new Map<number, Shown>();
  const groups = groupsOf(sizes.users);
  const first: MeasuredRun[] = [];
  const warm: MeasuredRun[] = [];
  for (const { from, count } of groups) {
    const own = requests.slice(from, from + count);
    first.push(
      await step(`a first feed for ${count} users`, () =>
        feeds({
          next: (index) => askOf(own[index]),
          onAnswer: (answer, index) => shown.set(from + index, firstItem(answer)),
        }),
      ),
    );
    const endMs = performance.now() + sizes.warmMs / groups.length;
    const request = (index: number) => (performance.now() < endMs ? own[index % count] : undefined);
    warm.push(await step("warm feeds", () => feeds({ next: (index) => askOf(request(index)) })));
  }
  await step("a click of every user", async () => {
    await postAll([...shown].map(clickOn), { port, writer });
    await watch.untilCaughtUp("users");
    await watch.untilCaughtUp("deliveries");
  });
  let recorded: Answer | undefined;
  let repeated = 0;
  const cold = await step("cold feeds", () =>
    feeds({
      next: (index) => askOf(requests[index]),
      onAnswer: (answer, user) => {
        recorded ??= answer;
        if (answer.body.includes(`"id":"${shown.get(user)?.id}"`)) repeated += 1;
      },
    }),
  );
  if (repeated > 0) throw new Error(`${repeated} feeds held the article that was clicked`);
  if (recorded === undefined) throw new Error("no feed was answered");
  const allWarm = allOf(warm);
  note(`first ${describe(allOf(first))}; warm ${describe(allWarm)}; cold ${describe(cold)}`);
  return { warm: allWarm, cold, recorded, request: requests[0]!, memory: memory.peak() };
}

/** Users in groups small enough that a list made for each is still in use when the last of them has one. */
function groupsOf(users: number): readonly { readonly from: number; readonly count: number }[] {
  return Array.from({ length: Math.ceil(users / GROUP_USERS) }, (_, group) => {
    const from = group * GROUP_USERS;
    return { from, count: Math.min(GROUP_USERS, users - from) };
  });
}

function askOf(request: string | undefined): { readonly request: string } | undefined {
  return request === undefined ? undefined : { request };
}

interface Shown {
  readonly id: string;
  readonly tracking_token: string;
}

function firstItem({ body }: Answer): Shown {
  const { data } = JSON.parse(body.toString()) as { readonly data: readonly Shown[] };
  const [item] = data;
  if (item === undefined) throw new Error("an empty feed");
  return { id: item.id, tracking_token: item.tracking_token };
}

function clickOn([user, { tracking_token }]: readonly [number, Shown]): object {
  return {
    type: "click",
    user_id: userIdOf(user),
    session_id: `second-${userIdOf(user)}`,
    tracking_token,
    occurred_at: new Date().toISOString(),
  };
}

function allOf(runs: readonly MeasuredRun[]): MeasuredRun {
  const used = runs.reduce((sum, run) => sum + run.processorMs, 0);
  return { ...together(runs), processorMs: used };
}

/** The processor time tells what a request costs where other work disturbs the rate. */
function describe(run: MeasuredRun): string {
  const { p50Ms, p99Ms } = summarise(run.latenciesMs);
  const cost = format(run.processorMs / run.answered);
  return `${format(run.perSecond)}/s, p50 ${format(p50Ms)} ms, p99 ${format(p99Ms)} ms, ${cost} ms of processor each`;
}
