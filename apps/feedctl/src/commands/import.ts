import { resolve } from "node:path";
import { Command } from "commander";
import { readInstallationSettings } from "../settings.ts";
import { installationOfCommand } from "./installation-of-command.ts";
import { linesOfFile } from "./text-lines.ts";

interface ImportFlags {
  readonly data: string;
  readonly createSources: boolean;
  readonly json: boolean;
}

const PROBLEMS_SHOWN_MAX = 20;

/** `feedctl import FILE`: articles from JSON Lines into `contents`; docs/operating describes a line. */
export function importCommand(dataDefault: string): Command {
  return new Command("import")
    .description(
      "Import articles from a JSON Lines file (.gz is unpacked); repeating it changes nothing",
    )
    .argument("<file>", "the file, one article a line")
    .option("--data <directory>", "data directory of the installation", dataDefault)
    .option("--create-sources", "create sources that are not known yet", false)
    .option("--json", "print the result as JSON", false)
    .action(runImport);
}

async function runImport(file: string, flags: ImportFlags): Promise<void> {
  const { openImport } = await import("../import-role.ts");
  const config = readInstallationSettings(process.env);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted: what was imported stays")));
  await using importing = await openImport({
    installation: installationOfCommand(resolve(flags.data), config),
    logLevel: config.logLevel,
  });
  const startedAtMs = performance.now();
  let problems = 0;
  const result = await importing.run(linesOfFile(file), {
    createSources: flags.createSources,
    signal: stop.signal,
    onProgress: ({ lines, published }) => {
      const perSecond = Math.round((lines * 1000) / (performance.now() - startedAtMs));
      if (process.stderr.isTTY)
        process.stderr.write(`\r${published} articles, ${perSecond} lines/s `);
    },
    onProblem: ({ line, pointer, problem }) => {
      problems += 1;
      if (problems <= PROBLEMS_SHOWN_MAX) console.error(`line ${line}: ${pointer} ${problem}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  if (flags.json) console.log(JSON.stringify(result));
  else {
    const { published, unchanged, refused, lines } = result;
    console.log(
      `${lines} lines: ${published} articles published, ${unchanged} unchanged, ${refused} refused`,
    );
  }
  if (result.refused > 0) process.exitCode = 1;
}
