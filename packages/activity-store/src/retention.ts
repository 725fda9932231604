/** Tables whose rows may go once they are old, and the time they are counted from. Charges and users never go. */
const AGEING: Readonly<Record<string, string>> = {
  events: "toDateTime(received_at)",
  content_engagement: "day",
};

/**
 * Statements after which old rows are removed, none where that is so already: changing it makes the server look at
 * every row again. `engines` is each table's definition as the server tells it.
 */
export function retentionStatements(
  database: string,
  engines: ReadonlyMap<string, string>,
  keepMonths: number,
): readonly string[] {
  return Object.entries(AGEING)
    .filter(([table]) => engines.get(table)?.includes(`toIntervalMonth(${keepMonths})`) !== true)
    .map(
      ([table, time]) =>
        `ALTER TABLE ${database}.${table} MODIFY TTL ${time} + INTERVAL ${keepMonths} MONTH`,
    );
}
