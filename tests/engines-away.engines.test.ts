import type { Engine } from "../infra/local/engine.ts";
import { start, stop } from "../infra/local/control.ts";
import { clickhouse } from "../infra/local/clickhouse/clickhouse.ts";
import { elasticsearch } from "../infra/local/elasticsearch/elasticsearch.ts";
import { kafka } from "../infra/local/kafka/kafka.ts";
import { minio } from "../infra/local/minio/minio.ts";
import { redis } from "../infra/local/redis/redis.ts";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "@feed/test-kit";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "./faults/client.ts";
import { SteadyEvents } from "./faults/steady-events.ts";
import { openRolesCluster, PATIENCE, type RolesCluster } from "./roles-cluster.ts";

/**
 * Each engine is stopped for a while and started again, under load. What is served meanwhile is the table of
 * docs/architecture.md; afterwards every acknowledged event has counted once. `AWAY_SECONDS=60` takes longer.
 */
const AWAY_MS = Number(process.env["AWAY_SECONDS"] ?? 15) * 1_000;
/** An engine that has just gone is noticed by the first requests that need it. */
const NOTICED = { timeoutMs: 120_000 };
const LOOK_MS = 500;
/** Two engines may take minutes to start on a busy machine. */
const TEST_TIMEOUT_MS = 900_000;
const UNAVAILABLE = 503;

interface Served {
  readonly feed: number;
  readonly anonymousFeed: number;
  readonly event: number;
  readonly user: number;
  readonly userList: number;
}

const ALL_WELL: Served = { feed: 200, anonymousFeed: 200, event: 202, user: 200, userList: 200 };

const CASES: readonly {
  readonly away: string;
  readonly engine: Engine;
  readonly served: Served;
}[] = [
  {
    away: "event log",
    engine: kafka,
    // Users are read from the read state: only changes need the log.
    served: { ...ALL_WELL, event: 503 },
  },
  {
    away: "read state",
    engine: redis,
    served: { ...ALL_WELL, feed: 503, user: 503, userList: 503 },
  },
  // API nodes rank from copies of their own.
  { away: "content index", engine: elasticsearch, served: ALL_WELL },
  { away: "activity store", engine: clickhouse, served: { ...ALL_WELL, userList: 503 } },
  { away: "object store", engine: minio, served: ALL_WELL },
];

let cluster: RolesCluster;
let node: FeedctlProcess;
let client: Client;

beforeAll(async () => {
  const opened = await openRolesCluster({ apis: 1, projectors: 1 });
  cluster = opened.cluster;
  node = opened.apis[0] as FeedctlProcess;
  client = cluster.client(node);
}, TEST_TIMEOUT_MS);

afterAll(() => cluster[Symbol.asyncDispose]());

async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const headers = {
    authorization: `Bearer ${cluster.apiKey}`,
    "content-type": "application/json",
  };
  const answer = await fetch(`${node.listening}${path}`, { ...init, headers });
  await answer.arrayBuffer();
  if (answer.status === 503) expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  return answer.status;
}

/** What is answered, asked once more where it is 503 and should not be: a machine that stands still refuses what it is asked. */
async function look(user: string, wanted: Served): Promise<Served> {
  const event = { type: "login", user_id: "looker", session_id: "look" };
  const body = JSON.stringify({ events: [event] });
  const ask: Readonly<Record<keyof Served, () => Promise<number>>> = {
    feed: () => statusOf(`/v1/feed?user_id=${user}&limit=5`),
    anonymousFeed: () => statusOf("/v1/feed?limit=5"),
    event: () => statusOf("/v1/events", { method: "POST", body }),
    user: () => statusOf(`/v1/users/${user}`),
    userList: () => statusOf("/v1/users?limit=1"),
  };
  const seen: Record<keyof Served, number> = { ...wanted };
  for (const name of Object.keys(ask) as (keyof Served)[]) {
    seen[name] = await ask[name]();
    if (seen[name] === UNAVAILABLE && seen[name] !== wanted[name]) seen[name] = await ask[name]();
  }
  return seen;
}

describe("An engine that is away for a while, under load", { timeout: TEST_TIMEOUT_MS }, () => {
  it.each(CASES)(
    "the $away: the rest is served as promised, and no event is lost or counted twice",
    async ({ away, engine, served }) => {
      const name = away.replace(" ", "-");
      const steady = new SteadyEvents(client, name);
      await steady.register();
      const ending = new AbortController();
      const posting = steady.post(ending.signal);
      const user = `${name}-0`;
      const isServed = async (wanted: Served) => isEqual(await look(user, wanted), wanted);
      await waitFor(() => isServed(ALL_WELL), PATIENCE);
      {
        // Whatever is seen meanwhile: the other tests need it.
        await using back = new AsyncDisposableStack();
        await stop(engine);
        back.defer(async () => void (await start(engine)));
        const backMs = performance.now() + AWAY_MS;
        await waitFor(() => isServed(served), NOTICED);
        while (performance.now() < backMs) {
          expect(await look(user, served)).toEqual(served);
          await delay(LOOK_MS);
        }
      }
      await waitFor(() => isServed(ALL_WELL), PATIENCE);
      const acknowledged = steady.acknowledged;
      await waitFor(() => steady.acknowledged > acknowledged, PATIENCE);
      ending.abort();
      await posting;
      const { sessions, expected } = await steady.counted();
      expect(sessions).toEqual(expected);
    },
  );

  it("and the ledger's sum is the counter's in the end", async () => {
    // Of this month, should another have begun since.
    await client.feedIds("looker");
    const ledger = async () => {
      const { used_credits, days } = await client.usage();
      return { counted: used_credits, summed: days.reduce((sum, day) => sum + day.credits, 0) };
    };
    let counted = 0;
    await waitFor(async () => {
      const sums = await ledger();
      counted = sums.counted;
      return counted > 0 && counted === sums.summed;
    }, PATIENCE);
    expect(counted).toBeGreaterThan(0);
  });
});

function isEqual(seen: Served, wanted: Served): boolean {
  return JSON.stringify(seen) === JSON.stringify(wanted);
}
