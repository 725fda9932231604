import type { PushJobState } from "@feed/domain/push";
import type { PushAudienceResolved } from "@feed/domain/push-facts";
import type { Scenario } from "@feed/domain/scenario";
import { audienceByConditions, audienceByIds, type Audience } from "../audience.ts";
import { waitForRequest, type BarrierOptions } from "../barrier.ts";
import type { PushDependencies } from "../dependencies.ts";
import { PushFailure } from "../failures.ts";
import { fixBasis, putBasis } from "../generate/basis.ts";
import {
  audienceChunkKey,
  audienceKey,
  basisKey,
  getUserIds,
  putMembers,
  type AudienceMember,
} from "../objects.ts";

/**
 * Who a job is for, behind its barrier, written down in chunks. Nothing counts before the fact is appended: an
 * attempt that is cut short leaves objects nobody names.
 *
 * @param options `attempt` keeps apart what two coordinators resolve at once.
 */
export async function resolveAudience(
  deps: PushDependencies,
  { request }: PushJobState,
  { chunkUsers, attempt }: { readonly chunkUsers: number; readonly attempt: string },
  barrier: BarrierOptions,
): Promise<PushAudienceResolved> {
  await waitForRequest(deps, request, barrier);
  // The scenario and the licences may have been saved on another node, a moment before the request.
  await deps.directory.caughtUp();
  const { tenantId, jobId } = request;
  const key = audienceKey(jobId, attempt);
  const chunks = new ChunkWriter(deps.objectStore, key, chunkUsers);
  const { count, filterStats } = await collect(deps, request, (members) => chunks.add(members));
  await chunks.flush();
  const atMs = deps.clock.nowMs();
  const basis = count === 0 ? null : basisKey(jobId, attempt);
  if (basis !== null) {
    await putBasis(deps.objectStore, basis, await fixBasis(deps, scenarioOf(deps, request), atMs));
  }
  return {
    type: "push-job.audience-resolved",
    tenantId,
    jobId,
    atMs,
    targetUserCount: count,
    chunkUsers,
    chunkCount: chunks.written,
    audienceKey: key,
    basisKey: basis,
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

/** As it is now; from here on the job keeps it. */
export function scenarioOf(
  { directory }: Pick<PushDependencies, "directory">,
  { tenantId, scenario: name }: PushJobState["request"],
): Scenario {
  const scenario = directory.scenario(tenantId, name);
  if (scenario === undefined) throw new PushFailure("internal", "The job's scenario is gone.");
  return scenario;
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
