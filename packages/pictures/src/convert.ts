import { buffer } from "node:stream/consumers";
import sharp, { type Sharp } from "sharp";
import type { PictureId } from "@feed/domain/ids";
import type { ObjectStore } from "@feed/object-store";
import type { PictureFormat } from "./format.ts";
import { convertedKey, originalKey } from "./keys.ts";
import { CONVERSION_TIMEOUT_SECONDS, PICTURE_PIXELS_MAX } from "./limits.ts";
import { thumbnailSize, type PictureCut } from "./size.ts";
import type { PictureRequest } from "./addresses.ts";
import type { Gate } from "./gate.ts";

export interface DeliveredPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

export interface ConversionDependencies {
  readonly objectStore: ObjectStore;
  readonly gate: Gate;
}

/**
 * A stored picture at one width (never enlarged) in one format, converted at the first request and kept.
 * Undefined where no such original is stored. Errors: ObjectStoreUnavailable.
 */
export async function deliverPicture(
  deps: ConversionDependencies,
  { id, kind, width }: Extract<PictureRequest, { readonly id: PictureId }>,
  format: PictureFormat,
): Promise<DeliveredPicture | undefined> {
  return keptOrMade(deps, convertedKey(id, kind, width, format), format, async () => {
    const original = await deps.objectStore.get(originalKey(id));
    return original && convert(await buffer(original.body), kind, width, format);
  });
}

/** What is kept under `key`, else what `make` gives, kept from then on. Made behind the gate. */
export async function keptOrMade<Made extends Uint8Array | undefined>(
  { objectStore, gate }: ConversionDependencies,
  key: string,
  format: PictureFormat,
  make: () => Promise<Made>,
): Promise<DeliveredPicture | Exclude<Made, Uint8Array>> {
  const kept = await objectStore.get(key);
  if (kept !== undefined) {
    const { contentType, etag } = kept.object;
    return { bytes: await buffer(kept.body), contentType, etag };
  }
  const bytes = await gate.run(make);
  if (bytes === undefined) return bytes as Exclude<Made, Uint8Array>;
  const { contentType, etag } = await objectStore.put(key, bytes, `image/${format}`);
  return { bytes, contentType, etag };
}

/**
 * Converts a decoded picture. A thumbnail keeps the region of highest contrast and skin tones (libvips'
 * `attention`), which is nearly always what the picture is of.
 */
export async function convert(
  source: Uint8Array,
  cut: PictureCut,
  width: number,
  format: PictureFormat,
): Promise<Buffer> {
  const decoded = sharp(source, { limitInputPixels: PICTURE_PIXELS_MAX, pages: 1 })
    .timeout({ seconds: CONVERSION_TIMEOUT_SECONDS })
    .autoOrient();
  return encode(cut === "picture" ? scaled(decoded, width) : await cropped(decoded, width), format);
}

function scaled(decoded: Sharp, width: number): Sharp {
  return decoded.resize({ width, withoutEnlargement: true });
}

async function cropped(decoded: Sharp, width: number): Promise<Sharp> {
  const { autoOrient } = await decoded.metadata();
  return decoded.resize({
    ...thumbnailSize(autoOrient, width),
    fit: "cover",
    position: "attention",
  });
}

/** AVIF effort 2: a tenth of the default effort's time at about the same size. */
function encode(resized: Sharp, format: PictureFormat): Promise<Buffer> {
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
