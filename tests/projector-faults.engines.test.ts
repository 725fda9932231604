import { setTimeout as delay } from "node:timers/promises";
import { parseKafkaUrl } from "@feed/event-log/kafka/settings";
import { killRounds, waitFor } from "@feed/test-kit";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { randomFrom } from "../bench/src/random.ts";
import type { Client } from "./faults/client.ts";
import { SteadyEvents } from "./faults/steady-events.ts";
import { openRolesCluster, PATIENCE, type RolesCluster } from "./roles-cluster.ts";

/** Projectors as processes on the real engines, under load: killed, come and gone, and given what can't be read. */
const KILLS = killRounds(4);
const WORK_MS_MAX = 1_500;
const STORM_TURNS = killRounds(8);
const STORM_PROJECTORS_MAX = 4;
const STORM_PAUSE_MS_MAX = 700;
const SEED = 20_261_121;
const TEST_TIMEOUT_MS = 300_000 + (KILLS + STORM_TURNS) * 20_000;

let cluster: RolesCluster;
let client: Client;
let projectors: FeedctlProcess[] = [];

beforeAll(async () => {
  const opened = await openRolesCluster({ apis: 1, projectors: 1 });
  cluster = opened.cluster;
  projectors = [...opened.projectors];
  client = cluster.client(opened.apis[0] as FeedctlProcess);
}, TEST_TIMEOUT_MS);

afterAll(() => cluster[Symbol.asyncDispose]());

/** Whatever became of the sentence before. */
beforeEach(async () => {
  if (projectors.length === 0) await join();
}, TEST_TIMEOUT_MS);

/** Posts events while `work` goes on, and resolves with what was counted of them in the end. */
async function underLoad(name: string, work: () => Promise<void>) {
  const steady = new SteadyEvents(client, name);
  await steady.register();
  const ending = new AbortController();
  const posting = steady.post(ending.signal);
  await work();
  ending.abort();
  await posting;
  return steady.counted();
}

async function letGo(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  await projectors.shift()?.stop(signal);
}

async function join(): Promise<void> {
  projectors.push(await cluster.start("projector"));
}

describe("Projectors on outside engines", { timeout: TEST_TIMEOUT_MS }, () => {
  it(`killed ${KILLS} times at random moments, lose no event and count none twice`, async () => {
    const random = randomFrom(SEED);
    const { sessions, expected } = await underLoad("killed", async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(random.fraction() * WORK_MS_MAX);
        await letGo("SIGKILL");
        await join();
      }
    });
    expect(sessions).toEqual(expected);
  });

  it("that come and go all the time, lose no event and count none twice", async () => {
    const random = randomFrom(SEED);
    const { sessions, expected } = await underLoad("storm", async () => {
      for (let turn = 0; turn < STORM_TURNS; turn += 1) {
        const mayLeave = projectors.length > 1;
        const mayJoin = projectors.length < STORM_PROJECTORS_MAX;
        if (mayLeave && (!mayJoin || turn % 2 === 1))
          await letGo(turn % 4 === 1 ? "SIGTERM" : "SIGKILL");
        else await join();
        await delay(random.fraction() * STORM_PAUSE_MS_MAX);
      }
    });
    expect(sessions).toEqual(expected);
  });

  it("pass over a record that can't be read: it is a dead letter, and the rest counts once", async () => {
    const topic = `${cluster.run}.users`;
    const { brokers } = parseKafkaUrl(cluster.environment["EVENT_LOG"] ?? "");
    const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
    const producer = kafka.producer();
    await producer.connect();
    const { sessions, expected } = await underLoad("poisoned", async () => {
      const messages = ["no record", "\0\0\0\0\x01torn"].map((value) => ({
        key: "k",
        value,
        partition: 3,
      }));
      await producer.send({ topic, messages });
    });
    await producer.disconnect();
    expect(sessions).toEqual(expected);
    const letters = async () => {
      const { stdout } = await cluster.feedctl("dead-letters", "list", "--json");
      return stdout;
    };
    await waitFor(async () => (await letters()).includes('"partition":3'), PATIENCE);
  });
});
