import { installationPaths, openCore, type InstallationConfig } from "@feed/engines";
import { openLmdbCrawlState, openSourceDesk } from "@feed/crawler";
import type { CrawlState, SourceDesk } from "@feed/crawler";
import { asId, type SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { ConfigError, systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { unreadable } from "./up/logging.ts";
import { OWN_ORIGIN, USER_AGENT } from "./settings.ts";
import { roleLogger } from "./up/logging.ts";

/** The sources of an installation, which may be running. */
export interface SourcesRole extends AsyncDisposable {
  readonly directory: TenantDirectory;
  readonly state: CrawlState;
  readonly desk: SourceDesk;
  /** @throws ConfigError where there is no such source, or it was removed. */
  known(sourceId: string): Source;
  save(source: Source): Promise<void>;
}

export async function openSources(options: {
  readonly installation: InstallationConfig;
  readonly ownOrigins: readonly string[];
  readonly logLevel: LogLevel;
}): Promise<SourcesRole> {
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("sources", options.logLevel);
  const core = opened.use(await openCore(options.installation, clock));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const paths = installationPaths(options.installation.dataDirectory);
  const state = opened.use(openLmdbCrawlState(paths.crawlState));
  const ownOrigins = new Map(options.ownOrigins.map((origin) => [origin, OWN_ORIGIN]));
  const desk = opened.use(openSourceDesk({ userAgent: USER_AGENT, ownOrigins, clock }));
  const owned = opened.move();
  return {
    directory,
    state,
    desk,
    known(sourceId) {
      const source = directory.source(asId<SourceId>(sourceId));
      if (source === undefined || source.removed === true)
        throw new ConfigError([`there is no source ${sourceId}`]);
      return source;
    },
    save: (source) =>
      directory.change([{ type: "source.saved", source, actor: "feedctl", atMs: clock.nowMs() }]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
