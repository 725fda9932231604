import { Argument, type Command } from "commander";
import { READ_MODELS, type ReadModel } from "@feed/domain/read-models";
import type { ParityReport } from "@feed/domain/rebuilds";
import { OperationFailed } from "../failure.ts";
import type { RebuildOutcome } from "../rebuild/rebuild-role.ts";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";
import { textTable } from "./text-table.ts";

interface RebuildFlags extends OperatingFlags {
  /** Absent: after a report without differences. */
  readonly switch?: boolean;
  readonly rollBack?: boolean;
  readonly dropPrevious?: boolean;
}

/** `feedctl rebuild READ_MODEL`: the next version beside the live one; docs/operating/rebuild.md. */
export function rebuildCommand(dataDefault: string): Command {
  return operatingCommand(
    "rebuild",
    "Build the next version of a read model from the log, compare it with the live one, and switch",
    dataDefault,
  )
    .addArgument(new Argument("<read-model>", "which one").choices(READ_MODELS))
    .option("--no-switch", "build and compare alone")
    .option("--switch", "switch to the version that was built, whatever the report said")
    .option("--roll-back", "switch back to the version that was live before")
    .option("--drop-previous", "remove every version but the live one")
    .action((readModel: ReadModel, flags: RebuildFlags) =>
      operate("rebuild", flags, async (installation, log) => {
        const { openRebuild } = await import("../rebuild/rebuild-role.ts");
        const stop = new AbortController();
        const interrupted = new OperationFailed("interrupted: the live version is as it was");
        process.once("SIGINT", () => stop.abort(interrupted));
        await using rebuild = await openRebuild({
          installation,
          readModel,
          log,
          output: process.stderr,
          signal: stop.signal,
        });
        const outcome = await rebuild.run(workOf(flags));
        console.log(flags.json ? JSON.stringify(presented(outcome)) : outcomeText(outcome));
        return outcome.report?.agrees === false ? "found" : "well";
      }),
    );
}

function workOf({ switch: switches, rollBack = false, dropPrevious = false }: RebuildFlags) {
  if (rollBack) return "roll-back";
  if (dropPrevious) return "drop-previous";
  if (switches === true) return "switch";
  return switches === false ? "build" : "build-and-switch";
}

function presented({ readModel, versions, built, report }: RebuildOutcome) {
  const { live, kept, previous } = versions;
  return {
    read_model: readModel,
    live_version: live,
    previous_version: previous ?? null,
    kept_versions: kept,
    built:
      built === undefined
        ? null
        : {
            version: built.version,
            records: built.records,
            seconds: built.tookMs / 1_000,
            records_per_second: perSecond(built),
          },
    report: report === undefined ? null : presentedReport(report),
  };
}

function presentedReport(report: ParityReport) {
  const { agrees, comparable, totals, samples, differing, differingSamples } = report;
  return {
    agrees,
    comparable,
    totals,
    samples,
    differing_samples: differingSamples,
    differing,
  };
}

function outcomeText({ readModel, versions, built, report }: RebuildOutcome): string {
  const lines: string[] = [];
  if (built !== undefined) {
    const { version, records, tookMs } = built;
    const seconds = (tookMs / 1_000).toFixed(1);
    lines.push(
      `version ${version} of ${readModel}: ${records} records in ${seconds} s, ${perSecond(built)}/s`,
    );
  }
  if (report !== undefined) lines.push(reportText(report));
  const { live, kept, previous } = versions;
  const others = kept.filter((version) => version !== live);
  const beside = others.length === 0 ? "" : `; kept beside it: ${others.join(", ")}`;
  const before = previous === undefined ? "" : ` (before: ${previous})`;
  lines.push(`live: version ${live}${before}${beside}`);
  if (report?.agrees === false)
    lines.push("the two differ: not switched; --switch does it all the same");
  return lines.join("\n");
}

function reportText(report: ParityReport): string {
  const { totals, samples, differing, differingSamples, comparable } = report;
  const rows = totals.map(({ name, live, next, agrees }) => [
    name,
    String(live),
    String(next),
    agrees ? "" : "differs",
  ]);
  const lines = [textTable([["TOTAL", "LIVE", "NEXT", ""], ...rows])];
  lines.push(`${samples} records looked at one by one, ${differingSamples} differ`);
  for (const name of differing) lines.push(`  ${name}`);
  if (!comparable)
    lines.push("the live version is behind the log and no projector keeps it up: start one");
  return lines.join("\n");
}

function perSecond({ records, tookMs }: { records: number; tookMs: number }): number {
  return Math.round((records * 1_000) / Math.max(1, tookMs));
}
