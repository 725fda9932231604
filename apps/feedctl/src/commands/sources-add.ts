import { createInterface } from "node:readline/promises";
import { Command, InvalidArgumentError } from "commander";
import { newSource, sourceIdOf, SOURCE_ID_CHARS_MAX } from "@feed/crawler/sources/new-source";
import type { SourceChoices } from "@feed/crawler/sources/new-source";
import { asId, type SourceId } from "@feed/domain/ids";
import { ConfigError } from "@feed/runtime";
import type { SourcesRole } from "../sources-role.ts";
import { previewLines } from "./sources-text.ts";
import { withSources } from "./with-sources.ts";
import type { SourcesFlags } from "./with-sources.ts";

interface AddFlags extends SourcesFlags {
  readonly id?: string;
  readonly name?: string;
  readonly titleRewrite: boolean;
  readonly interval?: Bounds;
  readonly language?: string;
  readonly keep: readonly string[];
  readonly drop: readonly string[];
  readonly notes?: string;
  readonly publisher?: string;
  readonly yes: boolean;
}

interface Bounds {
  readonly crawlIntervalMs: number;
  readonly crawlIntervalMsMax: number;
}

/** `feedctl sources add ADDRESS`: shows what a source would give, then saves it. */
export function addCommand(): Command {
  return new Command("add")
    .description("Find the feed of a site, show what it would give, and save it as a source")
    .argument("<address>", "address of a site or a feed")
    .option("--id <id>", "id of the source; made from the host", sourceIdText)
    .option("--name <name>", "publisher's name; the feed's title")
    .option("--title-rewrite", "applications may show a reworded title", false)
    .option(
      "--interval <span>",
      "5m: always; 5m-2h: between these, as it publishes",
      intervalBounds,
    )
    .option("--language <tag>", "BCP 47; worked out", languageTag)
    .option(
      "--keep <selector>",
      "the article is what this CSS selector matches; repeatable",
      listed,
      [],
    )
    .option("--drop <selector>", "taken out of its pages before; repeatable", listed, [])
    .option("--notes <text>", "what is known of the rights")
    .option("--publisher <name>", "sources of one name share articles; the domain of its site")
    .option("--yes", "save without asking", false)
    .action((address: string, flags: AddFlags) =>
      withSources(flags, (sources) => add(address, flags, sources)),
    );
}

async function add(address: string, flags: AddFlags, sources: SourcesRole): Promise<void> {
  const { directory } = sources;
  const desk = await sources.inspection.desk();
  const choices = choicesOf(flags);
  const wrong = [...flags.keep, ...flags.drop].filter((selector) => !desk.isSelector(selector));
  if (wrong.length > 0) throw new ConfigError(wrong.map((text) => `${text} is no CSS selector`));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted: nothing was saved")));
  const preview = await desk.preview(withScheme(address), choices.extraction, stop.signal);
  const source = newSource(
    preview,
    asId<SourceId>(flags.id ?? sourceIdOf(preview.siteUrl)),
    choices,
  );
  const { sourceId } = source;
  const existing = directory.source(sourceId);
  if (existing !== undefined && existing.removed !== true)
    throw new ConfigError([`there is a source ${sourceId} already; --id names another`]);
  if (!flags.json) console.log(previewLines(preview).join("\n"));
  const saved = flags.yes || (!flags.json && (await isWanted(sourceId)));
  if (saved) await sources.save(source);
  if (flags.json) console.log(JSON.stringify({ saved, source, preview }));
  else console.log(saved ? `\nsaved as ${sourceId}` : "\nnot saved; --yes saves it");
  if (!saved) process.exitCode = 1;
}

function choicesOf(flags: AddFlags): SourceChoices {
  const { keep, drop, name, language, publisher, notes: licenceNotes } = flags;
  return {
    titleRewriteAllowed: flags.titleRewrite,
    ...flags.interval,
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    ...(licenceNotes === undefined ? {} : { licenceNotes }),
    ...(publisher === undefined ? {} : { publisher }),
    ...(keep.length + drop.length === 0 ? {} : { extraction: { keep, drop } }),
  };
}

async function isWanted(sourceId: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\nSave it as ${sourceId}? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function withScheme(address: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}

function listed(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function intervalBounds(text: string): Bounds {
  const [, shortest, longest] = /^(\d{1,5}[smh])(?:-(\d{1,5}[smh]))?$/.exec(text) ?? [];
  if (shortest === undefined) throw new InvalidArgumentError("not a span such as 5m or 5m-2h");
  const crawlIntervalMs = spanMs(shortest);
  const crawlIntervalMsMax = longest === undefined ? crawlIntervalMs : spanMs(longest);
  if (crawlIntervalMsMax < crawlIntervalMs)
    throw new InvalidArgumentError("the longer span comes last");
  return { crawlIntervalMs, crawlIntervalMsMax };
}

function spanMs(text: string): number {
  return Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0);
}

function sourceIdText(text: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(text) || text.length > SOURCE_ID_CHARS_MAX)
    throw new InvalidArgumentError(`not 1 to ${SOURCE_ID_CHARS_MAX} of A-Z a-z 0-9 . _ -`);
  return text;
}

function languageTag(text: string): string {
  try {
    return new Intl.Locale(text).language;
  } catch {
    throw new InvalidArgumentError("not a BCP 47 tag such as ja or en");
  }
}
