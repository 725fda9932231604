import type { Readable } from "node:stream";

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Strong entity tag without quotes. */
  readonly etag: string;
}

/** What a listing tells of an object. */
export type ListedObject = Pick<StoredObject, "key" | "bytes">;

export const PRESIGN_MS_MAX = 7 * 24 * 3_600_000;

/**
 * What a store removes by itself: prefix of keys, ending with a slash, to days after which an object below it may go. It
 * goes some hours later, by the store's own sweep or the service's.
 */
export type ExpiryDays = Readonly<Record<string, number>>;

export interface PresignOptions {
  readonly expiresInMs: number;
  /** Sent as `Content-Disposition: attachment; filename="…"`. */
  readonly downloadName?: string;
}

/**
 * Pictures and push results: named blobs.
 *
 * Keys     `/`-separated segments of [A-Za-z0-9._-], at most 512 characters, no `.` or `..` segment.
 * Writes   whole or not at all: a reader never sees a part. Writing again replaces.
 * Errors   ObjectStoreUnavailable (retry later) or ObjectRejected (bad key, too large).
 */
export interface ObjectStore extends AsyncDisposable {
  put(key: string, body: Uint8Array | Readable, contentType: string): Promise<StoredObject>;
  /** Undefined where there is none. */
  get(key: string): Promise<{ readonly object: StoredObject; readonly body: Readable } | undefined>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Also when there is none. */
  delete(key: string): Promise<void>;
  /** Objects whose key begins with a prefix, by key ascending. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** An address anyone can GET until it expires. At most 7 days. */
  presignGet(key: string, options: PresignOptions): Promise<string>;
}

export class ObjectStoreUnavailable extends Error {
  override readonly name = "ObjectStoreUnavailable";
}
export class ObjectRejected extends Error {
  override readonly name = "ObjectRejected";
}
