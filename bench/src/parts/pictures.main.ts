import { convert } from "@feed/pictures/convert";
import { PICTURE_FORMATS } from "@feed/pictures/format";
import { PICTURE_WIDTHS } from "@feed/pictures/limits";
import sharp from "sharp";

/** One row: a format at a width. */
export interface PictureReport {
  readonly format: string;
  readonly width: number;
  /** Processor time of one conversion. */
  readonly processorMs: number;
  readonly bytes: number;
}

const ORIGINAL = { width: 2_000, height: 1_333 };

/** Something with edges, areas and grain, as a photograph has. */
async function photograph(): Promise<Buffer> {
  const { width, height } = ORIGINAL;
  const shapes = Array.from({ length: 60 }, (_, at) => {
    const [x, y, r] = [(at * 397) % width, (at * 211) % height, 40 + ((at * 53) % 260)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${(at * 37) % 360} 45% 55%)" opacity=".6"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("")}</svg>`;
  const noise = { type: "gaussian", mean: 128, sigma: 14 } as const;
  const grain = sharp({ create: { ...ORIGINAL, channels: 3, background: "#808080", noise } });
  return sharp(Buffer.from(svg))
    .flatten({ background: "#88aacc" })
    .composite([{ input: await grain.png().toBuffer(), blend: "overlay" }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A stored original to each size in each format, one after the other. */
const runs = Number(process.argv[2]);
// One thread of libvips: the figures are those of one core.
sharp.concurrency(1);
const original = await photograph();
const report: PictureReport[] = [];
for (const format of PICTURE_FORMATS) {
  for (const width of PICTURE_WIDTHS) {
    const { length: bytes } = await convert(original, "picture", width, format);
    const before = process.cpuUsage();
    for (let run = 0; run < runs; run += 1) await convert(original, "picture", width, format);
    const { user, system } = process.cpuUsage(before);
    report.push({ format, width, processorMs: (user + system) / 1_000 / runs, bytes });
  }
}
process.stdout.write(JSON.stringify(report));
