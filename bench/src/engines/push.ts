import { preparePush } from "../installation/prepare.ts";
import { runJob, saveScenario } from "../parts/push-job.ts";
import { step } from "../progress.ts";
import { atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { moveToEngines } from "./installation.ts";

const JOB_SECONDS_MAX = 150;

/** A push job over every user, from POST to completed: an API node, a projector and a push worker. */
export async function measurePushOnEngines(sizes: Sizes): Promise<readonly Result[]> {
  await using installation = await moveToEngines(await preparePush(sizes));
  const { watch, dataDirectory, apiKey, start } = installation;
  const users = sizes.pushUsers;
  await start("projector");
  const { listening: baseUrl } = await start("api");
  await step("projecting articles and clicks", async () => {
    await watch.untilCaughtUp("contents");
    await watch.untilCaughtUp("users");
  });
  await start("push", { PUBLIC_URL: baseUrl });
  await saveScenario({ baseUrl }, dataDirectory);
  const startMs = performance.now();
  await step(`a job for ${format(users)} users`, () => runJob({ baseUrl }, apiKey, { users }));
  const value = (performance.now() - startMs) / 1_000;
  return [atMost({ name: "engines-push-job", value, unit: "s" }, JOB_SECONDS_MAX)];
}
