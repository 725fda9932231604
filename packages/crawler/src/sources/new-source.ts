import { createHash } from "node:crypto";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { SourcePreview } from "./preview.ts";

/** A source of twenty articles a day is asked as often as this, a busier one too. */
export const CRAWL_INTERVAL_MS_DEFAULT = 5 * 60_000;
export const CRAWL_INTERVAL_MS_MAX_DEFAULT = 60 * 60_000;
export const SOURCE_ID_CHARS_MAX = 128;

/** What an operator decides about a source; absent fields stay, or take their defaults. */
export type SourceChoices = Partial<
  Pick<
    Source,
    | "name"
    | "titleRewriteAllowed"
    | "language"
    | "crawlIntervalMs"
    | "crawlIntervalMsMax"
    | "paused"
    | "extraction"
    | "licenceNotes"
    | "publisher"
  >
>;

/** A source as its preview describes it and its operator wants it. */
export function newSource(
  preview: SourcePreview,
  sourceId: SourceId,
  choices: SourceChoices,
): Source {
  const language = choices.language ?? preview.language;
  const { publisher, ...others } = choices;
  return {
    url: preview.siteUrl,
    feedUrl: preview.feedUrl,
    name: preview.name,
    titleRewriteAllowed: false,
    colour: colourOf(sourceId),
    crawlIntervalMs: CRAWL_INTERVAL_MS_DEFAULT,
    crawlIntervalMsMax: Math.max(CRAWL_INTERVAL_MS_MAX_DEFAULT, choices.crawlIntervalMs ?? 0),
    paused: false,
    ...others,
    sourceId,
    ...(publisher === undefined || publisher === "" ? {} : { publisher }),
    ...(language === undefined ? {} : { language }),
  };
}

/** A source as its operator changes it. What no longer says anything is left out, an empty publisher too. */
export function changedSource(source: Source, choices: SourceChoices): Source {
  const { pausedReason, extraction, publisher, ...others } = { ...source, ...choices };
  const isOverridden =
    extraction !== undefined && extraction.keep.length + extraction.drop.length > 0;
  return {
    ...others,
    ...(others.paused && pausedReason !== undefined ? { pausedReason } : {}),
    ...(isOverridden ? { extraction } : {}),
    ...(publisher === undefined || publisher === "" ? {} : { publisher }),
  };
}

/** An id an operator can read: that of the site's host. */
export function sourceIdOf(siteUrl: string): SourceId {
  const { hostname } = new URL(siteUrl);
  const id = hostname.replace(/^www\./, "").replaceAll(/[^a-z0-9]+/g, "-");
  return asId<SourceId>(id.replaceAll(/^-|-$/g, "").slice(0, SOURCE_ID_CHARS_MAX));
}

/** Dark enough for white text on it, and always the same for a source. */
export function colourOf(sourceId: string): string {
  const bytes = createHash("sha256").update(sourceId).digest();
  return `#${[0, 1, 2].map((at) => (32 + ((bytes[at] ?? 0) % 112)).toString(16).padStart(2, "0")).join("")}`;
}
