import { Command } from "commander";
import { adminCommand } from "./commands/admin.ts";
import { completionCommand } from "./commands/completion.ts";
import { configCommand } from "./commands/config.ts";
import { deadLettersCommand } from "./commands/dead-letters.ts";
import { importCommand } from "./commands/import.ts";
import { lagCommand } from "./commands/lag.ts";
import { listenCommand } from "./commands/listen.ts";
import { logCommand } from "./commands/log.ts";
import { portNumber } from "./commands/parse.ts";
import { reanalyseCommand } from "./commands/reanalyse.ts";
import { rebuildCommand } from "./commands/rebuild.ts";
import { replayCommand } from "./commands/replay.ts";
import { roleCommands } from "./commands/roles.ts";
import { sourcesCommand } from "./commands/sources.ts";
import { sqlCommand } from "./commands/sql.ts";
import { verifyCommand } from "./commands/verify.ts";
import { webhooksCommand } from "./commands/webhooks.ts";
import { addProfiles } from "./profiles.ts";

const DEFAULT_PORT = 8080;
const DEFAULT_DATA = ".data";

/**
 * The whole command line.
 *
 * @param env the environment that commands read; a profile adds to it what it does not say.
 */
export function feedctlProgram(env: Record<string, string | undefined>): Command {
  const program = new Command("feedctl")
    .description("Runs and operates a content feed service")
    .showHelpAfterError();
  addProfiles(program, env);
  const commands = [
    upCommand(),
    ...roleCommands(DEFAULT_DATA, DEFAULT_PORT),
    importCommand(DEFAULT_DATA),
    sourcesCommand(DEFAULT_DATA),
    reanalyseCommand(DEFAULT_DATA),
    webhooksCommand(DEFAULT_DATA),
    listenCommand(DEFAULT_DATA),
    lagCommand(DEFAULT_DATA),
    deadLettersCommand(DEFAULT_DATA),
    verifyCommand(DEFAULT_DATA),
    sqlCommand(DEFAULT_DATA),
    replayCommand(DEFAULT_DATA),
    rebuildCommand(DEFAULT_DATA),
    adminCommand(DEFAULT_DATA, DEFAULT_PORT),
    logCommand(DEFAULT_DATA),
    configCommand(),
    completionCommand(program),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

function upCommand(): Command {
  return new Command("up")
    .description("Run the whole service in one process on embedded engines")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", portNumber, DEFAULT_PORT)
    .option("--data <directory>", "where everything is kept", DEFAULT_DATA)
    .option("--no-demo", "without demo publishers, demo tenant and playground")
    .action(async (options: { host: string; port: number; data: string; demo: boolean }) => {
      const { up } = await import("./up/up.ts");
      await up(options);
    });
}
