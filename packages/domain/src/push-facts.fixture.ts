import { asId, type TenantId } from "./ids.ts";
import { NO_CONDITIONS, type PushAudienceResolved, type PushJobRequested } from "./push-facts.ts";

const BASE = { tenantId: asId<TenantId>("t"), jobId: "j", atMs: 1 };

/** A request in condition mode without conditions. */
export function buildPushJobRequested(parts: Partial<PushJobRequested> = {}): PushJobRequested {
  return {
    type: "push-job.requested",
    ...BASE,
    scenario: "daily",
    candidatesPerUser: 1,
    targetMode: "condition",
    conditions: NO_CONDITIONS,
    userIds: null,
    usersEnds: [],
    deliveriesEnds: [],
    keyKind: "live",
    ...parts,
  };
}

/** An audience of one user in one chunk. */
export function buildAudienceResolved(
  parts: Partial<PushAudienceResolved> = {},
): PushAudienceResolved {
  return {
    type: "push-job.audience-resolved",
    ...BASE,
    targetUserCount: 1,
    chunkUsers: 1,
    chunkCount: 1,
    audienceKey: "a",
    basisKey: null,
    filterStats: null,
    ...parts,
  };
}
