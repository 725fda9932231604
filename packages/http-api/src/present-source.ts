import type { HubHealth, SourceHealth, SourcePreview } from "@feed/crawler";
import { publisherOf } from "@feed/crawler/publisher";
import type { Source } from "@feed/domain/source";
import type { AdminSource, SourceHealthRecord, SourcePreviewAnswer } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

export function presentSource(source: Source, health: SourceHealth): AdminSource {
  return {
    source_id: source.sourceId,
    name: source.name,
    url: source.url,
    feed_url: source.feedUrl,
    title_rewrite_allowed: source.titleRewriteAllowed,
    language: source.language ?? null,
    colour: source.colour,
    crawl_interval_ms: source.crawlIntervalMs,
    crawl_interval_ms_max: source.crawlIntervalMsMax ?? source.crawlIntervalMs,
    keep_selectors: [...(source.extraction?.keep ?? [])],
    drop_selectors: [...(source.extraction?.drop ?? [])],
    licence_notes: source.licenceNotes ?? null,
    publisher: publisherOf(source) || null,
    paused: source.paused,
    paused_reason: source.pausedReason ?? null,
    health: presentHealth(health),
  };
}

function presentHealth(health: SourceHealth): SourceHealthRecord {
  return {
    status: health.status,
    last_success_at: timeOrNull(health.lastSuccessMs),
    next_due_at: timeOrNull(health.nextDueMs),
    interval_ms: health.intervalMs,
    error_rate: health.errorRate ?? null,
    lag_ms: health.lagMs ?? null,
    errors: health.errors.map(({ atMs, url, what }) => ({ at: isoTime(atMs), url, what })),
    hub: health.hub === undefined ? null : presentHub(health.hub),
  };
}

function presentHub(hub: HubHealth): NonNullable<SourceHealthRecord["hub"]> {
  return {
    url: hub.url,
    status: hub.status,
    problem: hub.problem ?? null,
    lease_until: timeOrNull(hub.leaseUntilMs),
    next_ask_at: isoTime(hub.nextAskMs),
    last_push_at: timeOrNull(hub.lastPushMs),
    forged_push_at: timeOrNull(hub.forgedPushMs),
  };
}

export function presentPreview(preview: SourcePreview): SourcePreviewAnswer["data"] {
  const { article } = preview;
  return {
    name: preview.name,
    url: preview.siteUrl,
    feed_url: preview.feedUrl,
    format: preview.format,
    language: preview.language ?? null,
    entries_found: preview.entriesFound,
    entries: preview.entries.map(({ title, link, publishedAtMs }) => ({
      title,
      url: link,
      published_at: timeOrNull(publishedAtMs),
    })),
    article:
      article === undefined
        ? null
        : {
            title: article.title,
            url: article.url,
            excerpt: article.excerpt,
            text_chars: article.textChars,
            pictures: article.pictures,
          },
    problems: [...preview.problems],
  };
}

function timeOrNull(timeMs: number | undefined): string | null {
  return timeMs === undefined ? null : isoTime(timeMs);
}
