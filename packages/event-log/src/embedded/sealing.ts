import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, constants, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

import type { Topic } from "@feed/domain/topics";

/**
 * Topics whose removed records must be unreadable on disk, not only unlinked (architecture, rule 7).
 *
 * LMDB copies pages when it changes them and leaves the old ones as they were until they are used again, so a
 * removed record can be found in the file for months. These records are therefore stored sealed, each under a
 * key of its own that lies in a second file at a fixed place and is overwritten there, in place.
 */
const SEALED_TOPICS: ReadonlySet<Topic> = new Set<Topic>(["user-keys"]);

const SLOTS_FILE = "user-keys.slots";
const SLOT_BYTES = 32;
const SLOT_NUMBER_BYTES = 6;
const TAG_BYTES = 16;
/** A slot's key seals one record only, so that a fixed nonce is never used twice with a key. */
const NONCE = Buffer.alloc(12);
const EMPTY_SLOT = Buffer.alloc(SLOT_BYTES);

export function isSealed(topic: Topic): boolean {
  return SEALED_TOPICS.has(topic);
}

/** The slot that a sealed record's key is in. */
export function slotOf(sealed: Buffer): number {
  return sealed.readUIntBE(0, SLOT_NUMBER_BYTES);
}

/** The file of one-time keys. Any number of processes may have it open; writing needs LMDB's write lock. */
export class KeySlots implements Disposable {
  readonly #file: number;
  #unsynced = false;

  /** Opens the file in `directory`, creating it when absent. Throws the file system's error. */
  constructor(directory: string) {
    this.#file = openSync(join(directory, SLOTS_FILE), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Seals under a fresh key written to `slot`; call `sync` before what it returns is committed. */
  seal(stored: Buffer, slot: number): Buffer {
    const key = randomBytes(SLOT_BYTES);
    this.#write(slot, key);
    const cipher = createCipheriv("aes-256-gcm", key, NONCE);
    const head = Buffer.alloc(SLOT_NUMBER_BYTES);
    head.writeUIntBE(slot, 0, SLOT_NUMBER_BYTES);
    return Buffer.concat([head, cipher.update(stored), cipher.final(), cipher.getAuthTag()]);
  }

  /** The stored record, or undefined when its key has been overwritten. */
  unseal(sealed: Buffer): Buffer | undefined {
    const key = Buffer.alloc(SLOT_BYTES);
    const bytes = readSync(this.#file, key, 0, SLOT_BYTES, slotOf(sealed) * SLOT_BYTES);
    if (bytes < SLOT_BYTES || key.equals(EMPTY_SLOT)) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", key, NONCE);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const text = decipher.update(sealed.subarray(SLOT_NUMBER_BYTES, sealed.length - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]);
  }

  /** Overwrites a key in place; durable after `sync`. */
  erase(slot: number): void {
    this.#write(slot, EMPTY_SLOT);
  }

  /** Resolves writes to disk. Nothing to do when nothing was written since. */
  sync(): void {
    if (!this.#unsynced) return;
    fdatasyncSync(this.#file);
    this.#unsynced = false;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #write(slot: number, key: Buffer): void {
    this.#unsynced = true;
    let written = 0;
    while (written < SLOT_BYTES) {
      const position = slot * SLOT_BYTES + written;
      written += writeSync(this.#file, key, written, SLOT_BYTES - written, position);
    }
  }
}
