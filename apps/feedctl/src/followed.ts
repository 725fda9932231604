import type { VersionsFollower } from "@feed/engines/read-model-versions";
import { followedByProjectors, type FollowedTopic } from "@feed/projector/lag";
import { readModelOf } from "@feed/projector/projections";
import { PUSH_GROUPS } from "@feed/push/groups";
import { WEBHOOK_GROUP } from "@feed/webhooks/groups";

/** Every consumer group of the service that works off a topic, as long as these versions of read models are kept. */
export function followedTopics(versions: Pick<VersionsFollower, "of">): readonly FollowedTopic[] {
  return [
    ...followedByProjectors((projection) => versions.of(readModelOf(projection)).kept),
    PUSH_GROUPS.coordinators,
    PUSH_GROUPS.workers,
    WEBHOOK_GROUP,
  ];
}
