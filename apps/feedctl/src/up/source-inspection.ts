import { healthOf } from "@feed/crawler/sources/health";
import type { SourceDesk } from "@feed/crawler/sources/source-desk";
import { openLmdbCrawlState } from "@feed/crawler/state/lmdb-crawl-state";
import { installationPaths, type InstallationConfig } from "@feed/engines";
import type { SourceInspection } from "@feed/http-api/dependencies";
import { systemClock } from "@feed/runtime";
import { OWN_ORIGIN, USER_AGENT } from "../settings.ts";

/** What the API tells operators of sources; what reads pages is loaded when it is first needed. */
export function openSourceInspection(
  { dataDirectory }: InstallationConfig,
  ownOrigins: readonly string[],
): SourceInspection & AsyncDisposable {
  const clock = systemClock;
  const state = openLmdbCrawlState(installationPaths(dataDirectory).crawlState);
  let opening: Promise<SourceDesk> | undefined;
  const open = async (): Promise<SourceDesk> => {
    const { openSourceDesk } = await import("@feed/crawler/sources/source-desk");
    const politeness = new Map(ownOrigins.map((origin) => [origin, OWN_ORIGIN]));
    return openSourceDesk({ userAgent: USER_AGENT, ownOrigins: politeness, clock });
  };
  return {
    health: (source) => healthOf(source, state.source(source.sourceId), clock.nowMs()),
    desk: () => (opening ??= open()),
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}
