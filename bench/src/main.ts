import { join } from "node:path";
import { assertCores, describeMachine } from "./machine.ts";
import { measureEvents } from "./parts/events.ts";
import { measureFeed } from "./parts/feed.ts";
import { measurePush } from "./parts/push.ts";
import { measureRebuild } from "./parts/rebuild.ts";
import { measureStart } from "./parts/start.ts";
import { note } from "./progress.ts";
import { tableOf, writeResults } from "./results.ts";
import type { Result } from "./results.ts";
import { PARTS, settingsFrom } from "./settings.ts";
import type { Part, Sizes } from "./settings.ts";

const MEASURES: Readonly<Record<Part, (sizes: Sizes) => Promise<readonly Result[]>>> = {
  feed: measureFeed,
  events: measureEvents,
  push: measurePush,
  rebuild: measureRebuild,
  start: measureStart,
};

const INTERRUPTED = 130;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(INTERRUPTED));
}
const { parts, sizes } = settingsFrom(process.env);
assertCores();
process.stderr.write(
  `${describeMachine()}${sizes.quick ? "; QUICK sizes, not the targets'" : ""}\n`,
);
const results: Result[] = [];
for (const part of PARTS.filter((name) => parts.has(name))) {
  process.stderr.write(`${part}\n`);
  results.push(...(await MEASURES[part](sizes)));
}
// Figures of small sizes are printed and never kept.
if (!sizes.quick) await writeResults(join(import.meta.dirname, "../results.json"), results);
process.stderr.write(`\n${tableOf(results)}\n`);
const missed = results.filter(({ ok }) => !ok);
if (missed.length > 0) note(`missed: ${missed.map(({ name }) => name).join(", ")}`);
process.exitCode = missed.length > 0 ? 1 : 0;
