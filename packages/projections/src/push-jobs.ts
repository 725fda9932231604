import { evolveJob, isNewChunk, picksOf } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { PushJobChange, PushJobRecord, SentChange } from "./changes.ts";
import type { Placed } from "./placed.ts";

/** A push job as it is looked up. */
export type PushJobKey = Pick<PushJobFact, "tenantId" | "jobId">;

/** The jobs a batch speaks of, once each. */
export function pushJobsOf(facts: readonly Placed<PushJobFact>[]): readonly PushJobKey[] {
  const keys = new Map<string, PushJobKey>();
  for (const { fact } of facts) {
    const { tenantId, jobId } = fact;
    keys.set(jobName(fact), { tenantId, jobId });
  }
  return [...keys.values()];
}

/**
 * Jobs as a batch leaves them, and what it chose for users. A chunk's choice is kept at once, under its job: it counts
 * as sent for whoever asks after the job is completed, and never when it fails (decisions, "Push jobs").
 *
 * @param stored records of `pushJobsOf(facts)`, in that order.
 */
export function foldPushJobs(
  facts: readonly Placed<PushJobFact>[],
  stored: readonly (PushJobRecord | undefined)[],
): readonly (PushJobChange | SentChange)[] {
  const records = new Map<string, PushJobRecord>();
  for (const [index, key] of pushJobsOf(facts).entries()) {
    const known = stored[index];
    if (known !== undefined) records.set(jobName(key), known);
  }
  const jobs = new Map<string, PushJobChange>();
  const sent: SentChange[] = [];
  for (const { fact, partition, offset } of facts) {
    const name = jobName(fact);
    const before = records.get(name);
    if (before !== undefined && offset <= before.offset) continue;
    const state = evolveJob(before?.state, fact, offset);
    if (state === undefined || state === before?.state) continue;
    if (
      fact.type === "push-job.chunk-done" &&
      before !== undefined &&
      isNewChunk(before.state, fact)
    ) {
      const { tenantId, jobId } = fact;
      for (const { subjectId, contentIds } of picksOf(fact)) {
        sent.push({ kind: "mark-sent", key: { tenantId, subjectId }, jobId, contentIds });
      }
    }
    records.set(name, { state, offset });
    jobs.set(name, { kind: "put-push-job", state, partition, offset });
  }
  return [...sent, ...jobs.values()];
}

function jobName({ tenantId, jobId }: PushJobKey): string {
  return `${tenantId}\n${jobId}`;
}
