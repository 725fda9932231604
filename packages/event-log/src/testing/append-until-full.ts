import { openEmbeddedEventLog } from "../embedded.ts";
import { LogUnavailable } from "../port.ts";

/**
 * A process whose files can't grow any more at some point: arguments directory, largest number of
 * appends. Prints what the append that didn't fit was rejected with, then the number of records that can
 * be read.
 */
const [directory = "", appendsMax = "0"] = process.argv.slice(2);
const log = await openEmbeddedEventLog({ directory });
let acknowledged = 0;
try {
  for (; acknowledged < Number(appendsMax); acknowledged += 1) {
    await log.append([
      { topic: "users", partition: 0, key: "k", value: Buffer.alloc(100_000, 65), timestampMs: 0 },
    ]);
  }
  process.stdout.write("everything fitted\n");
} catch (error) {
  if (!(error instanceof LogUnavailable)) throw error;
  process.stdout.write(`${error.name}: ${error.message}\n`);
}
const [end] = await log.endOffsets("users");
const last = await log.read("users", 0, Math.max(0, acknowledged - 1), 10);
process.stdout.write(
  `acknowledged ${acknowledged}, end ${end}, last ${last.records.at(-1)?.offset}\n`,
);
await log[Symbol.asyncDispose]();
