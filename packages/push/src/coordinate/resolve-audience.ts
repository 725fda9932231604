import { randomBytes } from "node:crypto";
import type { PushJobState } from "@feed/domain/push";
import type { PushAudienceResolved } from "@feed/domain/push-facts";
import { audienceByConditions, audienceByIds, type Audience } from "../audience.ts";
import { waitForRequest, type BarrierOptions } from "../barrier.ts";
import type { PushDependencies } from "../dependencies.ts";
import { PushFailure } from "../failures.ts";
import {
  audienceChunkKey,
  audienceKey,
  getUserIds,
  putMembers,
  type AudienceMember,
} from "../objects.ts";

const ATTEMPT_BYTES = 6;

/**
 * Who a job is for, behind its barrier, written down in chunks. Nothing counts before the fact is appended: an
 * attempt that is cut short leaves objects nobody names.
 */
export async function resolveAudience(
  deps: PushDependencies,
  { request }: PushJobState,
  chunkUsers: number,
  barrier: BarrierOptions,
): Promise<PushAudienceResolved> {
  await waitForRequest(deps, request, barrier);
  const { tenantId, jobId } = request;
  const key = audienceKey(jobId, randomBytes(ATTEMPT_BYTES).toString("hex"));
  const chunks = new ChunkWriter(deps.objectStore, key, chunkUsers);
  const { count, filterStats } = await collect(deps, request, (members) => chunks.add(members));
  await chunks.flush();
  return {
    type: "push-job.audience-resolved",
    tenantId,
    jobId,
    atMs: deps.clock.nowMs(),
    targetUserCount: count,
    chunkUsers,
    chunkCount: chunks.written,
    audienceKey: key,
    filterStats,
  };
}

async function collect(
  deps: PushDependencies,
  { tenantId, userIds: stored, conditions, atMs }: PushJobState["request"],
  take: (members: readonly AudienceMember[]) => Promise<void>,
): Promise<Audience> {
  if (stored === null) {
    return audienceByConditions(deps.activityStore, { tenantId, conditions, atMs }, take);
  }
  const userIds = await getUserIds(deps.objectStore, stored);
  if (userIds === undefined) {
    throw new PushFailure("storage_unavailable", "The job's user_ids could not be read.");
  }
  return audienceByIds(deps, tenantId, userIds, take);
}

class ChunkWriter {
  written = 0;
  readonly #store: PushDependencies["objectStore"];
  readonly #key: string;
  readonly #chunkUsers: number;
  #pending: AudienceMember[] = [];

  constructor(store: PushDependencies["objectStore"], key: string, chunkUsers: number) {
    this.#store = store;
    this.#key = key;
    this.#chunkUsers = chunkUsers;
  }

  async add(members: readonly AudienceMember[]): Promise<void> {
    for (const member of members) {
      this.#pending.push(member);
      if (this.#pending.length === this.#chunkUsers) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const members = this.#pending;
    this.#pending = [];
    await putMembers(this.#store, audienceChunkKey(this.#key, this.written), members);
    this.written += 1;
  }
}
