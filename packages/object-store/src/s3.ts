import type { Agent, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { S3Error, type Client } from "minio";
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
import { agentFor, clientOf } from "./s3/client.ts";
import { prepareBucket } from "./s3/bucket.ts";
import type { S3Settings } from "./s3/settings.ts";
import { upload } from "./s3/uploading.ts";

export { parseS3Url, type S3Settings } from "./s3/settings.ts";

const ABSENT = new Set(["NoSuchKey", "NotFound"]);
const REFUSED = new Set(["EntityTooLarge", "KeyTooLongError"]);
const DEFAULT_MEDIA_TYPE = "application/octet-stream";

export interface S3ObjectStoreOptions {
  readonly settings: S3Settings;
  /** As rules of the bucket, where it is made here. */
  readonly expiryDays?: ExpiryDays;
}

/** Opens a bucket, and makes it where it is missing. Errors: ObjectStoreUnavailable, in one line. */
export async function openS3ObjectStore({
  settings,
  expiryDays = {},
}: S3ObjectStoreOptions): Promise<ObjectStore> {
  const agent = agentFor(settings.endpoint);
  const client = clientOf(settings, settings.endpoint, agent);
  try {
    await prepareBucket(client, settings, expiryDays);
  } catch (error) {
    agent.destroy();
    throw faultOf(settings, error);
  }
  return new S3ObjectStore(settings, client, agent);
}

class S3ObjectStore implements ObjectStore {
  readonly #settings: S3Settings;
  readonly #client: Client;
  /** Signs addresses for those who reach the service from outside; sends nothing. */
  readonly #signer: Client;
  readonly #agent: Agent;
  #closed = false;

  constructor(settings: S3Settings, client: Client, agent: Agent) {
    this.#settings = settings;
    this.#client = client;
    this.#signer = clientOf(settings, settings.publicEndpoint);
    this.#agent = agent;
  }

  async put(key: string, body: Uint8Array | Readable, contentType: string): Promise<StoredObject> {
    this.#check(key);
    const target = { client: this.#client, bucket: this.#settings.bucket, key, contentType };
    const uploaded = await this.#guarded(() => upload(target, body));
    return { key, contentType, ...uploaded };
  }

  async get(key: string) {
    this.#check(key);
    const { bucket } = this.#settings;
    const body = await this.#unlessAbsent(() => this.#client.getObject(bucket, key));
    // What it answers with, of this very answer: a second request could be about another object of the key.
    return body && { object: objectOf(key, (body as IncomingMessage).headers), body };
  }

  async head(key: string): Promise<StoredObject | undefined> {
    this.#check(key);
    const { bucket } = this.#settings;
    const stat = await this.#unlessAbsent(() => this.#client.statObject(bucket, key));
    if (stat === undefined) return undefined;
    const contentType = String(stat.metaData["content-type"] ?? DEFAULT_MEDIA_TYPE);
    return { key, bytes: stat.size, contentType, etag: stat.etag };
  }

  async delete(key: string): Promise<void> {
    this.#check(key);
    await this.#guarded(() => this.#client.removeObject(this.#settings.bucket, key));
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    this.#assertOpen();
    const listing = this.#client.listObjectsV2(this.#settings.bucket, prefix, true);
    const items = listing[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#guarded(() => items.next());
      if (next.done === true) return;
      const { name, size } = next.value;
      if (name !== undefined) yield { key: name, bytes: size };
    }
  }

  async presignGet(key: string, { expiresInMs, downloadName }: PresignOptions): Promise<string> {
    this.#check(key);
    if (expiresInMs <= 0 || expiresInMs > PRESIGN_MS_MAX) {
      throw new ObjectRejected(
        `an address can be valid for up to ${PRESIGN_MS_MAX} ms, not ${expiresInMs}`,
      );
    }
    const seconds = Math.ceil(expiresInMs / 1_000);
    const headers: Record<string, string> =
      downloadName === undefined
        ? {}
        : { "response-content-disposition": `attachment; filename="${downloadName}"` };
    return this.#signer.presignedGetObject(this.#settings.bucket, key, seconds, headers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#agent.destroy();
  }

  #check(key: string): void {
    this.#assertOpen();
    checkedSegments(key);
  }

  #assertOpen(): void {
    if (this.#closed) throw new ObjectRejected("the object store is closed");
  }

  #unlessAbsent<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    return this.#guarded(() =>
      call().catch((error: unknown) => {
        if (error instanceof S3Error && ABSENT.has(error.code ?? "")) return undefined;
        throw error;
      }),
    );
  }

  async #guarded<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      throw faultOf(this.#settings, error);
    }
  }
}

function objectOf(key: string, headers: IncomingMessage["headers"]): StoredObject {
  return {
    key,
    bytes: Number(headers["content-length"]),
    contentType: headers["content-type"] ?? DEFAULT_MEDIA_TYPE,
    etag: (headers.etag ?? "").replace(/^"|"$/g, ""),
  };
}

function faultOf({ endpoint, bucket }: S3Settings, error: unknown): Error {
  const code = error instanceof S3Error ? (error.code ?? "") : "";
  // Node gives several addresses that all refused as one error without a message.
  const message = error instanceof Error ? error.message || error.name : String(error);
  const place = `S3 at ${endpoint.host}, bucket ${bucket}`;
  if (REFUSED.has(code)) return new ObjectRejected(`${place}: ${message}`, { cause: error });
  return new ObjectStoreUnavailable(`${place} can't be used: ${message}`, { cause: error });
}
