import { asId, type TenantId } from "@feed/domain/ids";
import type { PushConditions } from "@feed/domain/push-facts";
import type { AudienceUser } from "./port.ts";

const DAY_MS = 24 * 3_600_000;

/** subject, user id, then one flag for each condition that leaves the user out. */
export type AudienceRow = readonly [string, string, boolean, boolean, boolean];

/**
 * Every user of a tenant with the conditions that leave them out (spec 2.8, 4.5). A user without an identity is being
 * deleted at this moment and belongs to no audience.
 */
export function audienceSql(database: string): string {
  const instant = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
  return `SELECT subject_id, if(never_active OR too_long_ago OR out_of_range, '', assumeNotNull(user_id)),
            never_active, too_long_ago, out_of_range
     FROM (
       SELECT subject_id, user_id,
         {byActivity:Bool} AND isNull(last_active_at) AS never_active,
         {byActivity:Bool} AND ifNull(last_active_at < ${instant("activeFromMs")}, false) AS too_long_ago,
         ({byFrom:Bool} AND ifNull(registered_at < ${instant("registeredFromMs")}, true))
           OR ({byTo:Bool} AND ifNull(registered_at >= ${instant("registeredToMs")}, true)) AS out_of_range
       FROM ${database}.users
       WHERE tenant_id = {tenantId:String} AND isNotNull(user_id)
     ) ORDER BY subject_id`;
}

export function audienceParameters(
  tenantId: TenantId,
  { lastActiveDays, registeredFromMs, registeredToMs }: PushConditions,
  atMs: number,
): Record<string, unknown> {
  return {
    tenantId,
    byActivity: lastActiveDays !== null,
    activeFromMs: atMs - (lastActiveDays ?? 0) * DAY_MS,
    byFrom: registeredFromMs !== null,
    registeredFromMs: registeredFromMs ?? 0,
    byTo: registeredToMs !== null,
    registeredToMs: registeredToMs ?? 0,
  };
}

export function audienceUser([
  subject,
  user,
  never,
  tooLong,
  outOfRange,
]: AudienceRow): AudienceUser {
  return {
    subjectId: asId(subject),
    userId: asId(user),
    neverActive: never,
    activeTooLongAgo: tooLong,
    outsideRegisteredRange: outOfRange,
  };
}
