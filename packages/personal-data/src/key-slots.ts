import { closeSync, constants, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { WRAPPED_KEY_BYTES } from "./sealing.ts";

const FILE_NAME = "wrapped-keys";
const SLOT_BYTES = 64;
const OWNER_ONLY = 0o600;
const ERASED = Buffer.alloc(WRAPPED_KEY_BYTES, 0);
const DAMAGED = Buffer.alloc(WRAPPED_KEY_BYTES, 0xff);

/** `erased`: the key is gone; `damaged`: its record in the log could not be read. */
export type Slot = Uint8Array | "erased" | "damaged";

/**
 * Wrapped keys at fixed places of a file, one for each record of `user-keys`.
 *
 * They are kept out of LMDB because it copies a page to change it and leaves the old one as it was: a deleted
 * key could be found there for months. Here it is overwritten in place (architecture rule 7). Writing needs
 * LMDB's write lock.
 */
export class KeySlots implements Disposable {
  readonly #file: number;

  /** Opens or creates the file. Throws the file system's error. */
  constructor(directory: string) {
    const flags = constants.O_RDWR | constants.O_CREAT;
    this.#file = openSync(join(directory, FILE_NAME), flags, OWNER_ONLY);
  }

  read(partition: number, offset: number): Slot {
    const slot = Buffer.allocUnsafe(WRAPPED_KEY_BYTES);
    const bytes = readSync(this.#file, slot, 0, WRAPPED_KEY_BYTES, placeOf(partition, offset));
    if (bytes < WRAPPED_KEY_BYTES || slot.equals(ERASED)) return "erased";
    return slot.equals(DAMAGED) ? "damaged" : slot;
  }

  write(partition: number, offset: number, slot: Slot): void {
    const bytes = typeof slot === "string" ? (slot === "erased" ? ERASED : DAMAGED) : slot;
    // Shorter writes than asked for happen on full disks only, and then the next one throws.
    let written = 0;
    while (written < bytes.length) {
      const place = placeOf(partition, offset) + written;
      written += writeSync(this.#file, bytes, written, bytes.length - written, place);
    }
  }

  /** Returns when all writes are on disk. */
  sync(): void {
    fdatasyncSync(this.#file);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** Offsets of all partitions grow alike, so interleaving them leaves few holes. */
function placeOf(partition: number, offset: number): number {
  return (offset * USER_PARTITIONS + partition) * SLOT_BYTES;
}
