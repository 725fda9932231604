import type { ActivityStore } from "@feed/activity-store";
import {
  openClickHouseActivityStore,
  type ClickHouseEndpoint,
} from "@feed/activity-store/clickhouse";
import { startEmbeddedClickHouse, type EmbeddedClickHouse } from "@feed/activity-store/embedded";
import type { ContentIndex } from "@feed/content-index";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Embedder } from "@feed/embedder";
import { embedderFromUrl } from "@feed/embedder/open";
import type { ObjectStore } from "@feed/object-store";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import type { ReadState } from "@feed/read-state";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import type { Clock } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { InstallationConfig } from "./core.ts";
import { installationPaths } from "./paths.ts";

/** One function for each port: the only place that picks an adapter. */

export function openReadState({ dataDirectory }: InstallationConfig): Promise<ReadState> {
  return openEmbeddedReadState({ directory: installationPaths(dataDirectory).readState });
}

export function openEmbedder({ embedder, embedderApiKey }: InstallationConfig): Promise<Embedder> {
  return embedderFromUrl(embedder, embedderApiKey === undefined ? {} : { apiKey: embedderApiKey });
}

/** The index of the embedder's model; `writer` for the projector alone. */
export function openContentIndex(
  { dataDirectory }: InstallationConfig,
  { model, dimensions }: Pick<Embedder, "model" | "dimensions">,
  writer: boolean,
): Promise<ContentIndex> {
  const directory = installationPaths(dataDirectory).contentIndex;
  return openEmbeddedContentIndex({ directory, model, dimensions, writer });
}

export function openObjectStore(
  { dataDirectory }: InstallationConfig,
  options: { readonly keyring: Keyring; readonly clock: Clock; readonly baseUrl: () => string },
): Promise<ObjectStore> {
  return openEmbeddedObjectStore({
    directory: installationPaths(dataDirectory).objectStore,
    ...options,
  });
}

/** Starts the engine behind the activity store; the stores of all roles are opened on its endpoint. */
export function startActivityEngine(
  { dataDirectory }: InstallationConfig,
  onExit: (reason: string) => void,
): Promise<EmbeddedClickHouse> {
  return startEmbeddedClickHouse({
    directory: installationPaths(dataDirectory).activityStore,
    onExit,
  });
}

export function openActivityStore(endpoint: ClickHouseEndpoint): Promise<ActivityStore> {
  return openClickHouseActivityStore(endpoint);
}
