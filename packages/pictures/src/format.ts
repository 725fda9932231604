export const PICTURE_FORMATS = ["avif", "webp", "jpeg"] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/**
 * The format for a browser's Accept header: AVIF, then WebP where they are named and not refused by `q=0`, else
 * JPEG (spec 1: thumbnails are converted to WebP or AVIF according to Accept). `*` and `image/*` alone say
 * nothing about the new formats.
 */
export function formatFor(accept: string | undefined): PictureFormat {
  const accepted = new Set(
    (accept ?? "")
      .toLowerCase()
      .split(",")
      .map((range) => range.split(";").map((part) => part.trim()))
      .filter(
        ([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
      )
      .map(([type]) => type),
  );
  if (accepted.has("image/avif")) return "avif";
  return accepted.has("image/webp") ? "webp" : "jpeg";
}
