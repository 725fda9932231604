import type { ReadModel, ReadModelVersions } from "@feed/domain/read-models";
import type { ParityReport } from "@feed/domain/rebuilds";
import {
  followReadModelVersions,
  openCore,
  useActivityEngine,
  type InstallationConfig,
} from "@feed/engines";
import { systemClock, type Logger } from "@feed/runtime";
import { ProgressBar, type ProgressOutput } from "../progress-bar.ts";
import { toldOf } from "./rebuild-diary.ts";
import {
  buildNext,
  dropVersion,
  RebuildFailed,
  switchTo,
  type BuiltVersion,
  type RebuildOptions,
} from "./rebuilding.ts";

/** What a call is to do. */
export type RebuildWork = "build" | "build-and-switch" | "switch" | "roll-back" | "drop-previous";

export interface RebuildOutcome {
  readonly readModel: ReadModel;
  /** As they are now. */
  readonly versions: ReadModelVersions;
  /** Absent where nothing was built. */
  readonly built?: Pick<BuiltVersion, "version" | "records" | "tookMs">;
  readonly report?: ParityReport;
}

export interface RebuildRoleOptions extends Pick<RebuildOptions, "readModel" | "log" | "signal"> {
  readonly installation: InstallationConfig;
  /** Where progress is shown. */
  readonly output: ProgressOutput;
}

/** Opens what a rebuild works with, beside a running service or without one. */
export async function openRebuild({
  installation,
  readModel,
  output,
  log,
  signal,
}: RebuildRoleOptions) {
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(installation, systemClock, log));
  const versions = opened.use(await followReadModelVersions(core));
  const activity =
    readModel === "activity-store"
      ? { activity: opened.use(await useEngine(installation, log)).endpoint }
      : {};
  const surroundings = { installation, ...activity };
  const options = { readModel, core, versions, surroundings, log, signal };
  const owned = opened.move();
  return {
    run: (work: RebuildWork) => run(options, work, output),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function useEngine(installation: InstallationConfig, log: Logger) {
  return useActivityEngine(installation, (reason) => log.error({ reason }, "ClickHouse ended"));
}

async function run(
  options: RebuildOptions,
  work: RebuildWork,
  output: ProgressOutput,
): Promise<RebuildOutcome> {
  const { readModel, versions } = options;
  const { live, kept, previous } = versions.of(readModel);
  const outcome = () => ({ readModel, versions: versions.of(readModel) });
  switch (work) {
    case "switch":
      await switchTo(
        options,
        present(
          kept.findLast((version) => version !== live),
          options,
        ),
      );
      return outcome();
    case "roll-back":
      await switchTo(options, present(previous, options));
      return outcome();
    case "drop-previous":
      for (const version of kept) if (version !== live) await dropVersion(options, version);
      return outcome();
    case "build":
    case "build-and-switch": {
      using bar = new ProgressBar(output);
      const { report, ...built } = await toldOf(options, async (told) => {
        const progress = (done: number, total: number) => {
          bar.show(done, total);
          told.progress(done, total);
        };
        return buildNext(options, { ...told, progress });
      });
      if (work === "build-and-switch" && report.agrees) await switchTo(options, built.version);
      return { ...outcome(), built, report };
    }
  }
}

function present(version: number | undefined, { readModel }: RebuildOptions): number {
  if (version !== undefined) return version;
  throw new RebuildFailed(`there is no version of ${readModel} beside the live one`);
}
