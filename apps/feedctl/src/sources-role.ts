import { openLmdbSubscriptions } from "@feed/crawler/websub/lmdb-subscriptions";
import type { InstallationConfig } from "@feed/engines";
import { openCore } from "@feed/engines/core";
import { installationPaths } from "@feed/engines/paths";
import { asId, type SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { SourceInspection } from "@feed/http-api/dependencies";
import { ConfigError, systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { roleLogger, unreadable } from "./up/logging.ts";
import { openSourceInspection } from "./up/source-inspection.ts";

/** The sources of an installation, which may be running. */
export interface SourcesRole extends AsyncDisposable {
  readonly directory: TenantDirectory;
  readonly inspection: SourceInspection;
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
  const core = opened.use(await openCore(options.installation, clock, log));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const { crawlState } = installationPaths(options.installation.dataDirectory);
  const subscriptions = opened.use(openLmdbSubscriptions(crawlState));
  const inspection = opened.use(
    openSourceInspection(options.installation, { ownOrigins: options.ownOrigins, subscriptions }),
  );
  const owned = opened.move();
  return {
    directory,
    inspection,
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
