import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import type { ObjectStore } from "@feed/object-store";
import type { Keyring } from "@feed/signing";
import type { Context, Middleware } from "koa";
import { readOnly } from "./pictures.mount.ts";
import { notFound, Problem } from "./problem.ts";

const PREFIX = "/objects/";
/** Result files of push jobs: text, and large. Pictures are compressed as they are. */
const COMPRESSED_MEDIA_TYPE = "application/x-ndjson";

type FoundObject = NonNullable<Awaited<ReturnType<ObjectStore["get"]>>>;

/**
 * GET `/objects/<key>?…&signature=`: what the embedded object store presigned (spec 4.7): no extra header
 * is needed, the credentials are in the query string. 403 once it has expired or where anything was
 * changed. A result file is sent by gzip to whoever accepts it.
 */
export function objectsMount(deps: {
  readonly objectStore: ObjectStore;
  readonly keyring: Pick<Keyring, "verifyPath">;
}): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) return next();
    readOnly(ctx.method);
    const download = new URLSearchParams(ctx.querystring);
    const signature = download.get("signature") ?? "";
    download.delete("signature");
    const signed = download.size === 0 ? ctx.path : `${ctx.path}?${download.toString()}`;
    if (deps.keyring.verifyPath("object", signed, signature) !== "valid") {
      throw new Problem("forbidden", "The address has expired or was changed.");
    }
    const found = await deps.objectStore.get(ctx.path.slice(PREFIX.length));
    if (found === undefined) throw notFound("object");
    const name = download.get("download");
    if (name !== null) ctx.attachment(name);
    ctx.set("Cache-Control", "private, no-store");
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.type = found.object.contentType;
    if (found.object.contentType !== COMPRESSED_MEDIA_TYPE) return sendPlain(ctx, found);
    ctx.vary("Accept-Encoding");
    if (ctx.acceptsEncodings("gzip", "identity") !== "gzip") return sendPlain(ctx, found);
    ctx.set("Content-Encoding", "gzip");
    ctx.body = pipeline(found.body, createGzip(), () => undefined);
  };
}

function sendPlain(ctx: Context, { object, body }: FoundObject): void {
  ctx.etag = object.etag;
  ctx.length = object.bytes;
  ctx.body = body;
}
