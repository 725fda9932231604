import type { Keyring } from "@feed/signing";

/** Where a walk through a feed stands. */
export interface WalkPosition {
  /** The ranked list being walked. */
  readonly listId: string;
  /** Index into that list of the next item to look at. */
  readonly next: number;
  /** `hash32` of every item shown so far: outlives the list (decisions, "Feed"). */
  readonly shown: readonly number[];
}

const LIST_ID_BYTES = 16;
const HEADER_BYTES = LIST_ID_BYTES + 2;
const HASH_BYTES = 4;

/** Cursor of a position: list id (16 bytes, hex outside), next (2), a hash (4) for each item shown; signed. */
export function sealWalk(
  keyring: Pick<Keyring, "sealCursor">,
  position: WalkPosition,
  binding: string,
): string {
  const payload = Buffer.alloc(HEADER_BYTES + HASH_BYTES * position.shown.length);
  payload.write(position.listId, 0, LIST_ID_BYTES, "hex");
  payload.writeUInt16BE(position.next, LIST_ID_BYTES);
  position.shown.forEach((hash, at) => payload.writeUInt32BE(hash, HEADER_BYTES + HASH_BYTES * at));
  return keyring.sealCursor(payload, binding);
}

/** Undefined for a cursor that was changed or belongs to another tenant, user, scenario or filter. */
export function openWalk(
  keyring: Pick<Keyring, "openCursor">,
  cursor: string,
  binding: string,
): WalkPosition | undefined {
  const bytes = keyring.openCursor(cursor, binding);
  if (bytes === undefined || bytes.length < HEADER_BYTES) return undefined;
  const payload = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shown: number[] = [];
  for (let at = HEADER_BYTES; at + HASH_BYTES <= payload.length; at += HASH_BYTES) {
    shown.push(payload.readUInt32BE(at));
  }
  return {
    listId: payload.toString("hex", 0, LIST_ID_BYTES),
    next: payload.readUInt16BE(LIST_ID_BYTES),
    shown,
  };
}
