import type { ExperimentArm } from "@feed/domain/experiment";
import type { ArmCounts } from "./port.ts";

export interface ArmRow {
  readonly arm: ExperimentArm;
  readonly users: string;
  readonly feeds: string;
  readonly items: string;
  readonly impressions: string;
  readonly clicks: string;
  readonly users_clicked: string;
}

/**
 * What each arm's users were served, and what came of it: events are counted in the arm of the delivery that their tracking
 * token names. A user who was served in both arms, which is left of the seconds in which nodes learn of a new share, counts
 * in none.
 */
export function armsSql(database: string): string {
  return `
WITH
  served AS
  (
    SELECT request_id, subject_id, arm, length(content_ids) AS items
    FROM ${database}.deliveries FINAL
    WHERE tenant_id = {tenantId:String} AND experiment_id = {experimentId:String}
      AND served_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  ),
  steady AS (SELECT subject_id FROM served GROUP BY subject_id HAVING uniqExact(arm) = 1),
  reactions AS
  (
    SELECT delivery_id,
      uniqExactIf(event_id, kind = 'impression') AS impressions,
      uniqExactIf(event_id, kind = 'click') AS clicks
    FROM ${database}.events
    WHERE tenant_id = {tenantId:String} AND kind IN ('impression', 'click') AND surface = 'feed'
      AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
      AND delivery_id IN (SELECT request_id FROM served)
    GROUP BY delivery_id
  )
SELECT served.arm AS arm,
  uniqExact(served.subject_id) AS users,
  count() AS feeds,
  sum(served.items) AS items,
  sum(reactions.impressions) AS impressions,
  sum(reactions.clicks) AS clicks,
  uniqExactIf(served.subject_id, reactions.clicks > 0) AS users_clicked
FROM served
LEFT JOIN reactions ON reactions.delivery_id = served.request_id
WHERE served.subject_id IN (SELECT subject_id FROM steady)
GROUP BY arm`;
}

export const NO_COUNTS: ArmCounts = {
  users: 0,
  feeds: 0,
  items: 0,
  impressions: 0,
  clicks: 0,
  usersClicked: 0,
};

export function armCounts(row: ArmRow): ArmCounts {
  return {
    users: Number(row.users),
    feeds: Number(row.feeds),
    items: Number(row.items),
    impressions: Number(row.impressions),
    clicks: Number(row.clicks),
    usersClicked: Number(row.users_clicked),
  };
}
