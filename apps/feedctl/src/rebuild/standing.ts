import { ACTIVITY_TOPICS, ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import type { ReadModel } from "@feed/domain/read-models";
import type { Topic } from "@feed/domain/topics";
import type { WritableVersion } from "@feed/engines";
import { LogRejected, LogUnavailable, type EventLog } from "@feed/event-log";
import { projectorGroup } from "@feed/projector/projections";
import { READ_STATE_PROJECTIONS, ReadStateUnavailable } from "@feed/read-state";
import { retry } from "@feed/runtime";

/** Engines that are busy with a rebuild answer late now and then: hours of reading do not end with that. */
const ASKING = { attemptsMax: 12, firstDelayMs: 250, delayMsMax: 5_000 };
const UNAVAILABLE = [
  LogUnavailable,
  ContentIndexUnavailable,
  ReadStateUnavailable,
  ActivityStoreUnavailable,
];

/** Next offsets by topic and partition. */
export type Standing = ReadonlyMap<string, number>;

/** The topics that a read model is made of, one projection each. */
export const TOPICS_OF: Readonly<Record<ReadModel, readonly Topic[]>> = {
  "content-index": ["contents"],
  "read-state": READ_STATE_PROJECTIONS,
  "activity-store": ACTIVITY_TOPICS,
};

/** What a version has passed. */
export function standingOf(version: WritableVersion): Promise<Standing> {
  return patiently(() => askStanding(version));
}

async function askStanding({
  readState,
  contentIndex,
  activityStore,
}: WritableVersion): Promise<Standing> {
  if (contentIndex !== undefined)
    return joined([["contents", await contentIndex.index.positions()]]);
  if (readState !== undefined)
    return joined(
      await Promise.all(
        READ_STATE_PROJECTIONS.map(
          async (topic) => [topic, await readState.positions(topic)] as const,
        ),
      ),
    );
  if (activityStore !== undefined)
    return joined(
      await Promise.all(
        ACTIVITY_TOPICS.map(
          async (topic) => [topic, await activityStore.positions(topic)] as const,
        ),
      ),
    );
  return new Map();
}

/** The ends of the log, as far as a read model is made of it. */
export async function endsFor(
  readModel: ReadModel,
  eventLog: Pick<EventLog, "endOffsets">,
): Promise<Standing> {
  const ends = await Promise.all(
    TOPICS_OF[readModel].map(async (topic) => {
      const offsets = await patiently(() => eventLog.endOffsets(topic));
      return [topic, new Map(offsets.entries())] as const;
    }),
  );
  return joined(ends);
}

/** Records of `wanted` that were passed, and all of them. */
export function passed(wanted: Standing, reached: Standing): { done: number; total: number } {
  let [done, total] = [0, 0];
  for (const [place, offset] of wanted) {
    total += offset;
    done += Math.min(offset, reached.get(place) ?? 0);
  }
  return { done, total };
}

export function covers(reached: Standing, wanted: Standing): boolean {
  const { done, total } = passed(wanted, reached);
  return done === total;
}

/** Whether a projector keeps a version: its groups have members. */
export async function isFollowed(
  eventLog: Pick<EventLog, "committed" | "resetOffsets">,
  readModel: ReadModel,
  version: number,
): Promise<boolean> {
  const [topic] = TOPICS_OF[readModel] as [Topic];
  const name = readModel === "content-index" ? readModel : `${readModel}.${topic}`;
  const group = projectorGroup(name, version);
  const offsets = await patiently(() => eventLog.committed(group, topic));
  if (offsets.size === 0) return false;
  try {
    // To what they are already: it is taken only while there are no members.
    await patiently(() => eventLog.resetOffsets(group, topic, offsets));
    return false;
  } catch (error) {
    if (error instanceof LogRejected) return true;
    throw error;
  }
}

function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  const isTransient = (error: unknown) => UNAVAILABLE.some((known) => error instanceof known);
  return retry(ask, { ...ASKING, isTransient, signal: new AbortController().signal });
}

function joined(
  parts: readonly (readonly [Topic, ReadonlyMap<number, number>])[],
): ReadonlyMap<string, number> {
  return new Map(
    parts.flatMap(([topic, offsets]) =>
      Array.from(offsets, ([partition, offset]) => [`${topic} ${partition}`, offset] as const),
    ),
  );
}
