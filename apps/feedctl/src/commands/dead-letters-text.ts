import type { Letter } from "@feed/projector/dead-letters/letters";
import type { ReplayedLetter, ShownLetter } from "../dead-letters-role.ts";
import { textTable } from "./text-table.ts";

const REASON_CHARS_SHOWN = 70;

/** A letter as JSON: names as in the API. */
export function presentLetter(letter: Letter) {
  const { id, topic, partition, offset, stage, reason, atMs, bytes, settled } = letter;
  return {
    id,
    topic,
    partition,
    offset,
    stage,
    reason,
    at: timeText(atMs),
    bytes,
    settled: settled && {
      outcome: settled.outcome,
      note: settled.note,
      actor: settled.actor,
      at: timeText(settled.atMs),
    },
  };
}

export function letterTable(letters: readonly Letter[]): string {
  if (letters.length === 0) return "No dead letters.";
  const rows = letters.map(({ id, topic, partition, offset, stage, reason, atMs, settled }) => [
    String(id),
    `${topic} ${partition} ${offset}`,
    stage,
    timeText(atMs),
    settled?.outcome ?? "open",
    reason.length > REASON_CHARS_SHOWN ? `${reason.slice(0, REASON_CHARS_SHOWN)}…` : reason,
  ]);
  return textTable([["ID", "RECORD", "GIVEN UP BY", "AT", "STATE", "REASON"], ...rows]);
}

export function shownLines({ letter, fact, personal, undecoded }: ShownLetter): readonly string[] {
  const { id, topic, partition, offset, stage, reason, atMs, bytes, settled } = letter;
  return [
    `Dead letter ${id}`,
    `  record       ${topic}, partition ${partition}, offset ${offset}; ${bytes} bytes`,
    `  given up by  ${stage}, at ${timeText(atMs)}`,
    `  reason       ${reason}`,
    settled === undefined
      ? "  state        open"
      : `  state        ${settled.outcome} at ${timeText(settled.atMs)} by ${settled.actor}${settled.note === "" ? "" : `: ${settled.note}`}`,
    ...(personal === "none" ? [] : [`  personal     ${PERSONAL[personal]}`]),
    ...(undecoded === undefined
      ? []
      : [`  undecoded    ${undecoded.reason}`, `  base64       ${undecoded.bytesBase64}`]),
    ...(fact === undefined ? [] : ["", JSON.stringify(withoutBytes(fact), null, 2)]),
  ];
}

const PERSONAL = {
  opened: "opened with the subject's key",
  sealed: "sealed: there is no key that opens it, as after the deletion of a user",
} as const;

export function presentShown({ letter, fact, personal, undecoded }: ShownLetter) {
  return {
    ...presentLetter(letter),
    personal,
    fact: fact && withoutBytes(fact),
    undecoded: undecoded && { reason: undecoded.reason, bytes_base64: undecoded.bytesBase64 },
  };
}

export function replayLine([{ id }, replay]: ReplayedLetter): string {
  switch (replay.outcome) {
    case "effective":
      return `${id}: replayed`;
    case "refused":
      return `${id}: ${replay.projection} refuses it still: ${replay.reason}`;
    case "overtaken":
      return `${id}: ${replay.projection} has later records in its place: feedctl verify says whether it is missing; then a rebuild takes it in`;
    case "unanswered":
      return `${id}: no projector that keeps ${replay.projection} answered: feedctl lag says whether it is at work`;
  }
}

export function presentReplay([{ id }, replay]: ReplayedLetter) {
  return { id, ...replay };
}

/** Vectors and sealed fields as how many bytes they are. */
function withoutBytes(fact: object): unknown {
  return JSON.parse(
    JSON.stringify(fact, (_name, value: unknown) =>
      value instanceof Float32Array || isBytes(value) ? bytesText(value) : value,
    ),
  );
}

/** A Buffer comes here as what its `toJSON` makes of it. */
function isBytes(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
}

function bytesText(value: Float32Array | { readonly data: readonly number[] }): string {
  return value instanceof Float32Array ? `${value.length} numbers` : `${value.data.length} bytes`;
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
