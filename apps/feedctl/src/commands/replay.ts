import { InvalidArgumentError, type Command } from "commander";
import type { InstallationConfig } from "@feed/engines";
import { PROJECTION_NAMES } from "@feed/projector/projections";
import type { ReplayFrom } from "@feed/projector/replay/ranges";
import type { Logger } from "@feed/runtime";
import { ProgressBar } from "../progress-bar.ts";
import type { ProjectionReplay, ReplayRequest } from "../replay-role.ts";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";
import { projectionsNamed } from "./projection-names.ts";
import { textTable } from "./text-table.ts";

interface ReplayFlags extends OperatingFlags {
  readonly from: ReplayFrom;
  readonly dryRun: boolean;
}

const FAILURES_SHOWN_MAX = 20;

/** `feedctl replay PROJECTION`: a part of the log once more; docs/operating/replay.md. */
export function replayCommand(dataDefault: string): Command {
  return operatingCommand(
    "replay",
    "Read the log into a projection once more; what it has already changes nothing",
    dataDefault,
  )
    .argument("<projection>", "a projection, or a read model for all of its projections")
    .option(
      "--from <place>",
      "beginning, a time such as 2026-11-01T00:00:00Z, or offsets as partition:offset,…",
      replayFrom,
      { kind: "beginning" } as ReplayFrom,
    )
    .option("--dry-run", "say what would be read, and change nothing", false)
    .action((name: string, flags: ReplayFlags) =>
      operate("replay", flags, async (installation, log) => {
        const projections = projectionsNamed([name], PROJECTION_NAMES);
        const { from, dryRun: isDry } = flags;
        const replays = await replayed(installation, log, { projections, from, isDry });
        const json = { dry_run: isDry, replays: replays.map(presented) };
        console.log(flags.json ? JSON.stringify(json) : replayText(replays, isDry));
        return replays.some(({ failures }) => failures.length > 0) ? "found" : "well";
      }),
    );
}

/** As typed: `beginning`, an RFC 3339 time, or `partition:offset`, several with commas between. */
export function replayFrom(text: string): ReplayFrom {
  if (text === "beginning") return { kind: "beginning" };
  if (/^\d+:\d+(,\d+:\d+)*$/.test(text)) {
    const pairs = text.split(",").map((pair) => pair.split(":").map(Number) as [number, number]);
    return { kind: "offsets", offsets: new Map(pairs) };
  }
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const atMs = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new InvalidArgumentError("not beginning, a time with its zone, or partition:offset,…");
  return { kind: "time", atMs };
}

async function replayed(
  installation: InstallationConfig,
  log: Logger,
  request: Pick<ReplayRequest, "projections" | "from" | "isDry">,
): Promise<readonly ProjectionReplay[]> {
  const { replayProjections } = await import("../replay-role.ts");
  const stop = new AbortController();
  const interrupted = new Error("interrupted: what was read has its effect, and can be read again");
  process.once("SIGINT", () => stop.abort(interrupted));
  using progress = new ProgressBar();
  const onProgress = (done: number, total: number) => progress.show(done, total);
  const watched = { ...request, signal: stop.signal, onProgress };
  return await replayProjections(installation, log, watched);
}

function presented({ projection, ranges, failures }: ProjectionReplay) {
  return {
    projection,
    records: recordsOf({ ranges }),
    partitions: ranges.map(({ partition, from, to, records }) => ({
      partition,
      from_offset: from,
      to_offset: to,
      records,
    })),
    refused: failures.map(({ partition, offset, reason }) => ({ partition, offset, reason })),
  };
}

function replayText(replays: readonly ProjectionReplay[], isDry: boolean): string {
  const head = ["PROJECTION", "PARTITION", "FROM", "TO", "RECORDS"];
  const rows = replays.flatMap(({ projection, ranges }) =>
    ranges.map(({ partition, from, to, records }) => [
      projection,
      ...[partition, from, to, records].map(String),
    ]),
  );
  const done = isDry ? "would be read again" : "were read again";
  return [
    ...(isDry && rows.length > 0 ? [textTable([head, ...rows]), ""] : []),
    ...replays.map(({ projection, ranges }) => {
      const partitions = ranges.length === 1 ? "1 partition" : `${ranges.length} partitions`;
      return `${projection}: ${recordsOf({ ranges })} records of ${partitions} ${done}`;
    }),
    ...replays.flatMap(refusedLines),
  ].join("\n");
}

function refusedLines({ projection, failures }: ProjectionReplay): readonly string[] {
  if (failures.length === 0) return [];
  const shown = failures
    .slice(0, FAILURES_SHOWN_MAX)
    .map(
      ({ partition, offset, reason }) => `  partition ${partition}, offset ${offset}: ${reason}`,
    );
  return [`${projection} refuses ${failures.length} of them, as it did before:`, ...shown];
}

function recordsOf({ ranges }: Pick<ProjectionReplay, "ranges">): number {
  return ranges.reduce((sum, { records }) => sum + records, 0);
}
