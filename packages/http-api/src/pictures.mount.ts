import type { ObjectStore } from "@feed/object-store";
import {
  deliverPicture,
  deliverPlaceholder,
  formatFor,
  Gate,
  CONVERSIONS_CONCURRENT_MAX,
  type DeliveredPicture,
  type PictureAddressBook,
  type PictureRequest,
} from "@feed/pictures";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { Middleware } from "koa";
import { notFound, Problem } from "./problem.ts";

const PREFIX = "/pictures/";
/** What is delivered under one address never changes; a changed picture has another address. */
const CACHE_CONTROL = "public, max-age=31536000, immutable";

/**
 * GET `/pictures/<signature>/…`: pictures as AVIF, WebP or JPEG by Accept (spec 1). No API key: the
 * signature is the permission. A signature that is wrong or has rotated out is 403.
 */
export function picturesMount(deps: {
  readonly addresses: PictureAddressBook;
  readonly objectStore: ObjectStore;
  readonly directory: Pick<TenantDirectory, "source">;
}): Middleware {
  const conversion = {
    objectStore: deps.objectStore,
    gate: new Gate(CONVERSIONS_CONCURRENT_MAX),
  };
  const deliver = async (request: PictureRequest, accept: string | undefined) => {
    const format = formatFor(accept);
    if (request.kind !== "placeholder") return deliverPicture(conversion, request, format);
    const source = deps.directory.source(request.sourceId);
    return source && deliverPlaceholder(conversion, source, request.width, format);
  };
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) return next();
    readOnly(ctx.method);
    const [signature = "", ...rest] = ctx.path.slice(PREFIX.length).split("/");
    const request =
      ctx.querystring === "" ? deps.addresses.verify(signature, rest.join("/")) : undefined;
    if (request === undefined)
      throw new Problem(
        "forbidden",
        "The address was not given out by this service, or its key has rotated out.",
      );
    const picture = await deliver(request, ctx.get("accept"));
    if (picture === undefined) throw notFound("picture");
    answer(ctx, picture);
  };
}

function answer(
  ctx: Parameters<Middleware>[0],
  { bytes, contentType, etag }: DeliveredPicture,
): void {
  ctx.set("Vary", "Accept");
  ctx.set("Cache-Control", CACHE_CONTROL);
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.etag = etag;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = contentType;
  ctx.body = Buffer.from(bytes);
}

/** Signed addresses are read and nothing else. */
export function readOnly(method: string): void {
  if (method === "GET" || method === "HEAD") return;
  throw new Problem("method-not-allowed", `${method} is not possible here.`, {
    headers: { Allow: "GET, HEAD" },
  });
}
