import type { ActivityStore } from "@feed/activity-store";
import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import {
  parseClickHouseUrl,
  parseReadingUrl,
  type ClickHouseAddress,
} from "@feed/activity-store/clickhouse-url";
import { runningClickHouse, startEmbeddedClickHouse } from "@feed/activity-store/embedded";
import type { ContentIndex } from "@feed/content-index";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Embedder } from "@feed/embedder";
import { embedderFromUrl } from "@feed/embedder/open";
import type { ObjectStore } from "@feed/object-store";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import type { ReadState } from "@feed/read-state";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { systemClock, type Clock } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { InstallationConfig } from "./core.ts";
import { parseRedisUrl } from "./engine-urls.ts";
import { installationPaths } from "./paths.ts";

/**
 * What nobody removed. Results: a day after the service removes them itself (decisions, "Push jobs"), for an installation
 * that is no longer run. What a job works with goes when the job ends, and is left where it never began.
 */
const EXPIRY_DAYS = { "push-results/": 8, "push/": 30 };

/** One function for each port: the only place that picks an adapter. */

export async function openReadState(
  { dataDirectory, engines = {}, engineAnswerTimeoutMs: timeoutMs }: InstallationConfig,
  version = 1,
): Promise<ReadState> {
  if (engines.readState !== undefined) {
    const { openRedisReadState } = await import("@feed/read-state/redis");
    const { url, prefix } = parseRedisUrl(engines.readState);
    const keys = prefix === "" ? {} : { keyPrefix: prefix };
    const waiting = timeoutMs === undefined ? {} : { answerTimeoutMs: timeoutMs };
    return openRedisReadState({ url, ...keys, ...waiting, clock: systemClock, version });
  }
  return openEmbeddedReadState({ directory: installationPaths(dataDirectory).readState, version });
}

export function openEmbedder({ embedder, embedderApiKey }: InstallationConfig): Promise<Embedder> {
  return embedderFromUrl(embedder, embedderApiKey === undefined ? {} : { apiKey: embedderApiKey });
}

/** The index of the embedder's model and of a version; `writer` for the projector alone. */
export async function openContentIndex(
  { dataDirectory, engines = {}, engineAnswerTimeoutMs: timeoutMs }: InstallationConfig,
  { model, dimensions }: Pick<Embedder, "model" | "dimensions">,
  access: {
    readonly writer: boolean;
    readonly loadsWhenAsked?: boolean;
    readonly version?: number;
  },
): Promise<ContentIndex> {
  if (engines.contentIndex !== undefined) {
    const { openElasticsearchContentIndex, parseElasticsearchUrl } =
      await import("@feed/content-index/elasticsearch");
    const { writer, version = 1 } = access;
    const settings = parseElasticsearchUrl(engines.contentIndex);
    const waiting = timeoutMs === undefined ? {} : { requestTimeoutMs: timeoutMs };
    const place = { ...settings, ...waiting, writer, version };
    return openElasticsearchContentIndex({ ...place, model, dimensions });
  }
  const directory = installationPaths(dataDirectory).contentIndex;
  return openEmbeddedContentIndex({ directory, model, dimensions, ...access });
}

export async function openObjectStore(
  { dataDirectory, engines = {} }: InstallationConfig,
  options: { readonly keyring: Keyring; readonly clock: Clock; readonly baseUrl: () => string },
): Promise<ObjectStore> {
  if (engines.objectStore !== undefined) {
    const { openS3ObjectStore, parseS3Url } = await import("@feed/object-store/s3");
    const settings = parseS3Url(engines.objectStore);
    return openS3ObjectStore({ settings, expiryDays: EXPIRY_DAYS });
  }
  return openEmbeddedObjectStore({
    directory: installationPaths(dataDirectory).objectStore,
    expiryDays: EXPIRY_DAYS,
    ...options,
  });
}

/** What answers behind the activity store, and where. Disposing ends it, if it is this process's own. */
export interface ActivityEngine extends AsyncDisposable {
  readonly endpoint: ClickHouseAddress;
}

/**
 * The engine behind the activity store: a server, or one that is started here. The stores of all roles are opened on its
 * endpoint. `readingUrl`: where one that is started here answers data teams; absent: nowhere.
 */
export async function startActivityEngine(
  { dataDirectory, engines = {} }: InstallationConfig,
  onExit: (reason: string) => void,
  readingUrl?: string,
): Promise<ActivityEngine> {
  if (engines.activityStore !== undefined) {
    const endpoint = parseClickHouseUrl(engines.activityStore);
    return { endpoint, [Symbol.asyncDispose]: async () => {} };
  }
  return startEmbeddedClickHouse({
    directory: installationPaths(dataDirectory).activityStore,
    onExit,
    ...(readingUrl !== undefined && { reading: parseReadingUrl(readingUrl) }),
  });
}

/** For commands beside a running service: its engine where there is one, else one for as long as this is open. */
export async function useActivityEngine(
  installation: InstallationConfig,
  onExit: (reason: string) => void,
): Promise<ActivityEngine> {
  const { activityStore } = installationPaths(installation.dataDirectory);
  const running =
    installation.engines?.activityStore === undefined
      ? await runningClickHouse(activityStore)
      : undefined;
  if (running === undefined) return startActivityEngine(installation, onExit);
  return { endpoint: running, [Symbol.asyncDispose]: async () => {} };
}

export function openActivityStore(
  { options, ...endpoint }: ClickHouseAddress,
  version = 1,
): Promise<ActivityStore> {
  return openClickHouseActivityStore(endpoint, { ...options, version });
}
