import { Argument, Command } from "commander";
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from "../completion/scripts.ts";
import { placesOf } from "../completion/places.ts";

/** `feedctl completion SHELL`: a script that completes commands, options and their values; docs/operating/command-line.md. */
export function completionCommand(program: Command): Command {
  return new Command("completion")
    .description("Print a script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .action((shell: Shell) => {
      console.log(COMPLETION_SCRIPTS[shell](placesOf(program)));
    });
}
