import { openEmbeddedEventLog } from "../embedded.ts";

/**
 * A process that is a member of a group until it is killed: arguments directory, group, the time at which its clock
 * stands. Prints each record's text.
 */
const [directory = "", group = "", nowMs = ""] = process.argv.slice(2);
const log = await openEmbeddedEventLog({ directory, clock: () => Number(nowMs) });
const consumer = await log.consume({
  group,
  topics: ["users"],
  recordsMax: 100,
  lingerMs: 0,
  onBatches: async (batches) => {
    for (const { partition, records } of batches) {
      for (const { value } of records) {
        process.stdout.write(`${partition} ${Buffer.from(value ?? []).toString()}\n`);
      }
    }
  },
});
await consumer.failed;
