import { prepareReaders } from "../installation/prepare.ts";
import { step } from "../progress.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { measureFeedOnEngines } from "./feed.ts";
import { moveToEngines } from "./installation.ts";
import { measureProduce } from "./produce.ts";
import { measureRebuildOnEngines } from "./rebuild.ts";

/** One installation on the engines: an API node and a projector as processes of their own. */
export async function measureServing(sizes: Sizes): Promise<readonly Result[]> {
  await using installation = await moveToEngines(await prepareReaders(sizes));
  const { watch } = installation;
  const projector = await installation.start("projector");
  const api = await step("projecting everything", async () => {
    const started = await installation.start("api");
    await watch.untilCaughtUp("contents");
    await watch.untilCaughtUp("users");
    await watch.untilCaughtUp("deliveries");
    return started;
  });
  const feed = await measureFeedOnEngines(installation, api, sizes);
  const rebuild = await measureRebuildOnEngines(installation, api, sizes);
  // Last, and alone: what it appends is projected by nobody, as on a machine that only serves the API.
  await projector.stop("SIGTERM");
  return [...feed, ...rebuild, ...(await measureProduce(installation, api, sizes))];
}
