import { followReadModelVersions, openLog, type InstallationConfig } from "@feed/engines";
import { createFactCodec } from "@feed/event-codec";
import { groupLags, type PartitionLag } from "@feed/projector";
import { systemClock, type Logger } from "@feed/runtime";
import { followedTopics } from "./followed.ts";

/** How far everything that reads the log of an installation, which may be running, lies behind it. */
export async function readLags(
  installation: InstallationConfig,
  log: Logger,
): Promise<readonly PartitionLag[]> {
  const { eventLog, registry } = await openLog(installation, log);
  await using _log = eventLog;
  const codec = createFactCodec(registry);
  await using versions = await followReadModelVersions({ eventLog, codec });
  return await groupLags(eventLog, followedTopics(versions), systemClock.nowMs());
}
