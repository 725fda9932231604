import { join } from "node:path";
import { prepareActivity, prepareArticles } from "../installation/prepare.ts";
import { reportOf } from "../child.ts";
import { note, step } from "../progress.ts";
import { atLeast, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import type { RebuildReport } from "./rebuild.main.ts";

const GOAL_PER_SECOND = 20_000;
const MAIN = join(import.meta.dirname, "rebuild.main.ts");

/** Every read model from nothing, all at once as after `feedctl up` on a log alone, in a process of its own. */
export async function measureRebuild(sizes: Sizes): Promise<readonly Result[]> {
  const activity = await withLog(await prepareActivity(sizes), "users and deliveries");
  const articles = await withLog(await prepareArticles(sizes), "articles");
  for (const { projection, events, seconds } of [...activity, ...articles]) {
    if (events > 0) note(`${projection}: ${format(events)} in ${format(seconds)} s`);
  }
  const index = articles.find(({ projection }) => projection === "content-index");
  note(`content index: ${format((index?.events ?? 0) / (index?.seconds ?? 1))} articles/s`);
  const figure = (name: string, of: (projection: string) => boolean): Result => {
    const reports = activity.filter(({ projection }) => of(projection));
    const events = reports.reduce((sum, report) => sum + report.events, 0);
    const seconds = Math.max(...reports.map((report) => report.seconds));
    return atLeast({ name, value: events / seconds, unit: "events/s" }, GOAL_PER_SECOND);
  };
  const { rebuildUserEvents, rebuildDeliveries } = sizes;
  const seconds = Math.max(...activity.map((report) => report.seconds));
  const value = (rebuildUserEvents + rebuildDeliveries) / seconds;
  return [
    atLeast({ name: "rebuild-all", value, unit: "events/s" }, GOAL_PER_SECOND),
    figure("rebuild-read-state", (projection) => projection.startsWith("read-state.")),
    figure("rebuild-activity-store", (projection) => projection.startsWith("activity-store.")),
  ];
}

async function withLog(
  prepared: Awaited<ReturnType<typeof prepareActivity>>,
  what: string,
): Promise<readonly RebuildReport[]> {
  await using owned = prepared;
  // Awaited here: the log must outlive the rebuild.
  return await step(`rebuilding from ${what}`, () =>
    reportOf<readonly RebuildReport[]>(MAIN, [owned.dataDirectory]),
  );
}
