import { resolve } from "node:path";
import type { SourcesRole } from "../sources-role.ts";
import { ownOriginsOf, readInstallationSettings } from "../settings.ts";
import { installationOfCommand } from "./installation-of-command.ts";

export interface SourcesFlags {
  readonly data: string;
  readonly json: boolean;
}

/** Opens the sources, does the work, and closes whatever comes. */
export async function withSources<Result>(
  flags: Pick<SourcesFlags, "data">,
  work: (sources: SourcesRole) => Promise<Result>,
): Promise<Result> {
  const { openSources } = await import("../sources-role.ts");
  const config = readInstallationSettings(process.env);
  await using sources = await openSources({
    installation: installationOfCommand(resolve(flags.data), config),
    ownOrigins: ownOriginsOf(config),
    logLevel: config.logLevel,
  });
  return await work(sources);
}
