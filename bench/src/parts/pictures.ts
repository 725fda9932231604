import { join } from "node:path";
import { reportOf } from "../child.ts";
import { ON_SERVER_CORE } from "../machine.ts";
import { note, step } from "../progress.ts";
import { format, stated } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import type { PictureReport } from "./pictures.main.ts";

/** A photograph of 2,000 x 1,333 pixels to each width and format that is delivered, on one core. */
export async function measurePictures({ pictureRuns }: Sizes): Promise<readonly Result[]> {
  const main = join(import.meta.dirname, "pictures.main.ts");
  const rows = await step("converting pictures", () =>
    reportOf<readonly PictureReport[]>(main, [String(pictureRuns)], ON_SERVER_CORE),
  );
  return rows.map(({ format: type, width, processorMs, bytes }) => {
    note(`${type} ${width}: ${format(processorMs)} ms, ${format(bytes / 1_000)} kB`);
    return stated({ name: `picture-${type}-${width}`, value: processorMs, unit: "ms" });
  });
}
