import { randomFillSync } from "node:crypto";
import type { Clock } from "./clock.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

interface LastId {
  readonly timeMs: number;
  /** 16 digits of base 32, most significant first. */
  readonly digits: Uint8Array;
}

// Order is promised among the ids of one clock.
const lastIds = new WeakMap<Clock, LastId>();

/**
 * A ULID (github.com/ulid/spec): 26 characters of Crockford's base 32, 48 bits of time and 80 of randomness.
 *
 * Ids of one clock ascend, in the same millisecond and when the clock steps back too.
 */
export function newRequestId(clock: Clock): string {
  const nowMs = clock.nowMs();
  const last = lastIds.get(clock);
  const next = last === undefined || nowMs > last.timeMs ? freshId(nowMs) : followingId(last);
  lastIds.set(clock, next);
  return encodeTime(next.timeMs) + Array.from(next.digits, (digit) => CROCKFORD[digit]).join("");
}

function freshId(timeMs: number): LastId {
  const digits = randomFillSync(new Uint8Array(RANDOM_CHARS));
  return { timeMs, digits: digits.map((byte) => byte & 31) };
}

function followingId({ timeMs, digits }: LastId): LastId {
  const next = Uint8Array.from(digits);
  for (let index = RANDOM_CHARS - 1; index >= 0; index -= 1) {
    const digit = (next[index] ?? 0) + 1;
    next[index] = digit & 31;
    if (digit < 32) return { timeMs, digits: next };
  }
  return freshId(timeMs + 1);
}

function encodeTime(timeMs: number): string {
  let text = "";
  let rest = timeMs;
  for (let index = 0; index < TIME_CHARS; index += 1) {
    text = `${CROCKFORD[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}
