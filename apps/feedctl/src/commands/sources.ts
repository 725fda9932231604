import { Command } from "commander";
import { changedSource } from "@feed/crawler/sources/new-source";
import type { Source } from "@feed/domain/source";
import { systemClock } from "@feed/runtime";
import { addCommand } from "./sources-add.ts";
import { healthLines, sourceTable } from "./sources-text.ts";
import { withSources } from "./with-sources.ts";
import type { SourcesFlags } from "./with-sources.ts";

/** `feedctl sources …`: publishers added, looked at and changed; docs/operating/sources.md. */
export function sourcesCommand(dataDefault: string): Command {
  const sources = new Command("sources").description("Add, check and change what is crawled");
  const withFlags = (command: Command): Command =>
    command
      .option("--data <directory>", "data directory of the installation", dataDefault)
      .option("--json", "print the result as JSON", false);
  sources.addCommand(withFlags(addCommand()));
  sources.addCommand(withFlags(listCommand()));
  sources.addCommand(withFlags(checkCommand()));
  sources.addCommand(
    withFlags(
      changing("pause", "Stop crawling a source; its articles stay", "paused", (source) =>
        changedSource(source, { paused: true }),
      ),
    ),
  );
  sources.addCommand(
    withFlags(
      changing("resume", "Crawl a paused source again", "resumed", (source) =>
        changedSource(source, { paused: false }),
      ),
    ),
  );
  sources.addCommand(
    withFlags(
      changing(
        "recrawl",
        "Look at everything again, soon: feed, pages and pictures",
        "crawled again as soon as its turn comes",
        (source) => ({ ...source, recrawlFromMs: systemClock.nowMs() }),
      ),
    ),
  );
  sources.addCommand(
    withFlags(
      changing(
        "remove",
        "Stop crawling a source and take its articles out of every feed; adding it again brings them back",
        "removed",
        (source) => ({ ...source, removed: true }),
      ),
    ),
  );
  return sources;
}

function listCommand(): Command {
  return new Command("list").description("List the sources").action((flags: SourcesFlags) =>
    withSources(flags, async ({ directory, inspection }) => {
      const nowMs = systemClock.nowMs();
      const listed = directory
        .sources()
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map((source) => ({ source, health: inspection.health(source) }));
      console.log(flags.json ? JSON.stringify(listed) : sourceTable(listed, nowMs));
    }),
  );
}

function checkCommand(): Command {
  return new Command("check")
    .description("Show how the crawling of a source goes")
    .argument("<id>", "id of the source")
    .action((sourceId: string, flags: SourcesFlags) =>
      withSources(flags, async (sources) => {
        const source = sources.known(sourceId);
        const nowMs = systemClock.nowMs();
        const health = sources.inspection.health(source);
        console.log(
          flags.json
            ? JSON.stringify({ source, health })
            : healthLines(source, health, nowMs).join("\n"),
        );
        if (health.status === "failing") process.exitCode = 1;
      }),
    );
}

function changing(
  name: string,
  description: string,
  done: string,
  change: (source: Source) => Source,
): Command {
  return new Command(name)
    .description(description)
    .argument("<id>", "id of the source")
    .action((sourceId: string, flags: SourcesFlags) =>
      withSources(flags, async (sources) => {
        const source = change(sources.known(sourceId));
        await sources.save(source);
        console.log(flags.json ? JSON.stringify({ source }) : `${sourceId}: ${done}`);
      }),
    );
}
