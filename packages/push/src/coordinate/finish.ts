import { Readable } from "node:stream";
import { PUSH_USER_COST_TENTHS } from "@feed/domain/credits";
import type { ContentId } from "@feed/domain/ids";
import { totalsOf, type PushJobState } from "@feed/domain/push";
import type { PushJobCompleted } from "@feed/domain/push-facts";
import type { ObjectStore } from "@feed/object-store";
import type { PushDependencies } from "../dependencies.ts";
import { PushFailure } from "../failures.ts";
import { appendReservationStep } from "../job-log.ts";
import { audienceChunkKey, resultKey, RESULT_MEDIA_TYPE } from "../objects.ts";
import { reservationStep } from "./reserve.ts";

/**
 * Joins the parts in the order of the audience, and says what the job comes to. The same parts give the same result
 * under the same key, however often it is done.
 */
export async function joinParts(
  { objectStore, clock }: Pick<PushDependencies, "objectStore" | "clock">,
  job: PushJobState,
  sent: ReadonlyMap<ContentId, number>,
): Promise<PushJobCompleted> {
  const { audience, chunks, request } = job;
  if (audience === null) throw new Error("a job without an audience can't be finished");
  const { tenantId, jobId, scenario, keyKind } = request;
  const key = resultKey(jobId, audience.atMs);
  const keys = chunks.map((chunk) => {
    if (chunk === null) throw new Error("a job with a chunk to do can't be finished");
    return chunk.partKey;
  });
  await objectStore.put(key, Readable.from(contentOf(objectStore, keys)), RESULT_MEDIA_TYPE);
  const { usersWithCandidates, usersFailed, candidates } = totalsOf(chunks);
  return {
    type: "push-job.completed",
    tenantId,
    jobId,
    atMs: clock.nowMs(),
    scenario,
    targetUserCount: audience.targetUserCount,
    usersFailed,
    candidates,
    creditsTenths: keyKind === "test" ? 0 : usersWithCandidates * PUSH_USER_COST_TENTHS,
    filterStats: audience.filterStats,
    resultKey: key,
    sent: [...sent].map(([contentId, users]) => ({ contentId, users })),
  };
}

async function* contentOf(
  objectStore: Pick<ObjectStore, "get">,
  keys: readonly string[],
): AsyncGenerator<Buffer> {
  for (const key of keys) {
    const part = await objectStore.get(key);
    if (part === undefined) {
      throw new PushFailure("storage_unavailable", "A part of the result is gone.");
    }
    for await (const bytes of part.body) yield bytes as Buffer;
  }
}

/** Charges or releases what an ended job had reserved. Doing it again changes nothing. */
export async function closeReservation(deps: PushDependencies, job: PushJobState): Promise<void> {
  const { audience, completed, request } = job;
  if (audience === null || audience.targetUserCount === 0 || request.keyKind === "test") return;
  const reservedTenths = audience.targetUserCount * PUSH_USER_COST_TENTHS;
  const step =
    completed === null
      ? reservationStep(job, deps.clock.nowMs(), "released", reservedTenths)
      : reservationStep(job, deps.clock.nowMs(), "settled", completed.creditsTenths);
  await appendReservationStep(deps, step);
}

/** Objects that only a running job needs. */
export function workKeys({ audience, chunks, request }: PushJobState): readonly string[] {
  const keys = chunks.flatMap((chunk) => chunk?.partKey ?? []);
  if (request.userIds !== null) keys.push(request.userIds.objectKey);
  if (audience?.basisKey) keys.push(audience.basisKey);
  for (let chunk = 0; chunk < (audience?.chunkCount ?? 0); chunk += 1) {
    keys.push(audienceChunkKey(audience?.audienceKey ?? "", chunk));
  }
  return keys;
}
