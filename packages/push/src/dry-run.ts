import { audienceByConditions, audienceByIds } from "./audience.ts";
import type { PushDependencies } from "./dependencies.ts";
import { fixBasis } from "./generate/basis.ts";
import { Generation } from "./generate/generate-chunk.ts";
import type { AudienceMember } from "./objects.ts";
import type { DryRun, PushRequest } from "./service.ts";

const SAMPLE_ROWS = 5;

/** Audience, counters and the first rows of a job that is not made; it waits for nothing and costs nothing. */
export async function dryRunOf(deps: PushDependencies, request: PushRequest): Promise<DryRun> {
  const { conditions, nowMs, requestId, scenario, candidatesPerUser } = request;
  const { tenantId } = request.tenant;
  const sample: AudienceMember[] = [];
  const take = async (members: readonly AudienceMember[]): Promise<void> => {
    sample.push(...members.slice(0, SAMPLE_ROWS - sample.length));
  };
  const { count, filterStats } =
    request.targetMode === "manual"
      ? await audienceByIds(deps, tenantId, request.userIds, take)
      : await audienceByConditions(deps.activityStore, { tenantId, conditions, atMs: nowMs }, take);
  const generation = await Generation.open(
    deps,
    {
      tenantId,
      jobId: requestId,
      candidatesPerUser,
      nowMs,
      audienceOffset: Number.MAX_SAFE_INTEGER,
    },
    await fixBasis(deps, scenario, nowMs),
  );
  const { content } = await generation.chunk(sample);
  const lines = content
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return { audience: count, filterStats, rows: lines.map((line) => JSON.parse(line) as unknown) };
}
