import { createHash } from "node:crypto";
import type { Source } from "@feed/domain/source";
import { convert, keptOrMade, type ConversionDependencies } from "./convert.ts";
import type { DeliveredPicture } from "./convert.ts";
import type { PictureFormat } from "./format.ts";
import { placeholderKey } from "./keys.ts";
import { PLACEHOLDER_SIZE, type PictureWidth } from "./limits.ts";

const NAME_CHARS_MAX = 24;
const LOOK_CHARS = 16;

type Publisher = Pick<Source, "name" | "colour">;

/** Names what a placeholder shows: a publisher that changes its name or colour gets another address. */
export function lookOf(source: Publisher): string {
  return createHash("sha256").update(placeholderSvg(source)).digest("hex").slice(0, LOOK_CHARS);
}

/**
 * The picture of an article that has none: its publisher's name on the publisher's colour (decisions,
 * "Feed"), drawn at the first request and kept. Errors: ObjectStoreUnavailable.
 */
export function deliverPlaceholder(
  deps: ConversionDependencies,
  source: Publisher,
  width: PictureWidth,
  format: PictureFormat,
): Promise<DeliveredPicture> {
  const drawn = Buffer.from(placeholderSvg(source));
  const drawnWidth = Math.min(width, PLACEHOLDER_SIZE.width);
  return keptOrMade(deps, placeholderKey(lookOf(source), width, format), format, () =>
    convert(drawn, "picture", drawnWidth, format),
  );
}

export function placeholderSvg({ name, colour }: Publisher): string {
  const { width, height } = PLACEHOLDER_SIZE;
  const fill = /^#[0-9a-fA-F]{6}$/.test(colour) ? colour : "#44546a";
  const shown = [...name].slice(0, NAME_CHARS_MAX).join("");
  // Full-width letters are as wide as they are high; Latin ones about half.
  const units = [...shown].reduce((sum, char) => sum + (char.charCodeAt(0) > 0x2e7f ? 1 : 0.56), 0);
  const fontPx = Math.round(Math.min(72, (width * 0.8) / Math.max(1, units)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<defs><linearGradient id="shade" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" `,
    `stop-opacity=".16"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="${fill}"/>`,
    `<rect width="${width}" height="${height}" fill="url(#shade)"/>`,
    `<circle cx="${width * 0.86}" cy="${height * 0.2}" r="150" fill="#fff" fill-opacity=".07"/>`,
    `<circle cx="${width * 0.1}" cy="${height * 0.95}" r="190" fill="#000" fill-opacity=".07"/>`,
    `<text x="50%" y="50%" text-anchor="middle" dominant-baseline="central" fill="#fff" font-weight="700" `,
    `font-family="Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, Helvetica, Arial, sans-serif" `,
    `font-size="${fontPx}">${escaped(shown)}</text></svg>`,
  ].join("");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
