/** `picture`: the whole, scaled; `thumbnail`: cropped to 16:9 around what draws the eye. */
export type PictureCut = "picture" | "thumbnail";

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const THUMBNAIL_RATIO = 16 / 9;

/**
 * Size of the largest 16:9 crop of an original that is at most `width` wide; never enlarged, so a small original
 * has a small thumbnail.
 */
export function thumbnailSize(original: PixelSize, width: number): PixelSize {
  const cropped = Math.min(original.width, original.height * THUMBNAIL_RATIO, width);
  return {
    width: Math.max(1, Math.round(cropped)),
    height: Math.max(1, Math.round(cropped / THUMBNAIL_RATIO)),
  };
}
