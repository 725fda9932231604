import { describe, expect, it } from "vitest";

import { eventLogChecks } from "./conformance.ts";
import type { LogUnderTest } from "./conformance/harness.ts";
import { KEY_BYTES_MAX } from "./limits.ts";
import type { ConsumeOptions, EventLog } from "./port.ts";
import { openInFreshDirectory } from "./testing/under-test.ts";

/**
 * The suite is worth what it finds. Method: an embedded log is broken in one way, by wrapping its port,
 * and the check that is meant for it must fail; the same check passes on the log in the same wrapping but
 * unbroken.
 */
interface Fault {
  readonly name: string;
  /** The check that must notice it. */
  readonly foundBy: string;
  readonly breakLog?: (log: EventLog, opener: number) => Partial<EventLog>;
  readonly breakSubject?: (subject: LogUnderTest) => Partial<LogUnderTest>;
}

const FAULTS: readonly Fault[] = [
  {
    name: "loses a committed offset",
    foundBy: "commits the offsets of a handled call and resumes there",
    breakLog: (log) => ({
      consume: (options) => log.consume({ ...options, startAt: async () => 0 }),
    }),
  },
  {
    name: "ignores startAt",
    foundBy: "begins where startAt says, else at the committed offset, else at 0",
    breakLog: (log) => ({
      consume: (options) => log.consume({ ...options, startAt: async () => undefined }),
    }),
  },
  {
    name: "reorders records",
    foundBy: "keeps the order of each partition when many append at once",
    breakLog: (log) => ({
      append: async (records) => (await log.append(records.toReversed())).toReversed(),
    }),
  },
  {
    name: "hands records over in the wrong order",
    foundBy: "hands a group every record, old and new, in the order of its partition",
    breakLog: (log) => ({
      consume: (options) =>
        log.consume({
          ...options,
          onBatches: (batches, signal) =>
            options.onBatches(
              batches.map((batch) => ({ ...batch, records: batch.records.toReversed() })),
              signal,
            ),
        }),
    }),
  },
  {
    name: "drops a record",
    foundBy: "keeps the order of each partition when many append at once",
    breakLog: (log) => ({
      append: async (records) => {
        const positions = await log.append(records.slice(0, Math.max(1, records.length - 1)));
        return records.map((one, index) => positions[index] ?? { ...one, offset: 0 });
      },
    }),
  },
  {
    name: "acknowledges a record that is not durable",
    foundBy: "has every acknowledged record after it was closed and opened again",
    breakLog: (_log, opener) => {
      if (opener > 0) return {};
      return {
        append: async (records) =>
          records.map(({ topic, partition }, offset) => ({ topic, partition, offset })),
      };
    },
  },
  {
    name: "gives a partition to two members",
    foundBy:
      "shares partitions between members and loses, repeats or reorders nothing when one joins or leaves",
    breakLog: (log, opener) => ({
      consume: (options) => log.consume({ ...options, group: `${options.group}-${opener}` }),
    }),
  },
  {
    name: "goes on after its handler threw",
    foundBy:
      "stops a consumer whose handler throws, with that error, and commits nothing of the call",
    breakLog: (log) => ({ consume: (options) => log.consume(swallowingErrors(options)) }),
  },
  {
    name: "keeps superseded records and tombstones",
    foundBy: "forgets a key after its tombstone, the tombstone too, and takes the key anew",
    breakSubject: () => ({ compacted: async () => {} }),
  },
  {
    name: "takes keys that are too long",
    foundBy: "refuses a call beyond a limit and appends nothing of it",
    breakLog: (log) => ({
      append: (records) =>
        log.append(records.map((one) => ({ ...one, key: one.key.slice(0, KEY_BYTES_MAX / 2) }))),
    }),
  },
  {
    name: "answers after it was closed",
    foundBy: "rejects every method with LogClosed after disposal, which may be repeated",
    breakLog: () => ({ [Symbol.asyncDispose]: async () => {} }),
  },
];

function swallowingErrors(options: ConsumeOptions): ConsumeOptions {
  return {
    ...options,
    onBatches: (batches, signal) => options.onBatches(batches, signal).catch(() => undefined),
  };
}

function wrap(log: EventLog, changes: Partial<EventLog>): EventLog {
  return {
    append: (records) => log.append(records),
    read: (...page) => log.read(...page),
    endOffsets: (topic) => log.endOffsets(topic),
    consume: (options) => log.consume(options),
    follow: (options) => log.follow(options),
    committed: (group, topic) => log.committed(group, topic),
    resetOffsets: (group, topic, offsets) => log.resetOffsets(group, topic, offsets),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
    ...changes,
  };
}

/** Undefined when the check passes, else what it rejected with. */
async function runCheck(name: string, fault: Partial<Fault>): Promise<unknown> {
  const check = eventLogChecks.find((candidate) => candidate.name === name);
  if (check === undefined) throw new Error(`no check is called "${name}"`);
  await using subject = await openInFreshDirectory();
  let openers = 0;
  const wrapped = (log: EventLog): EventLog => wrap(log, fault.breakLog?.(log, openers++) ?? {});
  const broken: LogUnderTest = {
    log: wrapped(subject.log),
    openAnother: async () => wrapped(await subject.openAnother()),
    compacted: () => subject.compacted(),
    patienceMs: fault.breakLog === undefined ? subject.patienceMs : 400,
    [Symbol.asyncDispose]: async () => {},
    ...fault.breakSubject?.(subject),
  };
  try {
    await check.run(broken);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the conformance suite of the event log", () => {
  it.for(FAULTS)("finds a log that $name", async (fault) => {
    const withFault = await runCheck(fault.foundBy, fault);
    expect(withFault, "the check passed on a broken log").toBeDefined();
  });

  it("finds nothing in the same checks on a log that is wrapped but not broken", async () => {
    for (const name of new Set(FAULTS.map((fault) => fault.foundBy))) {
      expect(await runCheck(name, {})).toBeUndefined();
    }
  });
});
