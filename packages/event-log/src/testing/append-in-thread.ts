import { workerData } from "node:worker_threads";

import { openEmbeddedEventLog } from "../embedded.ts";

/** A thread that appends so many records one after the other to partition 3 and ends. */
const { directory, records } = workerData as { directory: string; records: number };
await using log = await openEmbeddedEventLog({ directory });
for (let n = 0; n < records; n += 1) {
  const value = Buffer.from(`thread ${n}`);
  await log.append([{ topic: "users", partition: 3, key: "k", value, timestampMs: 0 }]);
}
