import { join } from "node:path";
import { reportOf } from "../child.ts";
import { ON_SERVER_CORE } from "../machine.ts";
import { note, step } from "../progress.ts";
import { atLeast, atMost, format } from "../results.ts";
import type { Result } from "../results.ts";
import type { Sizes } from "../settings.ts";
import type { ArticlesReport } from "./articles.main.ts";

const P95_SECONDS_MAX = 2;
const PER_CORE_SECOND_MIN = 20;
const MS_PER_SECOND = 1_000;

/** The crawler's pipeline on one core: pages of 50 kB, without pictures and with the default embedder. */
export async function measureArticles({ pipelineArticles }: Sizes): Promise<readonly Result[]> {
  const main = join(import.meta.dirname, "articles.main.ts");
  const { p50Ms, p95Ms, perCoreSecond } = await step(`taking in ${pipelineArticles} pages`, () =>
    reportOf<ArticlesReport>(main, [String(pipelineArticles)], ON_SERVER_CORE),
  );
  note(`half of them within ${format(p50Ms)} ms`);
  const p95 = { name: "articles-p95", value: p95Ms / MS_PER_SECOND, unit: "s" };
  const rate = { name: "articles-per-core", value: perCoreSecond, unit: "articles/s" };
  return [atMost(p95, P95_SECONDS_MAX), atLeast(rate, PER_CORE_SECOND_MIN)];
}
