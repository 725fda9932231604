import type { HubHealth, SourceHealth } from "@feed/crawler";
import type { SourcePreview } from "@feed/crawler";
import { publisherOf } from "@feed/crawler/publisher";
import type { Source } from "@feed/domain/source";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time span as an operator says it: `45 s`, `5 min`, `2.5 h`, `3 d`. */
export function spanText(spanMs: number): string {
  const rounded = (unitMs: number): string => String(Math.round((spanMs / unitMs) * 10) / 10);
  if (spanMs < MINUTE_MS) return `${Math.round(spanMs / 1_000)} s`;
  if (spanMs < HOUR_MS) return `${rounded(MINUTE_MS)} min`;
  return spanMs < 2 * DAY_MS ? `${rounded(HOUR_MS)} h` : `${rounded(DAY_MS)} d`;
}

export function previewLines(preview: SourcePreview): readonly string[] {
  const { article } = preview;
  const entries = preview.entries.map(
    ({ title, publishedAtMs }) => `  ${dayText(publishedAtMs)}  ${title}`,
  );
  const shown =
    article === undefined
      ? []
      : [
          "",
          `First article: ${article.title}`,
          `  ${article.textChars} characters, ${article.pictures} pictures`,
          `  ${article.excerpt}`,
        ];
  const { problems } = preview;
  return [
    `${preview.name} (${preview.format}, ${preview.language ?? "language unknown"})`,
    `  site ${preview.siteUrl}`,
    `  feed ${preview.feedUrl}`,
    "",
    `${preview.entriesFound} entries${entries.length < preview.entriesFound ? `, the newest ${entries.length}` : ""}:`,
    ...entries,
    ...shown,
    "",
    problems.length === 0 ? "No problems found." : "Problems:",
    ...problems.map((problem) => `  ${problem}`),
  ];
}

export interface ListedSource {
  readonly source: Source;
  readonly health: SourceHealth;
}

export function sourceTable(listed: readonly ListedSource[], nowMs: number): string {
  const rows = listed.map(({ source, health }) => [
    source.sourceId,
    health.status,
    successText(health, nowMs),
    spanText(health.intervalMs),
    health.lagMs === undefined ? "-" : spanText(health.lagMs),
    source.name,
  ]);
  const table = [["ID", "STATUS", "LAST SUCCESS", "INTERVAL", "LAG", "NAME"], ...rows];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function healthLines(
  source: Source,
  health: SourceHealth,
  nowMs: number,
): readonly string[] {
  const { errorRate, lagMs, nextDueMs, errors } = health;
  const { pausedReason } = source;
  const status = pausedReason === undefined ? health.status : `${health.status}: ${pausedReason}`;
  return [
    `${source.name} (${source.sourceId})`,
    `  status        ${status}`,
    `  feed          ${source.feedUrl}`,
    `  publisher     ${publisherOf(source) || "itself alone"}`,
    `  last success  ${successText(health, nowMs)}`,
    `  next crawl    ${nextDueMs === undefined ? "-" : inText(nextDueMs - nowMs)}`,
    `  interval      ${spanText(health.intervalMs)}, ${boundsText(source)}`,
    `  error rate    ${errorRate === undefined ? "-" : `${Math.round(errorRate * 100)} %`}`,
    `  lag           ${lagMs === undefined ? "-" : spanText(lagMs)}`,
    `  language      ${source.language ?? "worked out"}`,
    `  titles        ${source.titleRewriteAllowed ? "may be reworded" : "as they are"}`,
    ...(source.extraction?.keep ?? []).map((selector) => `  keep          ${selector}`),
    ...(source.extraction?.drop ?? []).map((selector) => `  drop          ${selector}`),
    ...(health.hub === undefined ? [] : [`  hub           ${hubText(health.hub, nowMs)}`]),
    ...(source.licenceNotes === undefined ? [] : [`  licence notes ${source.licenceNotes}`]),
    ...(errors.length === 0 ? ["  no errors"] : ["  errors, newest first:"]),
    ...errors.map(({ atMs, url, what }) => `    ${agoText(atMs, nowMs)}  ${what}  ${url}`),
  ];
}

function boundsText({ crawlIntervalMs, crawlIntervalMsMax }: Source): string {
  if (crawlIntervalMsMax === undefined || crawlIntervalMsMax === crawlIntervalMs) return "fixed";
  return `between ${spanText(crawlIntervalMs)} and ${spanText(crawlIntervalMsMax)}`;
}

function hubText(hub: HubHealth, nowMs: number): string {
  const { problem, lastPushMs, forgedPushMs, leaseUntilMs = nowMs } = hub;
  const again = `asked again ${inText(hub.nextAskMs - nowMs)}`;
  const said = {
    wanted: "to be asked; PUBLIC_URL has to be set for that",
    asked: "asked, has not verified yet",
    active: `pushes for the next ${spanText(leaseUntilMs - nowMs)}`,
    denied: `not subscribed, ${again}`,
    failed: `not subscribed, ${again}`,
  }[hub.status];
  const facts = [
    said,
    ...(problem === undefined ? [] : [problem]),
    ...(lastPushMs === undefined ? [] : [`last push ${agoText(lastPushMs, nowMs)}`]),
    ...(forgedPushMs === undefined
      ? []
      : [`a push without the right signature was ignored ${agoText(forgedPushMs, nowMs)}`]),
  ];
  return `${hub.url}: ${facts.join("; ")}`;
}

/** `never` is for a source that has been crawled, and could not be read. */
function successText({ status, lastSuccessMs }: SourceHealth, nowMs: number): string {
  return status === "new" ? "first crawl not ended" : agoText(lastSuccessMs, nowMs);
}

function agoText(timeMs: number | undefined, nowMs: number): string {
  return timeMs === undefined ? "never" : `${spanText(Math.max(0, nowMs - timeMs))} ago`;
}

function inText(spanMs: number): string {
  return spanMs <= 0 ? "now" : `in ${spanText(spanMs)}`;
}

function dayText(timeMs: number | undefined): string {
  return timeMs === undefined ? "no date         " : new Date(timeMs).toISOString().slice(0, 16);
}
