import type { ContentId, SourceId, UserId } from "@feed/domain/ids";
import type {
  CountedSessionStart,
  InterestMark,
  UserProperties,
  UserState,
} from "@feed/domain/user";
import { Packr } from "msgpackr";
import type { UserRecord } from "./port.ts";

/**
 * A user's row: one byte of kind, the offset as a double, then the state as one flat MessagePack array, so that an
 * offset is read without unpacking and no field name is stored 100,000 times.
 */
const KIND_USER = 1;
const KIND_FORGOTTEN = 0;
const HEADER_BYTES = 9;

type UserFields = readonly [
  userId: UserId,
  properties: UserProperties,
  followedSources: readonly SourceId[],
  blockedSources: readonly SourceId[],
  totalSessions: number,
  lastActiveAtMs: number | null,
  firstEventAtMs: number | null,
  createdAtMs: number,
  updatedAtMs: number,
  createdOffset: number,
  rankingOffset: number,
  interests: readonly (string | number)[],
  countedSessionStarts: readonly (string | number)[],
];

const packr = new Packr({ useRecords: false });

export function forgottenRow(offset: number): Buffer {
  return header(KIND_FORGOTTEN, offset);
}

export function userRow(state: UserState, offset: number): Buffer {
  const fields: UserFields = [
    state.userId,
    state.properties,
    state.followedSources,
    state.blockedSources,
    state.totalSessions,
    state.lastActiveAtMs,
    state.firstEventAtMs,
    state.createdAtMs,
    state.updatedAtMs,
    state.createdOffset,
    state.rankingOffset,
    flatInterests(state.interests),
    flatStarts(state.countedSessionStarts),
  ];
  return Buffer.concat([header(KIND_USER, offset), packr.pack(fields)]);
}

export interface RowHead {
  readonly forgotten: boolean;
  /** Of the fact that last changed the row. */
  readonly offset: number;
}

/** `row` may be LMDB's shared buffer. */
export function rowHead(row: Buffer): RowHead {
  return { forgotten: row[0] === KIND_FORGOTTEN, offset: row.readDoubleLE(1) };
}

/** `row` may be LMDB's shared buffer: nothing of the result refers to it. */
export function userOfRow(row: Buffer): UserRecord {
  const { forgotten, offset } = rowHead(row);
  if (forgotten) return { kind: "forgotten", offset };
  const fields = packr.unpack(row, { start: HEADER_BYTES, end: row.length }) as UserFields;
  const state: UserState = {
    userId: fields[0],
    properties: fields[1],
    followedSources: fields[2],
    blockedSources: fields[3],
    totalSessions: fields[4],
    lastActiveAtMs: fields[5],
    firstEventAtMs: fields[6],
    createdAtMs: fields[7],
    updatedAtMs: fields[8],
    createdOffset: fields[9],
    rankingOffset: fields[10],
    interests: interestsOf(fields[11]),
    countedSessionStarts: startsOf(fields[12]),
  };
  return { kind: "user", state, offset };
}

function header(kind: number, offset: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES);
  bytes[0] = kind;
  bytes.writeDoubleLE(offset, 1);
  return bytes;
}

// Loops, not flatMap: these run for every change of every user.
function flatInterests(interests: readonly InterestMark[]): readonly (string | number)[] {
  const flat: (string | number)[] = [];
  for (const { contentId, weight, atMs } of interests) flat.push(contentId, weight, atMs);
  return flat;
}

function flatStarts(starts: readonly CountedSessionStart[]): readonly (string | number)[] {
  const flat: (string | number)[] = [];
  for (const { eventId, receivedAtMs } of starts) flat.push(eventId, receivedAtMs);
  return flat;
}

function interestsOf(flat: readonly (string | number)[]): readonly InterestMark[] {
  const marks: InterestMark[] = [];
  for (let index = 0; index < flat.length; index += 3) {
    marks.push({
      contentId: flat[index] as ContentId,
      weight: flat[index + 1] as number,
      atMs: flat[index + 2] as number,
    });
  }
  return marks;
}

function startsOf(flat: readonly (string | number)[]): readonly CountedSessionStart[] {
  const starts: CountedSessionStart[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    starts.push({ eventId: flat[index] as string, receivedAtMs: flat[index + 1] as number });
  }
  return starts;
}
