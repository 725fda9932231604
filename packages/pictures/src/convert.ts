import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { PictureId } from "@feed/domain/ids";
import type { ObjectStore } from "@feed/object-store";
import type { PictureFormat } from "./format.ts";
import { convertedKey, originalKey } from "./keys.ts";
import { CONVERSION_TIMEOUT_SECONDS, PICTURE_PIXELS_MAX, type PictureWidth } from "./limits.ts";
import type { Gate } from "./gate.ts";

export interface DeliveredPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

/**
 * A stored picture at one width (never enlarged) in one format, converted at the first request and kept.
 * Undefined where no such original is stored. Errors: ObjectStoreUnavailable.
 */
export async function deliverPicture(
  deps: { readonly objectStore: ObjectStore; readonly gate: Gate },
  id: PictureId,
  width: PictureWidth,
  format: PictureFormat,
): Promise<DeliveredPicture | undefined> {
  const key = convertedKey(id, width, format);
  const kept = await deps.objectStore.get(key);
  if (kept !== undefined) {
    const { contentType, etag } = kept.object;
    return { bytes: await buffer(kept.body), contentType, etag };
  }
  const original = await deps.objectStore.get(originalKey(id));
  if (original === undefined) return undefined;
  const source = await buffer(original.body);
  const bytes = await deps.gate.run(() => convert(source, width, format));
  const { contentType, etag } = await deps.objectStore.put(key, bytes, `image/${format}`);
  return { bytes, contentType, etag };
}

/** AVIF effort 2: a tenth of the default effort's time at about the same size. */
export async function convert(
  source: Uint8Array,
  width: number,
  format: PictureFormat,
): Promise<Buffer> {
  const resized = sharp(source, { limitInputPixels: PICTURE_PIXELS_MAX, pages: 1 })
    .timeout({ seconds: CONVERSION_TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width, withoutEnlargement: true });
  switch (format) {
    case "avif":
      return resized.avif({ effort: 2, quality: 55 }).toBuffer();
    case "webp":
      return resized.webp({ quality: 79 }).toBuffer();
    default:
      // JPEG has no transparency: see-through parts become white rather than black.
      return resized
        .flatten({ background: "#ffffff" })
        .jpeg({ quality: 80, mozjpeg: true })
        .toBuffer();
  }
}
