import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { FetchError } from "./fetch-error.ts";

/** What a request says it accepts; anything else in an answer is refused. */
export const ACCEPT_ENCODING = "gzip, br, deflate";

/**
 * The body behind a Content-Encoding, never more than `bytesMax` of it: the limit counts inflated bytes.
 *
 * @throws FetchError `too-large`, or `bad-encoding` for an unknown, a double or a broken one
 */
export async function inflateBody(
  body: Uint8Array,
  contentEncoding: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const options = { maxOutputLength: bytesMax };
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === "" || encoding === "identity" || body.length === 0) return body;
  try {
    switch (encoding) {
      case "gzip":
      case "x-gzip":
        return await promisify(gunzip)(body, options);
      case "br":
        return await promisify(brotliDecompress)(body, options);
      case "deflate":
        // RFC 9110 means zlib's format; some servers send the bare stream. The first byte tells.
        return await promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options);
      default:
        throw new FetchError("bad-encoding", `content encoding ${encoding.slice(0, 40)}`);
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE")
      throw new FetchError("too-large", `inflates to more than ${bytesMax} bytes`);
    throw new FetchError("bad-encoding", "the compressed body is broken", { cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
