/** What is counted and summed, by name: tables of repeats are counted after them. */
const TOTALS: Readonly<Record<string, string>> = {
  events: "count() FROM {db}.events FINAL",
  "changes of users": "count() FROM {db}.user_changes FINAL",
  "named users": "count() FROM {db}.identities FINAL",
  users:
    "count() FROM (SELECT tenant_id, subject_id FROM {db}.user_states GROUP BY tenant_id, subject_id HAVING max(created) = 1 AND max(deleted) = 0)",
  deliveries: "count() FROM {db}.deliveries FINAL",
  "tenths of credits delivered": "sum(credits_tenths) FROM {db}.deliveries FINAL",
  "usage caps": "count() FROM {db}.usage_caps FINAL",
  articles: "count() FROM {db}.contents FINAL",
  "impressions counted": "uniqExactMerge(impressions) FROM {db}.content_engagement",
  "clicks counted": "uniqExactMerge(clicks) FROM {db}.content_engagement",
  "push jobs": "count() FROM {db}.push_jobs FINAL",
  "articles pushed": "count() FROM {db}.push_sent FINAL",
};

/** One query for all of them, a row each: `name`, `total`. */
export function totalsSql(database: string): string {
  return Object.entries(TOTALS)
    .map(([name, what]) => {
      const [value = "", ...from] = what.replaceAll("{db}", database).split(" FROM ");
      return `SELECT '${name}' AS name, toUInt64(${value}) AS total FROM ${from.join(" FROM ")}`;
    })
    .join(" UNION ALL ");
}
