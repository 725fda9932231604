import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { TenantDirectory } from "@feed/tenant-directory";
import { colourOf } from "../sources/new-source.ts";
import type { ArticleLine } from "./article-line.ts";

const CRAWL_INTERVAL_MS = 15 * 60_000;

/**
 * A source for imported articles. It has no feed, so it begins paused: giving it one and resuming
 * it is a change of it.
 */
export function sourceOf(line: ArticleLine): Source {
  const url = line.source_url ?? `${new URL(line.url).origin}/`;
  return {
    sourceId: asId<SourceId>(line.source_id),
    name: line.source_name ?? line.source_id,
    url,
    feedUrl: url,
    titleRewriteAllowed: false,
    colour: colourOf(line.source_id),
    crawlIntervalMs: CRAWL_INTERVAL_MS,
    paused: true,
    ...(line.language === undefined ? {} : { language: line.language }),
  };
}

/** Whether articles of this source may be imported; creates it where `createSources` says so. */
export async function admitSource(
  line: ArticleLine,
  options: {
    readonly directory: Pick<TenantDirectory, "source" | "change">;
    readonly createSources: boolean;
    readonly actor: string;
    readonly nowMs: number;
  },
): Promise<boolean> {
  const { directory, createSources, actor, nowMs } = options;
  if (directory.source(asId<SourceId>(line.source_id)) !== undefined) return true;
  if (!createSources) return false;
  await directory.change([{ type: "source.saved", source: sourceOf(line), actor, atMs: nowMs }]);
  return true;
}
