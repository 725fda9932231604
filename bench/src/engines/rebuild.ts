import type { ReadModel } from "@feed/domain/read-models";
import type { FeedctlProcess } from "@feed/test-kit/service-process";
import { userIdOf } from "../installation/append-activity.ts";
import { drive } from "../load/drive.ts";
import type { DriveResult } from "../load/drive.ts";
import { summarise } from "../load/latencies.ts";
import { requestWriter } from "../load/requests.ts";
import { note, step } from "../progress.ts";
import { atLeast, atLeastShareOf, atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import { portOf } from "./installation.ts";
import type { EnginesInstallation } from "./installation.ts";

const GOAL_PER_SECOND = 10_000;
const CONNECTIONS = 16;
/** Slower by less than half. */
const FEED_RATE_SHARE = 0.5;

interface Rebuilt {
  readonly built: { readonly records: number; readonly records_per_second: number };
}

/** `feedctl rebuild` of what users and deliveries make, alone and then under feed traffic, which it must not disturb. */
export async function measureRebuildOnEngines(
  installation: EnginesInstallation,
  api: FeedctlProcess,
  sizes: Sizes,
): Promise<readonly Result[]> {
  const rate = async (readModel: ReadModel): Promise<Result> => {
    const value = await rebuild(installation, readModel);
    return atLeast(
      { name: `engines-rebuild-${readModel}`, value, unit: "events/s" },
      GOAL_PER_SECOND,
    );
  };
  const rates = [await rate("activity-store"), await rate("read-state")];
  const endMs = performance.now() + sizes.enginesFeedsMs;
  const idle = await step("feeds without a rebuild", () =>
    feedsWhile(installation, api, sizes, () => performance.now() < endMs),
  );
  let isDone = false;
  const rebuilding = rebuild(installation, "read-state").finally(() => (isDone = true));
  const busy = await feedsWhile(installation, api, sizes, () => !isDone);
  await rebuilding;
  note(`feeds without a rebuild ${described(idle)}; during one ${described(busy)}`);
  const lost = idle.failed + busy.failed;
  if (lost > 0) note(`first failure: ${idle.firstFailure ?? busy.firstFailure}`);
  const figure = {
    name: "engines-feed-rate-rebuilding",
    value: busy.perSecond,
    unit: "requests/s",
  };
  return [
    ...rates,
    atMost({ name: "engines-feeds-lost-rebuilding", value: lost, unit: "requests" }, 0),
    atLeastShareOf(figure, idle.perSecond, FEED_RATE_SHARE),
  ];
}

/** Builds the next version, switches to it and drops the former one; records a second of the building. */
async function rebuild(installation: EnginesInstallation, readModel: ReadModel): Promise<number> {
  const { stdout } = await step(`rebuilding ${readModel}`, () =>
    installation.run("rebuild", readModel, "--json"),
  );
  const { built } = JSON.parse(stdout) as Rebuilt;
  note(`${format(built.records)} records, ${format(built.records_per_second)}/s`);
  await installation.run("rebuild", readModel, "--drop-previous");
  return built.records_per_second;
}

function feedsWhile(
  { apiKey }: EnginesInstallation,
  api: FeedctlProcess,
  { users }: Sizes,
  isGoingOn: () => boolean,
): Promise<DriveResult> {
  const requests = Array.from({ length: users }, (_, user) =>
    requestWriter(apiKey).feed(userIdOf(user)),
  );
  return drive({
    port: portOf(api),
    connections: CONNECTIONS,
    expectedStatus: 200,
    next: (index) => (isGoingOn() ? { request: requests[index % users]! } : undefined),
  });
}

function described({ perSecond, answered, latenciesMs }: DriveResult): string {
  const { p50Ms, p99Ms } = summarise(latenciesMs);
  return `${format(answered)} at ${format(perSecond)}/s, p50 ${format(p50Ms)} ms, p99 ${format(p99Ms)} ms`;
}
