import type { Seeded } from "../random.ts";

/** The motifs a picture can have. */
export type SceneName =
  | "stadium"
  | "skyline"
  | "train"
  | "mountains"
  | "plate"
  | "device"
  | "film"
  | "book"
  | "plant"
  | "planet"
  | "chart"
  | "waves"
  | "music"
  | "gamepad";

/** What a scene draws with. Coordinates are pixels of a 1200 by 675 canvas. */
export interface Brush {
  readonly random: Seeded;
  /** The publisher's colours, dark to light; the first is the deepest, the last nearly white. */
  readonly dark: string;
  readonly deep: string;
  readonly mid: string;
  readonly bright: string;
  readonly pale: string;
  readonly accent: string;
}

/** Draws one motif as SVG elements. */
export type Scene = (brush: Brush) => string;

export const WIDTH_PX = 1200;
export const HEIGHT_PX = 675;

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ""): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`;

export const circle = (x: number, y: number, r: number, fill: string, more = ""): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;

export const ellipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  more = "",
): string => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;

export const path = (d: string, fill: string, more = ""): string =>
  `<path d="${d}" fill="${fill}" ${more}/>`;

export const line = (d: string, stroke: string, width: number, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"
    stroke-linejoin="round" ${more}/>`;

export const group = (transform: string, content: string, more = ""): string =>
  `<g transform="${transform}" ${more}>${content}</g>`;

/** `count` drawings side by side in one string. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}
