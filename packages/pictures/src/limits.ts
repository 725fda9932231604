/** Limits on pictures from outside (design: 50 megapixels, one frame). */
export const PICTURE_BYTES_MAX = 15 * 1024 * 1024;
export const PICTURE_PIXELS_MAX = 50_000_000;
export const CONVERSION_TIMEOUT_SECONDS = 10;
/** Conversions at a time: each takes a core for some tens of milliseconds. */
export const CONVERSIONS_CONCURRENT_MAX = 2;
/** The only widths delivered; others would let a client fill the cache. */
export const PICTURE_WIDTHS = [320, 640, 960, 1280] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];
export const THUMBNAIL_WIDTH = 640 satisfies PictureWidth;
export const BODY_PICTURE_WIDTH = 960 satisfies PictureWidth;
export const PLACEHOLDER_SIZE = { width: 640, height: 360 } as const;
