import type { PushJobState } from "@feed/domain/push";
import type { OpenPushJob, ReadStateChange } from "../port.ts";
import type { RedisConnection } from "./connection.ts";
import { memberOf, ofMember, type Keys } from "./keys.ts";
import type { Records } from "./records.ts";

/**
 * The record lies with its tenant, the index of open jobs beside all tenants: two steps, ordered so that a crash
 * between them leaves an entry too many, never one too few. Who reads the index looks at the records.
 */
export async function putPushJob(
  redis: RedisConnection,
  keys: Keys,
  jobs: Records<PushJobState>,
  { state, partition, offset }: Extract<ReadStateChange, { kind: "put-push-job" }>,
): Promise<void> {
  const { tenantId, jobId, atMs } = state.request;
  const index = keys.openPushJobs();
  const member = memberOf(tenantId, jobId);
  if (!state.closed)
    await redis.send(index, "HSET", index, member, `${partition} ${state.requestedOffset}`);
  await jobs.put(tenantId, { atMs, id: jobId }, { state, offset });
  if (state.closed) await redis.send(index, "HDEL", index, member);
}

export async function openPushJobs(
  redis: RedisConnection,
  keys: Keys,
  jobs: Records<PushJobState>,
): Promise<readonly OpenPushJob[]> {
  const index = keys.openPushJobs();
  const fields = ((await redis.send(index, "HGETALL", index)) as readonly Buffer[]).map(String);
  const open = fields.flatMap((member, at) => {
    if (at % 2 === 1) return [];
    const [tenantId, jobId] = ofMember(member);
    const [partition = 0, requestedOffset = 0] = (fields[at + 1] ?? "").split(" ").map(Number);
    return [{ tenantId, jobId, partition, requestedOffset }];
  });
  const records = await Promise.all(open.map(({ tenantId, jobId }) => jobs.get(tenantId, jobId)));
  return open.filter((_job, at) => records[at]?.state.closed === false);
}
