import { READ_BYTES_MAX } from "../limits.ts";
import type { LogRecord, PartitionBatch } from "../port.ts";
import type { Cluster, TopicNames } from "./connection.ts";
import { byLeader, fetchFrom } from "./fetching.ts";
import type { FetchPosition } from "./fetching.ts";

/** Asked for at first for each wanted record, so that a few are not paid for with megabytes. */
const RECORD_BYTES_EXPECTED = 4 * 1024;

/** Up to `recordsMax` records and about READ_BYTES_MAX of one partition; empty at the end. */
export async function readPartition(
  cluster: Cluster,
  names: TopicNames,
  { topic, partition, offset }: FetchPosition,
  recordsMax: number,
): Promise<PartitionBatch> {
  await cluster.refreshMetadataIfNecessary();
  const records: LogRecord[] = [];
  let bytesLeft = READ_BYTES_MAX;
  let next = offset;
  while (records.length < recordsMax && bytesLeft > 0) {
    const position = { topic, partition, offset: next };
    const [nodeId] = byLeader(cluster, names, [position]).keys();
    if (nodeId === undefined) throw new Error(`partition ${partition} of ${topic} has no leader`);
    const wanted = (recordsMax - records.length) * RECORD_BYTES_EXPECTED;
    const limits = { waitMs: 0, partitionBytesMax: Math.min(bytesLeft, wanted) };
    const [fetched] = await fetchFrom(cluster, names, nodeId, [position], limits);
    if (fetched === undefined || fetched.nextOffset === next) break;
    for (const record of fetched.records) {
      if (records.length === recordsMax) break;
      records.push(record);
      bytesLeft -= record.value?.byteLength ?? 0;
      next = record.offset + 1;
    }
    if (records.length < recordsMax) next = fetched.nextOffset;
    if (next >= fetched.highWatermark) break;
  }
  return { topic, partition, records, nextOffset: next };
}
