import sharp from "sharp";
import { seeded } from "../random.ts";
import { chart, gamepad, music, planet } from "./ideas.ts";
import { book, plant } from "./indoors.ts";
import { mountains, skyline, stadium, train, waves } from "./places.ts";
import { HEIGHT_PX, WIDTH_PX } from "./scene.ts";
import type { Brush, Scene, SceneName } from "./scene.ts";
import { device, film, plate } from "./things.ts";

/** Bytes of finished pictures kept in memory; the oldest go first. */
const CACHE_BYTES_MAX = 32 * 1024 * 1024;

const JPEG_QUALITY = 82;

const SCENES: Readonly<Record<SceneName, Scene>> = {
  stadium,
  skyline,
  train,
  mountains,
  plate,
  device,
  film,
  book,
  plant,
  planet,
  chart,
  waves,
  music,
  gamepad,
};

/** Scenes that are wrong in a mirror: charts run to the right, notes have their flag there. */
const DIRECTED: ReadonlySet<SceneName> = new Set(["chart", "music"]);

/** What a picture is of. Equal requests give equal bytes. */
export interface PictureRequest {
  readonly scene: SceneName;
  readonly seed: string;
  /** Five colours from dark to light, then the accent. */
  readonly palette: readonly string[];
  /** Pixels; the height follows at 16 to 9. */
  readonly width: number;
  readonly format: "jpg" | "png";
}

/** The picture as an SVG document of 1200 by 675 pixels. */
function pictureSvg({
  scene,
  seed,
  palette,
}: Pick<PictureRequest, "scene" | "seed" | "palette">): string {
  const random = seeded(`picture ${seed}`);
  const [
    dark = "#111",
    deep = "#333",
    mid = "#666",
    bright = "#aaa",
    pale = "#eee",
    accent = "#e55",
  ] = palette;
  const brush: Brush = { random, dark, deep, mid, bright, pale, accent };
  const drawing = SCENES[scene](brush);
  const turned = `<g transform="translate(${WIDTH_PX} 0) scale(-1 1)">${drawing}</g>`;
  const content = DIRECTED.has(scene) || random.next() < 0.5 ? drawing : turned;
  const size = `width="${WIDTH_PX}" height="${HEIGHT_PX}" viewBox="0 0 ${WIDTH_PX} ${HEIGHT_PX}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;
}

/** Draws pictures on request and keeps the latest in memory. */
export class PictureStudio {
  readonly #drawing = new Map<string, Promise<Buffer>>();
  readonly #finished = new Map<string, Buffer>();
  #cachedBytes = 0;

  /** The encoded picture. Concurrent requests for one picture draw it once. */
  draw(request: PictureRequest): Promise<Buffer> {
    const key = JSON.stringify(request);
    const finished = this.#finished.get(key);
    if (finished !== undefined) return Promise.resolve(finished);
    const drawing = this.#drawing.get(key) ?? this.#start(key, request);
    this.#drawing.set(key, drawing);
    return drawing;
  }

  async #start(key: string, request: PictureRequest): Promise<Buffer> {
    try {
      const picture = await render(request);
      this.#keep(key, picture);
      return picture;
    } finally {
      this.#drawing.delete(key);
    }
  }

  #keep(key: string, picture: Buffer): void {
    this.#finished.set(key, picture);
    this.#cachedBytes += picture.byteLength;
    for (const [oldest, bytes] of this.#finished) {
      if (this.#cachedBytes <= CACHE_BYTES_MAX) return;
      this.#finished.delete(oldest);
      this.#cachedBytes -= bytes.byteLength;
    }
  }
}

function render(request: PictureRequest): Promise<Buffer> {
  const image = sharp(Buffer.from(pictureSvg(request))).resize({ width: request.width });
  const encoded =
    request.format === "png" ? image.png({ palette: true }) : image.jpeg({ quality: JPEG_QUALITY });
  return encoded.toBuffer();
}
