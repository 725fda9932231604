import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { inspectJson } from "./json-faults.ts";
import { Problem, validationProblem } from "./problem.ts";

/** A request body that could be read. */
export interface JsonBody {
  readonly value: unknown;
  /** As sent, inflated; for comparing two requests. */
  readonly bytes: Buffer;
  /** Values in it, nested ones included. */
  readonly values: number;
}

/** What is still read and thrown away of a body that is refused, so that the sender can read the answer. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_MS_MAX = 2_000;

/** Media types of bodies, each in UTF-8. */
const MEDIA_TYPES = { json: "application/json", ndjson: "application/x-ndjson" } as const;
const UTF8_PARAMETER = String.raw`\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*`;

/**
 * Reads a JSON body of at most `bytesMax` bytes, counted after inflating, while it streams.
 *
 * @throws Problem: 415 for another media type, charset or encoding; 413 when it is larger; 400 `bad-request`
 *   when it is no JSON, 400 `validation` for what `inspectJson` finds.
 */
export function readJsonBody(request: IncomingMessage, bytesMax: number): Promise<JsonBody> {
  return streamBody(request, "json", async (body) => parse(await collect(body, bytesMax)));
}

/**
 * Hands a body over, inflated, while it streams.
 *
 * @throws Problem 415 for another media type, charset or encoding; what `use` throws, when the rest of the body has been
 *   read and thrown away.
 */
export async function streamBody<Result>(
  request: IncomingMessage,
  mediaType: keyof typeof MEDIA_TYPES,
  use: (body: Readable) => Promise<Result>,
): Promise<Result> {
  let source: Readable = request;
  try {
    source = encoded(request, checkHeaders(request, MEDIA_TYPES[mediaType]));
    return await use(source);
  } catch (error) {
    if (source !== request) source.destroy();
    if (!request.complete && !request.destroyed) await discard(request);
    throw error;
  }
}

/**
 * Reads a body of at most `bytesMax` bytes as it was sent.
 *
 * @throws Problem: 413 when it is larger; 400 `bad-request` when it ends early.
 */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  try {
    return await collect(request, bytesMax);
  } catch (error) {
    if (!request.complete && !request.destroyed) await discard(request);
    throw error;
  }
}

function checkHeaders(request: IncomingMessage, mediaType: string): "gzip" | "identity" {
  const type = request.headers["content-type"] ?? "";
  if (!new RegExp(`^${mediaType}${UTF8_PARAMETER}$`, "i").test(type)) {
    throw new Problem("unsupported-media-type", `The body must be ${mediaType} in UTF-8.`);
  }
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "gzip" || encoding === "identity") return encoding;
  throw new Problem("unsupported-media-type", "The body may be encoded by gzip alone.", {
    headers: { "Accept-Encoding": "gzip, identity" },
  });
}

function encoded(request: IncomingMessage, encoding: "gzip" | "identity"): Readable {
  if (encoding === "identity") return request;
  const inflating = createGunzip();
  request.on("error", (error) => inflating.destroy(error));
  return request.pipe(inflating);
}

function collect(stream: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      stream.removeAllListeners("data");
      stream.pause();
      reject(new Problem("payload-too-large", `The body is over ${bytesMax} bytes.`));
    });
    stream.on("end", () => resolve(Buffer.concat(chunks, bytes)));
    stream.on("error", (error) => reject(unreadable(error)));
  });
}

/** What an error of a body's stream means. */
export function unreadable(error: Error): Error {
  const isInflating = "code" in error && String(error.code).startsWith("Z_");
  if (!isInflating) return error instanceof Problem ? error : connectionGone();
  return new Problem("bad-request", "The body is no gzip.");
}

function connectionGone(): Problem {
  return new Problem("bad-request", "The body ended early.");
}

async function discard(request: IncomingMessage): Promise<void> {
  request.unpipe();
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DISCARD_BYTES_MAX) resolve();
    });
    request.on("end", resolve);
    request.on("close", resolve);
    request.on("error", () => resolve());
  });
  request.resume();
  const timer = new AbortController();
  const timeout = delay(DISCARD_MS_MAX, undefined, { signal: timer.signal, ref: false });
  await Promise.race([ended, timeout.catch(() => undefined)]);
  timer.abort();
}

function parse(bytes: Buffer): JsonBody {
  if (!isUtf8(bytes)) throw new Problem("bad-request", "The body is not UTF-8.");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem("bad-request", "The body is no JSON.");
  }
  const { fault, values } = inspectJson(text);
  if (fault !== undefined) throw validationProblem([fault]);
  return { value, bytes, values };
}
