import { Command } from "commander";
import { ConfigError } from "@feed/runtime";
import { openIdFailures, openIdSettingsOf } from "../openid-settings.ts";
import {
  effectiveSettings,
  ENGINE_VARIABLES,
  enginesOf,
  readInstallationSettings,
} from "../settings.ts";

interface CheckFlags {
  readonly json?: boolean;
  readonly connect: boolean;
}

/** `feedctl config check`: whether a role would start with these settings, and which they are. */
export function configCommand(): Command {
  const config = new Command("config").description("Looks at the settings of the environment");
  config
    .command("check")
    .description(
      "Say what is wrong with the settings or with the engines and the identity provider that they name, or what they are, without their secrets",
    )
    .option("--json", "as JSON")
    .option("--no-connect", "look at the settings alone")
    .action(async ({ json = false, connect }: CheckFlags) => {
      const violations = await violationsOf(process.env, connect);
      if (violations.length > 0) {
        if (json) console.log(JSON.stringify({ ok: false, violations }));
        throw new ConfigError(violations);
      }
      const settings = effectiveSettings(process.env);
      if (json) console.log(JSON.stringify({ ok: true, settings }));
      else
        for (const [variable, value] of Object.entries(settings))
          console.log(`${variable.padEnd(VARIABLE_WIDTH)} ${value}`);
    });
  return config;
}

const VARIABLE_WIDTH = 20;

/** Of the settings; where they are well formed, of the engines and the provider that they name. */
async function violationsOf(env: NodeJS.ProcessEnv, connects: boolean): Promise<readonly string[]> {
  try {
    const config = readInstallationSettings(env);
    if (!connects) return [];
    const { engineFailures } = await import("@feed/engines/reaching");
    const failures = await Promise.all([
      engineFailures(enginesOf(config), ENGINE_VARIABLES),
      openIdFailures(openIdSettingsOf(config)),
    ]);
    return failures.flat();
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
}
