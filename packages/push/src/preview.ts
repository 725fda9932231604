import { audienceByIds } from "./audience.ts";
import type { PushDependencies } from "./dependencies.ts";
import { fixBasis } from "./generate/basis.ts";
import { Generation } from "./generate/generate-chunk.ts";
import type { AudienceMember } from "./objects.ts";
import type { PushPreviewItem, PushPreviewRequest } from "./service.ts";

const SCORE_DIGITS = 1e4;

/** What a job that is not made would give one user, and why. */
export async function previewOf(
  deps: PushDependencies,
  { tenant, scenario, candidatesPerUser, requestId, nowMs, userId }: PushPreviewRequest,
): Promise<readonly PushPreviewItem[]> {
  const { tenantId } = tenant;
  const audience: AudienceMember[] = [];
  if (userId !== undefined)
    await audienceByIds(
      deps,
      tenantId,
      [userId],
      async (members) => void audience.push(...members),
    );
  // Whatever was sent by now counts as sent before.
  const audienceOffset = Number.MAX_SAFE_INTEGER;
  const generation = await Generation.open(
    deps,
    { tenantId, jobId: requestId, candidatesPerUser, nowMs, audienceOffset },
    await fixBasis(deps, scenario, nowMs),
  );
  const chosen = await generation.explained(audience[0]);
  return chosen.map((item) => ({
    ...item,
    score: Math.round(item.score * SCORE_DIGITS) / SCORE_DIGITS,
  }));
}
