import { createHash } from "node:crypto";
import sharp from "sharp";
import type { PictureRef } from "@feed/domain/article";
import { asId, type PictureId } from "@feed/domain/ids";
import type { ObjectStore } from "@feed/object-store";
import { originalKey } from "./keys.ts";
import { CONVERSION_TIMEOUT_SECONDS, PICTURE_BYTES_MAX, PICTURE_PIXELS_MAX } from "./limits.ts";

/** Formats that are decoded; SVG is a program, not a picture. */
const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif"]);

/** A picture that is not taken, and why in words. */
export class PictureRefused extends Error {
  override readonly name = "PictureRefused";
}

/**
 * Stores an original once by its content and says its size after orientation.
 *
 * Errors: PictureRefused for what is too large, not a picture, or can't be decoded; ObjectStoreUnavailable.
 */
export async function storePicture(
  objectStore: Pick<ObjectStore, "put" | "head">,
  bytes: Uint8Array,
): Promise<PictureRef> {
  if (bytes.length > PICTURE_BYTES_MAX)
    throw new PictureRefused(`more than ${PICTURE_BYTES_MAX} bytes`);
  const { width, height, contentType } = await inspect(bytes);
  const id = asId<PictureId>(createHash("sha256").update(bytes).digest("hex"));
  const key = originalKey(id);
  if ((await objectStore.head(key)) === undefined) await objectStore.put(key, bytes, contentType);
  return { id, width, height };
}

async function inspect(
  bytes: Uint8Array,
): Promise<{ width: number; height: number; contentType: string }> {
  try {
    // `metadata` reads the header alone: `stats` decodes everything, so a picture cut short is found here.
    const picture = sharp(bytes, {
      limitInputPixels: PICTURE_PIXELS_MAX,
      failOn: "truncated",
      pages: 1,
    });
    const { format, autoOrient } = await picture.metadata();
    if (!FORMATS.has(format))
      throw new PictureRefused(`pictures of format ${format} are not taken`);
    await picture
      .clone()
      .timeout({ seconds: CONVERSION_TIMEOUT_SECONDS })
      .resize(16)
      .raw()
      .toBuffer();
    const contentType = format === "heif" ? "image/avif" : `image/${format}`;
    return { width: autoOrient.width, height: autoOrient.height, contentType };
  } catch (error) {
    if (error instanceof PictureRefused) throw error;
    throw new PictureRefused(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
