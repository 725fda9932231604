import { removeClickHouseDatabase } from "@feed/activity-store/clickhouse";
import type { ClickHouseAddress } from "@feed/activity-store/clickhouse-url";
import { serveClickHouseVersion, ViewNameTaken } from "@feed/activity-store/served-views";
import { removeEmbeddedIndex } from "@feed/content-index/embedded";
import type { ReadModel } from "@feed/domain/read-models";
import type { ProjectorOptions } from "@feed/projector";
import { removeEmbeddedModels } from "@feed/read-state/embedded";
import type { Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { parseRedisUrl } from "./engine-urls.ts";
import { installationPaths } from "./paths.ts";
import { openActivityStore, openContentIndex, openEmbedder, openReadState } from "./stores.ts";

/** One version of one read model. */
export interface VersionPlace {
  readonly readModel: ReadModel;
  readonly version: number;
}

export interface VersionSurroundings {
  readonly installation: InstallationConfig;
  /** Of the activity store; the other read models need none. */
  readonly activity?: ClickHouseAddress;
}

/** A version opened for a projector. */
export type WritableVersion = AsyncDisposable &
  Pick<ProjectorOptions, "readState" | "contentIndex" | "activityStore">;

/** Opens a version for writing and makes it where it is missing. Errors: those of its port. */
export async function openVersion(
  { readModel, version }: VersionPlace,
  { installation, activity }: VersionSurroundings,
): Promise<WritableVersion> {
  switch (readModel) {
    case "read-state": {
      const readState = await openReadState(installation, version);
      return { readState, [Symbol.asyncDispose]: () => readState[Symbol.asyncDispose]() };
    }
    case "activity-store": {
      const activityStore = await openActivityStore(addressOf(activity), version);
      return { activityStore, [Symbol.asyncDispose]: () => activityStore[Symbol.asyncDispose]() };
    }
    case "content-index": {
      await using opened = new AsyncDisposableStack();
      const embedder = opened.use(await openEmbedder(installation));
      const access = { writer: true, version };
      const index = opened.use(await openContentIndex(installation, embedder, access));
      const owned = opened.move();
      const contentIndex = { index, embedder };
      return { contentIndex, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    }
  }
}

/** Removes what a version holds, once nobody writes to it; one that is not there is no error. */
export async function removeVersion(
  { readModel, version }: VersionPlace,
  { installation, activity }: VersionSurroundings,
): Promise<void> {
  const { dataDirectory, engines = {} } = installation;
  const paths = installationPaths(dataDirectory);
  switch (readModel) {
    case "read-state": {
      if (engines.readState === undefined)
        return removeEmbeddedModels({ directory: paths.readState, version });
      const { removeRedisModels } = await import("@feed/read-state/redis");
      const { url, prefix } = parseRedisUrl(engines.readState);
      return removeRedisModels({ url, keyPrefix: prefix, version });
    }
    case "activity-store": {
      const { options, ...endpoint } = addressOf(activity);
      return removeClickHouseDatabase(endpoint, { ...options, version });
    }
    case "content-index": {
      if (engines.contentIndex === undefined)
        return removeEmbeddedIndex(paths.contentIndex, version);
      const { parseElasticsearchUrl, removeElasticsearchIndex } =
        await import("@feed/content-index/elasticsearch");
      await using embedder = await openEmbedder(installation);
      const { model } = embedder;
      return removeElasticsearchIndex(parseElasticsearchUrl(engines.contentIndex), {
        model,
        version,
      });
    }
  }
}

/**
 * Points the name under which others than the service read at a version that has been opened before. May be repeated.
 * Only the activity store has readers of its own: data teams. Where somebody else has taken the name of one of their views,
 * the views stay as they are, and `log` says what to do: the service itself needs none of them.
 *
 * Errors: ActivityStoreUnavailable, ActivityStoreRejected.
 */
export async function nameVersion(
  { readModel, version }: VersionPlace,
  { activity }: VersionSurroundings,
  log: Pick<Logger, "error">,
): Promise<void> {
  if (readModel !== "activity-store") return;
  const { options, ...endpoint } = addressOf(activity);
  try {
    await serveClickHouseVersion(endpoint, { ...options, version });
  } catch (error) {
    if (!(error instanceof ViewNameTaken)) throw error;
    log.error({ version }, `the views of data teams are left as they are: ${error.message}`);
  }
}

function addressOf(activity: ClickHouseAddress | undefined): ClickHouseAddress {
  if (activity === undefined) throw new Error("the activity store was opened without its engine");
  return activity;
}
