import { queryActivity, type ActivityQuery } from "@feed/activity-store/reading/query-activity";
import { useActivityEngine, type InstallationConfig } from "@feed/engines";

/** The answer to a SELECT over the live version of the activity store, of an installation that may be running. */
export async function querySql(
  installation: InstallationConfig,
  query: ActivityQuery,
): Promise<string> {
  await using engine = await useActivityEngine(installation, () => undefined);
  const { options = {}, ...endpoint } = engine.endpoint;
  const isEmbedded = installation.engines?.activityStore === undefined;
  return await queryActivity({ endpoint, options, isEmbedded }, query);
}
