import { EVENTS_PER_REQUEST_MAX } from "@feed/domain/limits";
import { TOPICS } from "@feed/domain/topics";
import { openLog } from "@feed/engines";
import type { LogRecord } from "@feed/event-log";
import { parseKafkaUrl } from "@feed/event-log/kafka/settings";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { Kafka, logLevel } from "kafkajs";
import { drive } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import { batchOf } from "../parts/events.ts";
import { note, step } from "../progress.ts";
import { randomFrom } from "../random.ts";
import { atLeastShareOf, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { portOf } from "./installation.ts";
import type { EnginesInstallation } from "./installation.ts";

const SHARE = 0.5;
/** Requests on their way at any time, and as many sends of the bare producer. */
const AT_ONCE = 16;
const ACKS_ALL = -1;

/** POST /v1/events in full batches beside kafkajs's own producer with records of the same size, before and after. */
export async function measureProduce(
  installation: EnginesInstallation,
  api: FeedctlProcess,
  sizes: Sizes,
): Promise<readonly Result[]> {
  await using bare = await openBareProducer(installation);
  const { enginesProduceMs: durationMs } = sizes;
  await bare.produceFor(durationMs / 4);
  const before = await step("kafkajs's own producer", () => bare.produceFor(durationMs / 2));
  const value = await step("events through the API", () => postFor(installation, api, sizes));
  const after = await step("kafkajs's own producer", () => bare.produceFor(durationMs / 2));
  note(`kafkajs ${format(before)}/s before, ${format(after)}/s after; the API ${format(value)}/s`);
  const figure = { name: "engines-produce", value, unit: "events/s" };
  return [atLeastShareOf(figure, (before + after) / 2, SHARE)];
}

async function postFor(
  { apiKey }: EnginesInstallation,
  api: FeedctlProcess,
  sizes: Sizes,
): Promise<number> {
  const writer = requestWriter(apiKey);
  const random = randomFrom(7);
  const endMs = performance.now() + sizes.enginesProduceMs;
  const { perSecond, failed, firstFailure, latenciesMs } = await drive({
    port: portOf(api),
    connections: AT_ONCE,
    expectedStatus: 202,
    next: (index) =>
      performance.now() < endMs
        ? { request: writer.events(batchOf(random, index, sizes)) }
        : undefined,
  });
  if (failed > 0) note(`${failed} batches were not accepted: ${firstFailure}`);
  const { p50Ms, p99Ms } = summarise(latenciesMs);
  note(`batch p50 ${format(p50Ms)} ms, p99 ${format(p99Ms)} ms`);
  return perSecond * EVENTS_PER_REQUEST_MAX;
}

/** A producer of kafkajs as it comes, on a topic with as many partitions as that of the events. */
async function openBareProducer({ dataDirectory, engines, topicPrefix }: EnginesInstallation) {
  const messages = await recordsOf(dataDirectory, engines);
  const { brokers } = parseKafkaUrl(engines.eventLog);
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const topic = `${topicPrefix}bare`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: TOPICS.users.partitions }] });
  await admin.disconnect();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const produceFor = async (durationMs: number): Promise<number> => {
    const startMs = performance.now();
    let produced = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (performance.now() - startMs < durationMs) {
          await producer.send({ topic, acks: ACKS_ALL, messages });
          produced += messages.length;
        }
      }),
    );
    return (produced / (performance.now() - startMs)) * 1_000;
  };
  return { produceFor, [Symbol.asyncDispose]: () => producer.disconnect() };
}

/** As many records of events as a request makes, of different users, as they lie in the log. */
async function recordsOf(dataDirectory: string, engines: EnginesInstallation["engines"]) {
  const { eventLog } = await openLog({ dataDirectory, engines });
  await using _closed = eventLog;
  const records: LogRecord[] = [];
  const perPartition = Math.ceil(EVENTS_PER_REQUEST_MAX / TOPICS.users.partitions);
  for (let partition = 0; partition < TOPICS.users.partitions; partition += 1) {
    records.push(...(await eventLog.read("users", partition, 0, perPartition)).records);
  }
  return records.slice(0, EVENTS_PER_REQUEST_MAX).map(({ key, value }) => {
    return { key, value: value === null ? null : Buffer.from(value) };
  });
}
