import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

export interface Subscription {
  readonly memberId: string;
  readonly topics: readonly Topic[];
}

/**
 * Which partitions of each topic are to be with `memberId`: dealt out in turn to the members that read
 * the topic, in the order of their ids, so that every member works out the same.
 */
export function assignedTo(
  memberId: string,
  members: readonly Subscription[],
): ReadonlyMap<Topic, readonly number[]> {
  const own = members.find((member) => member.memberId === memberId);
  const assigned = new Map<Topic, number[]>();
  for (const topic of own?.topics ?? []) {
    const readers = members
      .filter((member) => member.topics.includes(topic))
      .map((member) => member.memberId)
      .sort();
    const turn = readers.indexOf(memberId);
    const partitions: number[] = [];
    for (let partition = turn; partition < TOPICS[topic].partitions; partition += readers.length) {
      partitions.push(partition);
    }
    assigned.set(topic, partitions);
  }
  return assigned;
}
