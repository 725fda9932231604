import type { ObjectStore } from "@feed/object-store";
import type { Keyring } from "@feed/signing";
import type { Middleware } from "koa";
import { readOnly } from "./pictures.mount.ts";
import { notFound, Problem } from "./problem.ts";

const PREFIX = "/objects/";

/**
 * GET `/objects/<key>?…&signature=`: what the embedded object store presigned (spec 4.7): no extra header
 * is needed, the credentials are in the query string. 403 once it has expired or where anything was
 * changed.
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
    ctx.etag = found.object.etag;
    ctx.type = found.object.contentType;
    ctx.length = found.object.bytes;
    ctx.body = found.body;
  };
}
