import type { ReadModelRebuildStep } from "@feed/domain/operating-facts";
import {
  FIRST_VERSIONS,
  READ_MODELS,
  versionsAfter,
  type ReadModel,
  type ReadModelState,
  type ReadModelVersions,
} from "@feed/domain/read-models";
import { rebuildsAfter, type Rebuild } from "@feed/domain/rebuilds";
import { UnreadableRecord, type FactCodec } from "@feed/event-codec";
import type { EventLog, LogRecord } from "@feed/event-log";

const TOPIC = "read-models";
const RECORDS_MAX = 1_000;

/** Which versions of the read models there are, as the log says, followed from there on. */
export interface VersionsFollower extends AsyncDisposable {
  of(readModel: ReadModel): ReadModelVersions;
  /** The latest rebuilds, oldest first. */
  rebuilds(): readonly Rebuild[];
  /** Called after every change of the versions, until the returned function is. */
  onChange(listener: () => void): () => void;
  /** Rejects when the log is no longer followed by an error. */
  readonly failed: Promise<void>;
}

interface VersionsLog {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
}

/** Resolves when everything that is in the log has been read. Errors: those of the log. */
export async function followReadModelVersions({
  eventLog,
  codec,
}: VersionsLog): Promise<VersionsFollower> {
  const known = new Map<ReadModel, ReadModelVersions>();
  const listeners = new Set<() => void>();
  let rebuilds: readonly Rebuild[] = [];
  const of = (readModel: ReadModel) => known.get(readModel) ?? FIRST_VERSIONS;
  /** Whether the versions changed. */
  const fold = (records: readonly LogRecord[]): boolean => {
    let isChanged = false;
    for (const record of records) {
      const fact = factIn(record, codec);
      if (fact === undefined) continue;
      rebuilds = rebuildsAfter(rebuilds, fact);
      if (fact.type !== "read-model.changed") continue;
      known.set(fact.readModel, versionsAfter(of(fact.readModel), fact));
      isChanged = true;
    }
    return isChanged;
  };
  let next = 0;
  for (;;) {
    const batch = await eventLog.read(TOPIC, 0, next, RECORDS_MAX);
    if (batch.nextOffset === next) break;
    fold(batch.records);
    next = batch.nextOffset;
  }
  const consumer = await eventLog.follow({
    topic: TOPIC,
    from: new Map([[0, next]]),
    recordsMax: RECORDS_MAX,
    onBatches: async (batches) => {
      const changes = batches.map(({ records }) => fold(records));
      if (changes.includes(true)) for (const listener of listeners) listener();
    },
  });
  return {
    of,
    rebuilds: () => rebuilds,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    failed: consumer.failed,
    [Symbol.asyncDispose]: () => consumer[Symbol.asyncDispose](),
  };
}

/** Appends how far a rebuild is. */
export async function tellOfRebuild(
  { eventLog, codec }: Pick<VersionsLog, "codec"> & { readonly eventLog: Pick<EventLog, "append"> },
  step: ReadModelRebuildStep,
): Promise<void> {
  const value = codec.encode(step);
  const key = step.readModel;
  await eventLog.append([{ topic: TOPIC, partition: 0, key, value, timestampMs: step.atMs }]);
}

/** Appends that a version is now kept, live or dropped. */
export async function changeReadModel(
  { eventLog, codec }: Pick<VersionsLog, "codec"> & { readonly eventLog: Pick<EventLog, "append"> },
  readModel: ReadModel,
  change: { readonly version: number; readonly state: ReadModelState; readonly atMs: number },
): Promise<void> {
  const value = codec.encode({ type: "read-model.changed", readModel, ...change });
  await eventLog.append([
    { topic: TOPIC, partition: 0, key: readModel, value, timestampMs: change.atMs },
  ]);
}

/** Undefined: it is of no use to this build. */
function factIn({ value }: LogRecord, codec: FactCodec) {
  if (value === null) return undefined;
  try {
    const fact = codec.decode(value);
    if (fact.type !== "read-model.changed" && fact.type !== "read-model.rebuild-step")
      return undefined;
    return READ_MODELS.includes(fact.readModel) ? fact : undefined;
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}
