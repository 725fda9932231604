import { join } from "node:path";
import { assertCores, describeMachine } from "./machine.ts";
import { note } from "./progress.ts";
import { tableOf, writeResults } from "./results.ts";
import type { Result } from "./results.ts";
import { settingsFrom } from "./settings.ts";
import type { Sizes } from "./settings.ts";

type Measure = (sizes: Sizes) => Promise<readonly Result[]>;

const INTERRUPTED = 130;

/**
 * Measures the parts that are asked for, in their order, writes `bench/results.json` and a table, and has the process end
 * with 1 when a target is missed. `tidy` is what an interruption has to remove before the process ends.
 */
export async function measureParts(
  measures: Readonly<Record<string, Measure>>,
  tidy: () => Promise<void> = async () => {},
): Promise<void> {
  let interruption: Promise<void> | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      interruption ??= tidy().finally(() => process.exit(INTERRUPTED));
    });
  }
  const { parts, sizes } = settingsFrom(process.env, Object.keys(measures));
  assertCores();
  process.stderr.write(
    `${describeMachine()}${sizes.quick ? "; QUICK sizes, not the targets'" : ""}\n`,
  );
  const results: Result[] = [];
  for (const [part, measure] of Object.entries(measures)) {
    if (!parts.has(part)) continue;
    process.stderr.write(`${part}\n`);
    results.push(...(await measure(sizes).catch((error) => failed(error, interruption))));
  }
  // Figures of small sizes are printed and never kept.
  if (!sizes.quick) await writeResults(join(import.meta.dirname, "../results.json"), results);
  process.stderr.write(`\n${tableOf(results)}\n`);
  const missed = results.filter(({ ok }) => !ok);
  if (missed.length > 0) note(`missed: ${missed.map(({ name }) => name).join(", ")}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

/** What is interrupted fails too: that is no news, and the process ends when everything is tidy. */
async function failed(error: unknown, interruption: Promise<void> | undefined): Promise<never> {
  await interruption;
  throw error;
}
