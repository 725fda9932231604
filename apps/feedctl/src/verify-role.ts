import { openCore, type InstallationConfig } from "@feed/engines";
import { readModelOf, type ProjectionName } from "@feed/projector";
import { readLetters } from "@feed/projector/dead-letters/letters";
import { allChecks } from "@feed/projector/verify/all-checks";
import { verifyReadModels, type Verification } from "@feed/projector/verify/verify";
import { systemClock, type Logger } from "@feed/runtime";
import { openReadModels } from "./operating-role.ts";

/** Compares projections of an installation, which may be running, with a fresh fold of its log. */
export async function verifyInstallation(
  installation: InstallationConfig,
  log: Logger,
  options: {
    readonly projections: readonly ProjectionName[];
    readonly signal: AbortSignal;
    readonly onProgress: (done: number, total: number) => void;
  },
): Promise<readonly Verification[]> {
  const { projections, ...watched } = options;
  await using core = await openCore(installation, systemClock, log);
  const asked = new Set(projections.map(readModelOf));
  await using models = await openReadModels(installation, core, asked, { writer: false });
  const checks = allChecks(models, core).filter(({ projection }) =>
    projections.includes(projection),
  );
  const letters = await readLetters(core);
  return await verifyReadModels(checks, { eventLog: core.eventLog, letters, ...watched });
}
