import type { Topic } from "@feed/domain/topics";
import type { PartitionBatch } from "@feed/event-log";
import type { Folded, Placed } from "@feed/projections";

/** One record read: a fact, or why there is none to be had from it. */
export type Decoded<Fact> =
  | Placed<Fact>
  | { readonly unreadable: string; readonly partition: number; readonly offset: number };

/** One topic on its way into one read model. */
export interface ProjectionTarget<Fact, Change> {
  /** Names the consumer group and, in dead letters, who gave up. */
  readonly name: string;
  readonly topic: Topic;
  /** How long a batch may wait for more records once it has one. */
  readonly lingerMs: number;
  /** Records of one batch; absent: as many as the projector takes at most. */
  readonly recordsMax?: number;
  /** When what a fact brings to readers was published, if it brings something new: how fresh it is is measured. */
  publishedAtMs?(fact: Fact): number | undefined;
  /** Of several targets that read a topic, one reports what nobody can decode. */
  readonly reportsUnreadable: boolean;
  /** One outcome for each record, in order. */
  decode(batch: PartitionBatch): Promise<readonly Decoded<Fact>[]>;
  /** What the facts change, from what the store holds now. */
  fold(facts: readonly Placed<Fact>[]): Promise<Folded<Fact, Change>>;
  /** Partition to next offset, as the store has it: the checkpoint. */
  positions(): Promise<ReadonlyMap<number, number>>;
  apply(changes: readonly Change[], positions: ReadonlyMap<number, number>): Promise<void>;
  /** Whether the store will take the same call later. */
  isUnavailable(error: unknown): boolean;
  /** Whether a change can never be taken: its fact goes to the dead letters, the others go on. */
  isRefusal(error: unknown): boolean;
}
