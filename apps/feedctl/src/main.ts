import { Command } from "commander";
import { importCommand } from "./commands/import.ts";
import { portNumber } from "./commands/parse.ts";
import { reanalyseCommand } from "./commands/reanalyse.ts";
import { sourcesCommand } from "./commands/sources.ts";
import { reportFailure } from "./failure.ts";

const DEFAULT_PORT = 8080;
const DEFAULT_DATA = ".data";

const program = new Command("feedctl")
  .description("Runs and operates a content feed service")
  .showHelpAfterError();

program
  .command("up")
  .description("Run the whole service in one process on embedded engines")
  .option("--host <address>", "address to listen on", "127.0.0.1")
  .option("--port <number>", "port to listen on; 0 takes a free one", portNumber, DEFAULT_PORT)
  .option("--data <directory>", "where everything is kept", DEFAULT_DATA)
  .option("--no-demo", "without demo publishers, demo tenant and playground")
  .action(async (options: { host: string; port: number; data: string; demo: boolean }) => {
    const { up } = await import("./up/up.ts");
    await up(options);
  });

program.addCommand(importCommand(DEFAULT_DATA));
program.addCommand(sourcesCommand(DEFAULT_DATA));
program.addCommand(reanalyseCommand(DEFAULT_DATA));

try {
  await program.parseAsync();
  // Everything has been closed; a handle that a library forgot must not hold the process.
  process.exit();
} catch (error) {
  process.exit(reportFailure(error));
}
