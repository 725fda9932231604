import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Keyring } from "@feed/signing";
import { removeAbandoned, removeExpired } from "./embedded/sweeping.ts";
import { checkedSegments } from "./keys.ts";
import {
  ObjectRejected,
  ObjectStoreUnavailable,
  PRESIGN_MS_MAX,
  type ExpiryDays,
  type ListedObject,
  type ObjectStore,
  type PresignOptions,
  type StoredObject,
} from "./port.ts";

/** In front of every file: what is known of the object, as JSON padded with spaces. */
const HEADER_BYTES = 512;
const ETAG_CHARS = 32;
const UNFINISHED_FOLDER = "unfinished";
const OBJECTS_FOLDER = "objects";
const SWEEP_EVERY_MS = 3_600_000;

export interface EmbeddedObjectStoreOptions {
  readonly directory: string;
  readonly keyring: Pick<Keyring, "signPath">;
  readonly clock: { nowMs(): number };
  /** Where `/objects/…` of this installation is reached from outside. */
  readonly baseUrl: () => string;
  /** Swept when it is opened and once an hour. */
  readonly expiryDays?: ExpiryDays;
}

/**
 * Objects as files below a directory. An object is written beside and renamed into place, so that it is there
 * whole or not at all, whatever ends the process.
 */
export async function openEmbeddedObjectStore(
  options: EmbeddedObjectStoreOptions,
): Promise<ObjectStore> {
  try {
    await mkdir(join(options.directory, UNFINISHED_FOLDER), { recursive: true });
    await mkdir(join(options.directory, OBJECTS_FOLDER), { recursive: true });
    await sweep(options);
  } catch (error) {
    throw unavailable(options.directory, error);
  }
  return new DirectoryObjectStore(options);
}

async function sweep(options: EmbeddedObjectStoreOptions): Promise<void> {
  const { directory, expiryDays = {} } = options;
  const nowMs = options.clock.nowMs();
  await removeAbandoned(join(directory, UNFINISHED_FOLDER), nowMs);
  await removeExpired(join(directory, OBJECTS_FOLDER), expiryDays, nowMs);
}

class DirectoryObjectStore implements ObjectStore {
  readonly #options: EmbeddedObjectStoreOptions;
  readonly #sweeper: NodeJS.Timeout;
  #sweeping: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: EmbeddedObjectStoreOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => {
      // What keeps it from sweeping is told by calls that write; the next sweep makes up for it.
      this.#sweeping = sweep(options).catch(() => undefined);
    }, SWEEP_EVERY_MS);
    this.#sweeper.unref();
  }

  async put(key: string, body: Uint8Array | Readable, contentType: string): Promise<StoredObject> {
    const target = this.#pathOf(key);
    const unfinished = join(
      this.#options.directory,
      UNFINISHED_FOLDER,
      randomBytes(12).toString("hex"),
    );
    try {
      const object = await writeObject(unfinished, key, body, contentType);
      await mkdir(dirname(target), { recursive: true });
      await rename(unfinished, target);
      return object;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw unavailable(this.#options.directory, error);
    }
  }

  async get(key: string) {
    const opened = await this.#open(key);
    if (opened === undefined) return undefined;
    // Of the same file: another that is put in its place meanwhile is another object.
    return { object: opened.object, body: opened.file.createReadStream({ start: HEADER_BYTES }) };
  }

  async head(key: string): Promise<StoredObject | undefined> {
    const opened = await this.#open(key);
    await opened?.file.close();
    return opened?.object;
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await rm(path, { force: true }).catch((error) => {
      throw unavailable(this.#options.directory, error);
    });
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    this.#assertOpen();
    const root = join(this.#options.directory, OBJECTS_FOLDER);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const keys = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((key) => key.startsWith(prefix))
      .toSorted();
    for (const key of keys) {
      const object = await this.head(key);
      if (object !== undefined) yield { key, bytes: object.bytes };
    }
  }

  async presignGet(key: string, { expiresInMs, downloadName }: PresignOptions): Promise<string> {
    this.#pathOf(key);
    if (expiresInMs <= 0 || expiresInMs > PRESIGN_MS_MAX) {
      throw new ObjectRejected(
        `an address can be valid for up to ${PRESIGN_MS_MAX} ms, not ${expiresInMs}`,
      );
    }
    const url = new URL(`/objects/${key}`, this.#options.baseUrl());
    if (downloadName !== undefined) url.searchParams.set("download", downloadName);
    const expiresAtMs = this.#options.clock.nowMs() + expiresInMs;
    const signature = this.#options.keyring.signPath(
      "object",
      `${url.pathname}${url.search}`,
      expiresAtMs,
    );
    url.searchParams.set("signature", signature);
    return url.href;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    await this.#sweeping;
  }

  /** Undefined: there is none. The file is the caller's to close. */
  async #open(key: string): Promise<OpenedObject | undefined> {
    const path = this.#pathOf(key);
    let file: FileHandle;
    try {
      file = await open(path, "r");
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw unavailable(this.#options.directory, error);
    }
    let object: StoredObject | undefined;
    try {
      object = await headerOf(file, key);
    } finally {
      if (object === undefined) await file.close();
    }
    return object && { file, object };
  }

  #pathOf(key: string): string {
    this.#assertOpen();
    return join(this.#options.directory, OBJECTS_FOLDER, ...checkedSegments(key));
  }

  #assertOpen(): void {
    if (this.#closed) throw new ObjectRejected("the object store is closed");
  }
}

interface OpenedObject {
  readonly file: FileHandle;
  readonly object: StoredObject;
}

/** Undefined where the file is shorter than a header. */
async function headerOf(file: FileHandle, key: string): Promise<StoredObject | undefined> {
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
  return bytesRead === HEADER_BYTES ? { key, ...JSON.parse(header.toString()) } : undefined;
}

async function writeObject(
  path: string,
  key: string,
  body: Uint8Array | Readable,
  contentType: string,
): Promise<StoredObject> {
  const hash = createHash("sha256");
  const file = await open(path, "wx");
  try {
    let bytes = 0;
    for await (const chunk of body instanceof Readable ? body : [body]) {
      hash.update(chunk);
      await file.write(chunk, 0, chunk.length, HEADER_BYTES + bytes);
      bytes += chunk.length;
    }
    const known = { bytes, contentType, etag: hash.digest("hex").slice(0, ETAG_CHARS) };
    await file.write(JSON.stringify(known).padEnd(HEADER_BYTES), 0);
    await file.sync();
    return { key, ...known };
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function unavailable(directory: string, cause: unknown): Error {
  const reasons: Record<string, string> = {
    ENOSPC: "no space left on device",
    EACCES: "permission denied",
    EROFS: "read-only file system",
    ENOTDIR: "not a directory",
  };
  const code = codeOf(cause) ?? "";
  const message = `cannot write to ${directory}: ${reasons[code] ?? (code || String(cause))}`;
  return new ObjectStoreUnavailable(message, { cause });
}
