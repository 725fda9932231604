import type {
  DeadLetterReplayAnswered,
  DeadLetterReplayRequested,
} from "@feed/domain/operating-facts";
import type { LogConsumer, LogRecord } from "@feed/event-log";
import { waitUntil } from "@feed/runtime";
import type { ProjectionServices, RunningProjection } from "../project-into.ts";
import { originalOf, readable, readLetters, settleLetter } from "./letters.ts";
import type { Letter, LettersLog } from "./letters.ts";
import { projectionsOf, recordOf, worstOf } from "./replay-letter.ts";
import type { LetterReplay } from "./replay-letter.ts";

const TOPIC = "dead-letters";
const RECORDS_MAX = 500;
const POLL_MS = 50;
/** Projectors hear of a request at once; one that is within a large batch finishes it first. */
const ANSWER_TIMEOUT_MS = 10_000;

/** What came of asking: as `LetterReplay` says, or that no projector that keeps this projection answered in time. */
export type AskedReplay =
  | LetterReplay
  | { readonly outcome: "unanswered"; readonly projection: string };

interface Asking {
  readonly actor: string;
  readonly atMs: number;
  readonly signal: AbortSignal;
  /** Default 10 seconds. */
  readonly timeoutMs?: number;
}

/**
 * Asks the projectors that run to take a letter's record once more, waits for what each of its projections says, and
 * settles the letter where all took it. A letter of a projection that this release doesn't have is refused.
 *
 * Errors: those of the log, and the signal's reason.
 */
export async function askForReplay(
  own: LettersLog,
  letter: Letter,
  { actor, atMs, signal, timeoutMs = ANSWER_TIMEOUT_MS }: Asking,
): Promise<AskedReplay> {
  const projections = projectionsOf(letter);
  if (projections.length === 0) {
    const reason = "this release has no such projection";
    return { outcome: "refused", projection: letter.stage, reason };
  }
  const request = { ...placeOf(letter), letterOffset: letter.id, actor, atMs };
  const requestOffset = await append(own, { type: "dead-letter.replay-requested", ...request });
  const answers = new Map<string, LetterReplay>();
  let next = requestOffset + 1;
  const haveAnswered = async (): Promise<boolean> => {
    const { records, nextOffset } = await own.eventLog.read(TOPIC, 0, next, RECORDS_MAX);
    next = nextOffset;
    for (const fact of factsIn(own, records)) {
      if (fact.type !== "dead-letter.replay-answered" || fact.requestOffset !== requestOffset)
        continue;
      answers.set(fact.projection, replayOf(fact));
    }
    return projections.every((name) => answers.has(name));
  };
  if (!(await waitUntil(haveAnswered, { timeoutMs, pollMs: POLL_MS, signal }))) {
    const projection = projections.find((name) => !answers.has(name)) ?? letter.stage;
    return { outcome: "unanswered", projection };
  }
  const replay = worstOf([...answers.values()]);
  if (replay.outcome === "effective")
    await settleLetter(own, letter, { outcome: "replayed", note: "", actor, atMs });
  return replay;
}

/**
 * Answers requests that come from now on, for the projections and partitions that this process keeps; the members of
 * their groups that keep the others answer for those. Only the version that readers answer from does.
 */
export async function answerReplayRequests(
  projections: readonly Pick<RunningProjection, "projection" | "replay">[],
  services: ProjectionServices,
): Promise<LogConsumer> {
  const [end = 0] = await services.eventLog.endOffsets(TOPIC);
  return services.eventLog.follow({
    topic: TOPIC,
    from: new Map([[0, end]]),
    recordsMax: RECORDS_MAX,
    onBatches: async (batches, signal) => {
      if (services.isLive?.() === false) return;
      for (const record of batches.flatMap(({ records }) => records)) {
        const [fact] = factsIn(services, [record]);
        if (fact?.type !== "dead-letter.replay-requested") continue;
        const request = { ...fact, requestOffset: record.offset };
        await answer(projections, services, request, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          // It can be asked for again; what is projected goes on.
          services.log.error({ err: error, letter: fact.letterOffset }, "a replay failed");
        });
      }
    },
  });
}

async function answer(
  projections: readonly Pick<RunningProjection, "projection" | "replay">[],
  services: ProjectionServices,
  request: DeadLetterReplayRequested & { readonly requestOffset: number },
  signal: AbortSignal,
): Promise<void> {
  const letters = await readLetters(services);
  const letter = letters.find(({ id }) => id === request.letterOffset);
  if (letter === undefined) return;
  const names: readonly string[] = projectionsOf(letter);
  const record = await recordOf(services.eventLog, letter, await originalOf(services, letter));
  for (const { projection, replay } of projections) {
    if (!names.includes(projection)) continue;
    const outcome = said(await replay(record, signal), letter, projection);
    if (outcome === undefined) continue;
    const reason = "reason" in outcome ? outcome.reason : "";
    await append(services, {
      type: "dead-letter.replay-answered",
      ...placeOf(letter),
      requestOffset: request.requestOffset,
      projection,
      outcome: outcome.outcome,
      reason,
      atMs: services.clock.nowMs(),
    });
  }
}

/** Of a record that had its effect in an earlier replay, nothing later stands in the way. */
function said(
  outcome: LetterReplay | undefined,
  { takenBy }: Letter,
  projection: string,
): LetterReplay | undefined {
  if (outcome?.outcome !== "overtaken" || takenBy?.includes(projection) !== true) return outcome;
  return { outcome: "effective" };
}

async function append(
  { eventLog, codec }: LettersLog,
  fact: DeadLetterReplayRequested | DeadLetterReplayAnswered,
): Promise<number> {
  const key = `${fact.sourceTopic}:${fact.sourcePartition}:${fact.sourceOffset}`;
  const value = codec.encode(fact);
  const record = { topic: TOPIC, partition: 0, key, value, timestampMs: fact.atMs } as const;
  const [position] = await eventLog.append([record]);
  if (position === undefined) throw new Error("an append without a position");
  return position.offset;
}

function placeOf({ topic, partition, offset, stage }: Letter) {
  return { sourceTopic: topic, sourcePartition: partition, sourceOffset: offset, stage };
}

function factsIn({ codec }: Pick<LettersLog, "codec">, records: readonly LogRecord[]) {
  return records.flatMap(({ value }) => (value === null ? [] : (readable(codec, value) ?? [])));
}

function replayOf({ outcome, projection, reason }: DeadLetterReplayAnswered): LetterReplay {
  switch (outcome) {
    case "effective":
      return { outcome };
    case "overtaken":
      return { outcome, projection };
    case "refused":
      return { outcome, projection, reason };
  }
}
