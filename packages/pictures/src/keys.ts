import type { PictureId } from "@feed/domain/ids";
import type { PictureFormat } from "./format.ts";
import type { PictureWidth } from "./limits.ts";
import type { PictureCut } from "./size.ts";

/** Object keys of pictures; two characters of the hash spread them over folders. */
export function originalKey(id: PictureId): string {
  return `pictures/original/${id.slice(0, 2)}/${id}`;
}

/** `look`: see `lookOf`. */
export function placeholderKey(look: string, width: PictureWidth, format: PictureFormat): string {
  return `pictures/placeholder/${look}-${width}.${format}`;
}

export function convertedKey(
  id: PictureId,
  cut: PictureCut,
  width: PictureWidth,
  format: PictureFormat,
): string {
  return `pictures/converted/${id.slice(0, 2)}/${id}/${cut}-${width}.${format}`;
}
