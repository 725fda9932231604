import type {
  DeadLetter,
  DeadLetterReplayAnswered,
  DeadLetterReplayRequested,
  DeadLetterSettled,
} from "@feed/domain/operating-facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { projectionsOf } from "./replay-letter.ts";

const TOPIC = "dead-letters";
const RECORDS_PER_READ_MAX = 500;

export type Settlement = Pick<DeadLetterSettled, "outcome" | "note" | "actor" | "atMs">;

/** A record that a consumer gave up, without its bytes. */
export interface Letter {
  /** Its offset in `dead-letters`, where it came several times the first. */
  readonly id: number;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** `decode`, or the projection that gave up. */
  readonly stage: string;
  readonly reason: string;
  readonly atMs: number;
  readonly bytes: number;
  /** Why the latest replay that projectors were asked for left it open; absent: there was none. */
  readonly refusedReplay?: RefusedReplay;
  /** Projections that said of a replay that the record has its effect in them; absent: none. */
  readonly takenBy?: readonly string[];
  /** Absent: nobody has done anything about it. */
  readonly settled?: Settlement;
}

export interface RefusedReplay extends Pick<
  DeadLetterReplayAnswered,
  "projection" | "reason" | "atMs"
> {
  readonly outcome: "refused" | "overtaken";
}

export interface LettersLog {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
}

interface Fold {
  readonly letters: Letter[];
  /** Index in `letters` by name. */
  readonly open: Map<string, number>;
  /** Who asked for a replay and when, by the offset of the request. */
  readonly requests: Map<number, Pick<Settlement, "actor" | "atMs">>;
  /** The latest settlement by answers, by name. */
  readonly answered: Map<string, Settlement>;
}

/**
 * Every dead letter with what became of it, oldest first. One that came again, because its consumer was killed before
 * it went on, is one letter; one that comes after it was settled is another. A letter is settled also by what its
 * projections say of replays: who asked may have stopped waiting before the last one did.
 *
 * Errors: those of the log.
 */
export async function readLetters({
  eventLog,
  codec,
}: Pick<LettersLog, "codec"> & {
  readonly eventLog: Pick<EventLog, "read">;
}): Promise<readonly Letter[]> {
  const fold: Fold = { letters: [], open: new Map(), requests: new Map(), answered: new Map() };
  for (let from = 0; ;) {
    const { records, nextOffset } = await eventLog.read(TOPIC, 0, from, RECORDS_PER_READ_MAX);
    if (records.length === 0) return fold.letters;
    for (const { value, offset } of records) {
      const fact = value === null ? undefined : readable(codec, value);
      if (fact?.type === "dead-letter") addLetter(fold, fact, offset);
      else if (fact?.type === "dead-letter.settled") settle(fold, fact);
      else if (fact?.type === "dead-letter.replay-requested") addRequest(fold, fact, offset);
      else if (fact?.type === "dead-letter.replay-answered") addAnswer(fold, fact);
    }
    from = nextOffset;
  }
}

/** The bytes of a letter's record, as they were read. */
export async function originalOf(
  { eventLog, codec }: LettersLog,
  { id }: Pick<Letter, "id">,
): Promise<Uint8Array> {
  const { records } = await eventLog.read(TOPIC, 0, id, 1);
  const fact = records[0]?.value && codec.decode(records[0].value);
  if (!fact || fact.type !== "dead-letter") throw new RangeError(`there is no dead letter ${id}`);
  return fact.original;
}

/** Appends what became of a letter; resolves when that is durable. */
export async function settleLetter(
  { eventLog, codec }: LettersLog,
  { topic, partition, offset, stage }: Letter,
  settlement: Settlement,
): Promise<void> {
  const place = { sourceTopic: topic, sourcePartition: partition, sourceOffset: offset, stage };
  const value = codec.encode({ type: "dead-letter.settled", ...place, ...settlement });
  const key = `${topic}:${partition}:${offset}`;
  const timestampMs = settlement.atMs;
  await eventLog.append([{ topic: TOPIC, partition: 0, key, value, timestampMs }]);
}

function addLetter({ letters, open }: Fold, fact: DeadLetter, id: number): void {
  const name = nameOf(fact);
  if (open.has(name)) return;
  const { sourceTopic: topic, sourcePartition: partition, sourceOffset: offset } = fact;
  const { stage, reason, atMs, original } = fact;
  const letter = { id, topic, partition, offset, stage, reason, atMs, bytes: original.length };
  open.set(name, letters.push(letter) - 1);
}

function settle({ letters, open, answered }: Fold, fact: DeadLetterSettled): void {
  const name = nameOf(fact);
  // Who asked says it again, after the answers. A letter that came in between is another.
  const said = answered.get(name);
  if (fact.outcome === said?.outcome && fact.actor === said.actor && fact.atMs === said.atMs)
    return;
  const at = open.get(name);
  const letter = at === undefined ? undefined : letters[at];
  if (at === undefined || letter === undefined) return;
  const { outcome, note, actor, atMs } = fact;
  letters[at] = { ...letter, settled: { outcome, note, actor, atMs } };
  open.delete(name);
}

function addRequest({ requests }: Fold, fact: DeadLetterReplayRequested, offset: number): void {
  const { actor, atMs } = fact;
  requests.set(offset, { actor, atMs });
}

function addAnswer(fold: Fold, fact: DeadLetterReplayAnswered): void {
  const { letters, open } = fold;
  const name = nameOf(fact);
  const at = open.get(name);
  const letter = at === undefined ? undefined : letters[at];
  if (at === undefined || letter === undefined) return;
  const { outcome, projection, reason, atMs } = fact;
  if (outcome !== "effective") {
    letters[at] = { ...letter, refusedReplay: { outcome, projection, reason, atMs } };
    return;
  }
  const takenBy = [...new Set([...(letter.takenBy ?? []), projection])];
  const isTaken = projectionsOf(letter).every((each) => takenBy.includes(each));
  const asked = fold.requests.get(fact.requestOffset);
  if (!isTaken || asked === undefined) {
    letters[at] = { ...letter, takenBy };
    return;
  }
  const settled = { outcome: "replayed", note: "", ...asked } as const;
  letters[at] = { ...letter, takenBy, settled };
  fold.answered.set(name, settled);
  open.delete(name);
}

function nameOf({
  sourceTopic,
  sourcePartition,
  sourceOffset,
  stage,
}: Pick<DeadLetter, "sourceTopic" | "sourcePartition" | "sourceOffset" | "stage">): string {
  return `${sourceTopic}:${sourcePartition}:${sourceOffset}\n${stage}`;
}

/** Undefined: what a newer build wrote here says nothing about what this one knows. */
export function readable(codec: FactCodec, value: Uint8Array) {
  try {
    return codec.decode(value);
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}
