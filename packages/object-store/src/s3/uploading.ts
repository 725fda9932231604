import { Readable } from "node:stream";
import type { Client } from "minio";

/** Above what S3 asks of every part but the last (5 MiB); 10,000 parts of it are 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface Uploaded {
  readonly bytes: number;
  readonly etag: string;
}

interface Target {
  readonly client: Client;
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
}

/** Puts a whole object: in one request where it fits into a part, else as parts that count once all are there. */
export async function upload(target: Target, body: Uint8Array | Readable): Promise<Uploaded> {
  if (!(body instanceof Readable)) return uploadAtOnce(target, Buffer.from(body));
  const parts = partsOf(body);
  const first = await parts.next();
  if (first.done === true) return uploadAtOnce(target, Buffer.alloc(0));
  const second = await parts.next();
  if (second.done === true) return uploadAtOnce(target, first.value);
  return uploadParts(target, first.value, second.value, parts);
}

async function uploadAtOnce(
  { client, bucket, key, contentType }: Target,
  bytes: Buffer,
): Promise<Uploaded> {
  const metadata = { "Content-Type": contentType };
  const { etag } = await client.putObject(bucket, key, bytes, bytes.length, metadata);
  return { bytes: bytes.length, etag };
}

/** By hand: the client's own upload of streams goes on with parts that another writer left of the same key. */
async function uploadParts(
  { client, bucket, key, contentType }: Target,
  first: Buffer,
  second: Buffer,
  rest: AsyncIterable<Buffer>,
): Promise<Uploaded> {
  const uploadID = await client.initiateNewMultipartUpload(bucket, key, {
    "Content-Type": contentType,
  });
  try {
    const etags: { part: number; etag: string }[] = [];
    let bytes = 0;
    for await (const part of inOrder([first, second], rest)) {
      const place = { bucketName: bucket, objectName: key, uploadID, partNumber: etags.length + 1 };
      const headers = { "Content-Length": String(part.length) };
      const { etag } = await client.uploadPart({ ...place, headers }, part);
      etags.push({ part: place.partNumber, etag });
      bytes += part.length;
    }
    const { etag } = await client.completeMultipartUpload(bucket, key, uploadID, etags);
    return { bytes, etag };
  } catch (error) {
    // Where this fails too, the bucket's lifecycle removes the parts.
    await client.abortMultipartUpload(bucket, key, uploadID).catch(() => undefined);
    throw error;
  }
}

async function* inOrder(first: Iterable<Buffer>, rest: AsyncIterable<Buffer>) {
  yield* first;
  yield* rest;
}

/** The stream in parts of PART_BYTES, the last one shorter and never empty. */
async function* partsOf(body: Readable): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let left = Buffer.from(chunk as Uint8Array);
    while (bytes + left.length >= PART_BYTES) {
      const taken = PART_BYTES - bytes;
      yield Buffer.concat([...chunks, left.subarray(0, taken)]);
      [chunks, bytes, left] = [[], 0, left.subarray(taken)];
    }
    if (left.length > 0) chunks.push(left);
    bytes += left.length;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
  return undefined;
}
