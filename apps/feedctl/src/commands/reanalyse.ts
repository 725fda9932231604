import { resolve } from "node:path";
import { Command } from "commander";
import { asId, type SourceId } from "@feed/domain/ids";
import { readInstallationSettings } from "../settings.ts";
import { installationOfCommand } from "./installation-of-command.ts";

interface ReanalyseFlags {
  readonly data: string;
  readonly source?: string;
  readonly json: boolean;
}

/** `feedctl reanalyse`: what is derived from stored articles, made anew; docs/operating/reanalyse.md. */
export function reanalyseCommand(dataDefault: string): Command {
  return new Command("reanalyse")
    .description("Derive language, category, areas, quality and summaries of stored articles anew")
    .option("--data <directory>", "data directory of the installation", dataDefault)
    .option("--source <id>", "articles of this source alone")
    .option("--json", "print the result as JSON", false)
    .action(runReanalyse);
}

async function runReanalyse(flags: ReanalyseFlags): Promise<void> {
  const [{ openIngestParts }, { reanalyseArticles }, { roleLogger }] = await Promise.all([
    import("../ingest-parts.ts"),
    import("@feed/crawler"),
    import("../up/logging.ts"),
  ]);
  const config = readInstallationSettings(process.env);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted: what was revised stays")));
  const log = roleLogger("reanalyse", config.logLevel);
  await using parts = await openIngestParts(
    installationOfCommand(resolve(flags.data), config),
    log,
  );
  const startedAtMs = performance.now();
  const result = await reanalyseArticles({
    ...parts,
    ...(flags.source === undefined ? {} : { sourceId: asId<SourceId>(flags.source) }),
    signal: stop.signal,
    onProgress: ({ articles, revised }) => {
      const perSecond = Math.round((articles * 1000) / (performance.now() - startedAtMs));
      if (process.stderr.isTTY)
        process.stderr.write(
          `\r${articles} articles, ${revised} revised, ${perSecond} articles/s `,
        );
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  const { articles, revised, failed } = result;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const perSecond = Math.round(articles / seconds);
  console.log(
    flags.json
      ? JSON.stringify(result)
      : `${articles} articles: ${revised} revised, ${failed} unreadable; ${perSecond} articles/s`,
  );
}
