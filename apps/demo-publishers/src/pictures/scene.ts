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
  /** The publisher's colours: five from deepest to nearly white, and one that stands out. */
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

/** A gradient to fill shapes with as `url(#id)`: downwards, or from the top left corner. */
export function gradient(
  id: string,
  from: string,
  to: string,
  direction: "down" | "diagonal" = "down",
): string {
  const across = direction === "down" ? 0 : 1;
  return (
    `<defs><linearGradient id="${id}" x1="0" y1="0" x2="${across}" y2="1">` +
    `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>`
  );
}

/** `count` drawings side by side in one string. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

/** A plain wall lit from one corner, with two large soft shapes, for still lifes. */
export function backdrop(brush: Brush, from: string, to: string): string {
  const { random, pale } = brush;
  return (
    gradient("wall", from, to, "diagonal") +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#wall)") +
    circle(
      random.integer(0, 400),
      random.integer(0, 250),
      random.integer(190, 320),
      pale,
      'opacity="0.14"',
    ) +
    circle(
      random.integer(800, 1200),
      random.integer(400, 675),
      random.integer(190, 340),
      pale,
      'opacity="0.12"',
    )
  );
}
