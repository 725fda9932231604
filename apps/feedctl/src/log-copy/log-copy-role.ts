import { TOPICS, type Topic } from "@feed/domain/topics";
import { openConfluentRegistry } from "@feed/event-codec/confluent";
import { openLog, type InstallationConfig } from "@feed/engines";
import type { EventLog } from "@feed/event-log";
import { openKafkaEventLog, parseKafkaUrl } from "@feed/event-log/kafka";
import type { Logger } from "@feed/runtime";
import { PUSH_GROUPS } from "@feed/push/groups";
import { WEBHOOK_GROUP } from "@feed/webhooks/groups";
import { ProgressBar, type ProgressOutput } from "../progress-bar.ts";
import type { CopiedObjects } from "./object-copy.ts";
import { copyObjectsOf } from "./object-copy-role.ts";
import { checkPartition, type CheckedPartition } from "./partition-check.ts";
import {
  assertSameStart,
  copyPartition,
  type CopiedPartition,
  type CopyServices,
} from "./partition-copy.ts";

/** Enough that the brokers always have work, few enough that each append is large. */
const PARTITIONS_AT_ONCE = 8;

/** Groups whose work has effects outside: they go on where they were. Read models begin anew. */
const GROUPS = [PUSH_GROUPS.coordinators, PUSH_GROUPS.workers, WEBHOOK_GROUP];

export interface LogCopyOptions {
  readonly installation: InstallationConfig;
  /** `kafka://host:9092/prefix` */
  readonly to: string;
  /** `http://host:8081` of the registry beside it. */
  readonly schemaRegistry: string;
  readonly log: Logger;
  /** Where progress is shown. */
  readonly output: ProgressOutput;
  readonly signal: AbortSignal;
}

export interface LogCopyResult {
  /** Offsets that this call has copied. */
  readonly copied: number;
  readonly tookMs: number;
  readonly partitions: readonly CheckedPartition[];
  /** Absent: no other store is configured, and they stay where they are. */
  readonly objects?: CopiedObjects;
  /** Every partition, and every object that was copied. */
  readonly agrees: boolean;
}

/**
 * Copies the embedded log of an installation into a cluster, from where an earlier call has ended, and compares the two.
 * Nothing else may write to either meanwhile. Before that, the objects go into the store that is configured outside.
 *
 * Errors: TargetRefused, and those of the logs, the registry and the object stores.
 */
export async function copyLog(options: LogCopyOptions): Promise<LogCopyResult> {
  const { installation, log, output, signal } = options;
  const settings = parseKafkaUrl(options.to);
  const { engineAnswerTimeoutMs: timeoutMs } = installation;
  await using opened = new AsyncDisposableStack();
  const { eventLog: source } = await openLog({ dataDirectory: installation.dataDirectory }, log);
  opened.use(source);
  const registry = await openConfluentRegistry({
    url: options.schemaRegistry,
    subjectPrefix: settings.prefix,
  });
  const target = opened.use(
    await openKafkaEventLog({
      ...settings,
      ...(timeoutMs !== undefined && { answerTimeoutMs: timeoutMs, appendTimeoutMs: timeoutMs }),
      closesSegments: false,
      onTrouble: (error) => log.warn({ err: error }, "the cluster keeps the copy waiting"),
    }),
  );
  const idOf = (sourceId: number) => registry.idOfBundled(sourceId);
  const services = { source, target, idOf, signal };
  // First, so that they can be copied also after the log there has been written to: then it is refused.
  const objects = await copyObjectsOf(installation, output, signal);
  const startMs = performance.now();
  const copied = await copyAll(services, source, target, output);
  const tookMs = performance.now() - startMs;
  await copyGroups(source, target);
  const partitions = await checkAll(services, source, output);
  const agrees = partitions.every((partition) => partition.agrees) && !objects?.differing;
  return { copied, tookMs, partitions, agrees, ...(objects && { objects }) };
}

async function copyAll(
  services: CopyServices,
  source: EventLog,
  target: EventLog,
  output: ProgressOutput,
): Promise<number> {
  const [sourceEnds, targetEnds] = [await endsOf(source), await endsOf(target)];
  const sum = (ends: ReadonlyMap<string, number>) => [...ends.values()].reduce((a, b) => a + b, 0);
  const [total, before] = [sum(sourceEnds), sum(targetEnds)];
  using bar = new ProgressBar(output);
  let done = before;
  bar.show(done, total);
  const endsAt = (place: CopiedPartition) => {
    const name = placeName(place);
    return { source: sourceEnds.get(name) ?? 0, target: targetEnds.get(name) ?? 0 };
  };
  // All of them first: nothing is added to what is another's.
  await eachPartition((place) => assertSameStart(place, endsAt(place), services));
  await eachPartition(async (place) => {
    await copyPartition(place, endsAt(place), services, (offsets) => {
      done += offsets;
      bar.show(done, total);
    });
  });
  return done - before;
}

/** What these groups have done is not done again on the other side. */
async function copyGroups(source: EventLog, target: EventLog): Promise<void> {
  for (const { group, topic } of GROUPS) {
    const offsets = await source.committed(group, topic);
    if (offsets.size > 0) await target.resetOffsets(group, topic, offsets);
  }
}

async function checkAll(
  services: CopyServices,
  source: EventLog,
  output: ProgressOutput,
): Promise<readonly CheckedPartition[]> {
  const ends = await endsOf(source);
  const total = [...ends.values()].reduce((sum, end) => sum + end, 0);
  using bar = new ProgressBar(output);
  let done = 0;
  const checked: CheckedPartition[] = [];
  await eachPartition(async (place) => {
    const end = ends.get(placeName(place)) ?? 0;
    const result = await checkPartition(place, end, services, (offsets) => {
      done += offsets;
      bar.show(done, total);
    });
    checked.push(result);
  });
  return checked;
}

/** Topics one after the other; the first failure ends it. */
async function eachPartition(work: (place: CopiedPartition) => Promise<void>): Promise<void> {
  for (const topic of Object.keys(TOPICS) as Topic[]) {
    const waiting = Array.from({ length: TOPICS[topic].partitions }, (_, partition) => partition);
    const workers = Array.from({ length: PARTITIONS_AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await work({ topic, partition: next });
    });
    await Promise.all(workers);
  }
}

async function endsOf(log: Pick<EventLog, "endOffsets">): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  for (const topic of Object.keys(TOPICS) as Topic[])
    for (const [partition, end] of (await log.endOffsets(topic)).entries())
      ends.set(placeName({ topic, partition }), end);
  return ends;
}

function placeName({ topic, partition }: CopiedPartition): string {
  return `${topic} ${partition}`;
}
