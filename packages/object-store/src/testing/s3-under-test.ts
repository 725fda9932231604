import { randomUUID } from "node:crypto";
import { engineUrl } from "@feed/test-kit";
import type { Client } from "minio";
import { EXPIRY_DAYS, type ObjectStoreUnderTest } from "../conformance.ts";
import { openS3ObjectStore, parseS3Url, type S3Settings } from "../s3.ts";
import { clientOf } from "../s3/client.ts";

const DAY_MS = 24 * 3_600_000;
const URL_SECONDS = 600;
/** What a test asks is answered however busy the disks are. */
const SILENCE_TIMEOUT_MS = 120_000;

export interface S3UnderTest extends ObjectStoreUnderTest {
  readonly settings: S3Settings;
  /** Beside the store, to look at what it did. */
  readonly client: Client;
}

/** A bucket of its own in the service that tests share; it goes when it is disposed. */
export async function openInFreshBucket(changed: Partial<S3Settings> = {}): Promise<S3UnderTest> {
  const bucket = `test-${randomUUID()}`;
  const named = parseS3Url(engineUrl("OBJECT_STORE"));
  const settings = { ...named, bucket, silenceTimeoutMs: SILENCE_TIMEOUT_MS, ...changed };
  const store = await openS3ObjectStore({ settings, expiryDays: EXPIRY_DAYS });
  const client = clientOf(settings, settings.endpoint);
  return {
    store,
    settings,
    client,
    putAged: async (key, ageDays) => {
      const url = await client.presignedPutObject(bucket, key, URL_SECONDS);
      const response = await fetch(url, { method: "PUT", body: "x", headers: agedBy(ageDays) });
      if (!response.ok) throw new Error(await response.text());
    },
    // MinIO shows nothing of an object from the moment on that a rule says it may go.
    swept: async () => {},
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      for await (const { name } of client.listObjectsV2(bucket, "", true)) {
        await client.removeObject(bucket, name ?? "");
      }
      await client.removeBucket(bucket);
    },
  };
}

/** As MinIO takes an object from another MinIO, with the time at which that one took it. */
function agedBy(days: number): Readonly<Record<string, string>> {
  return {
    "x-minio-source-mtime": new Date(Date.now() - days * DAY_MS).toISOString(),
    "x-minio-source-replication-request": "true",
  };
}
