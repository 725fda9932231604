import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import type { InstallationConfig } from "@feed/engines";
import { installationPaths } from "@feed/engines/paths";
import { ConfigError, type Logger } from "@feed/runtime";
import { inOneLine, OperationFailed } from "../failure.ts";
import { readInstallationSettings } from "../settings.ts";
import { roleLogger } from "../up/logging.ts";
import { installationOfCommand } from "./installation-of-command.ts";

/** Flags of every command that looks after an installation. */
export interface OperatingFlags {
  readonly data: string;
  readonly json: boolean;
}

/** `found`: something is not as it should be, and the command ends with 1. */
export type Finding = "well" | "found";

/** A command with the flags that all of these have. A usage error ends it with 2. */
export function operatingCommand(name: string, description: string, dataDefault: string): Command {
  return new Command(name)
    .description(description)
    .option("--data <directory>", "data directory of the installation", dataDefault)
    .option("--json", "print the result as JSON", false)
    .exitOverride();
}

/**
 * Does an operator's work on an installation that is there, and sets the exit code by what was found.
 *
 * Errors: OperationFailed, in one line, whatever kept the work from being done.
 */
export async function operate(
  name: string,
  flags: OperatingFlags,
  work: (installation: InstallationConfig, log: Logger) => Promise<Finding>,
): Promise<void> {
  try {
    const config = readInstallationSettings(process.env);
    const installation = installationOfCommand(resolve(flags.data), config);
    assertPresent(installation);
    const finding = await work(installation, roleLogger(name, config.logLevel));
    if (finding === "found") process.exitCode = 1;
  } catch (error) {
    throw new OperationFailed(inOneLine(error), { cause: error });
  }
}

/** An embedded log is made where it is missing: a mistyped directory would be an installation in which all is well. */
function assertPresent({ dataDirectory, engines = {} }: InstallationConfig): void {
  if (engines.eventLog !== undefined || existsSync(installationPaths(dataDirectory).eventLog))
    return;
  throw new ConfigError([`there is no installation in ${dataDirectory}, and EVENT_LOG is not set`]);
}
