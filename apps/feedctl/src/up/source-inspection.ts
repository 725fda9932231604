import { healthOf } from "@feed/crawler/sources/health";
import type { Subscriptions } from "@feed/crawler";
import type { SourceDesk } from "@feed/crawler/sources/source-desk";
import { openLmdbCrawlState } from "@feed/crawler/state/lmdb-crawl-state";
import type { InstallationConfig } from "@feed/engines";
import { installationPaths } from "@feed/engines/paths";
import type { SourceInspection } from "@feed/http-api/dependencies";
import { systemClock } from "@feed/runtime";
import { OWN_ORIGIN, USER_AGENT } from "../settings.ts";

/** What operators are told of sources; what reads pages is loaded when it is first needed. */
export function openSourceInspection(
  { dataDirectory }: InstallationConfig,
  {
    ownOrigins,
    subscriptions,
  }: { readonly ownOrigins: readonly string[]; readonly subscriptions: Subscriptions },
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
    health(source) {
      const crawl = state.source(source.sourceId);
      const { subscription } = subscriptions.ofSource(source.sourceId) ?? {};
      return healthOf(source, { crawl, subscription }, clock.nowMs());
    },
    desk: () => (opening ??= open()),
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}
