import type { Command } from "commander";
import type { InstallationConfig } from "@feed/engines";
import type { ProjectionName } from "@feed/projector/projections";
import { VERIFIED } from "@feed/projector/verify/verified";
import type { Verification } from "@feed/projector/verify/verify";
import type { Logger } from "@feed/runtime";
import { ProgressBar } from "../progress-bar.ts";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";
import { projectionsNamed } from "./projection-names.ts";
import { textTable } from "./text-table.ts";

const SAMPLES_MAX = 20;

/** `feedctl verify`: read models against a fresh fold of the log; docs/operating/verify.md. */
export function verifyCommand(dataDefault: string): Command {
  return operatingCommand(
    "verify",
    "Compare read models with a fresh fold of the log; ends with 1 where they differ",
    dataDefault,
  )
    .argument("[projection...]", "projections or read models; none: all")
    .action((names: readonly string[], flags: OperatingFlags) =>
      operate("verify", flags, async (installation, log) => {
        const projections = names.length === 0 ? VERIFIED : projectionsNamed(names, VERIFIED);
        const verifications = await verified(installation, log, projections);
        const json = { projections: verifications.map(presented) };
        console.log(flags.json ? JSON.stringify(json) : verifiedText(verifications));
        return verifications.some(({ differences }) => differences.length > 0) ? "found" : "well";
      }),
    );
}

async function verified(
  installation: InstallationConfig,
  log: Logger,
  projections: readonly ProjectionName[],
): Promise<readonly Verification[]> {
  const { verifyInstallation } = await import("../verify-role.ts");
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  using progress = new ProgressBar();
  const onProgress = (done: number, total: number) => progress.show(done, total);
  const watched = { projections, signal: stop.signal, onProgress };
  return await verifyInstallation(installation, log, watched);
}

function presented({ projection, records, compared, differences }: Verification) {
  return {
    projection,
    records,
    compared,
    differences: differences.length,
    by_kind: byKind({ differences }),
    samples: differences.slice(0, SAMPLES_MAX).map(({ kind, name }) => ({ kind, name })),
  };
}

function verifiedText(verifications: readonly Verification[]): string {
  const rows = verifications.map(({ projection, records, compared, differences }) => [
    projection,
    ...[records, compared, differences.length].map(String),
  ]);
  const table = textTable([["PROJECTION", "FACTS", "COMPARED", "DIFFERENT"], ...rows]);
  return [table, ...verifications.flatMap(differenceLines)].join("\n");
}

function differenceLines({ projection, differences }: Verification): readonly string[] {
  if (differences.length === 0) return [];
  const kinds = Object.entries(byKind({ differences })).map(([kind, count]) => `${count} ${kind}`);
  const samples = differences.slice(0, SAMPLES_MAX).map(({ kind, name }) => `  ${kind} ${name}`);
  const more = differences.length - samples.length;
  return [
    "",
    `${projection} differs from the log: ${kinds.join(", ")}`,
    ...samples,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function byKind({
  differences,
}: Pick<Verification, "differences">): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of differences) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
