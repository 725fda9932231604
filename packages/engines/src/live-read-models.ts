import { ACTIVITY_TOPICS, type ActivityStore } from "@feed/activity-store";
import type { ClickHouseAddress } from "@feed/activity-store/clickhouse-url";
import type { ContentIndex } from "@feed/content-index";
import { removeEmbeddedIndex } from "@feed/content-index/embedded";
import { READ_STATE_PROJECTIONS, type ReadState } from "@feed/read-state";
import type { InstallationConfig } from "./core.ts";
import { GENERATIONS_PER_INDEX } from "./delegating-index.ts";
import { installationPaths } from "./paths.ts";
import type { VersionsFollower } from "./read-model-versions.ts";
import { openServingIndex, type ServingIndexOptions } from "./serving-index.ts";
import { openActivityStore, openReadState } from "./stores.ts";
import {
  delegating,
  leastOf,
  VersionSwitch,
  type Standing,
  type VersionSwitchOptions,
} from "./version-switch.ts";

/** Below the generations of an index that changes its model once. */
const GENERATIONS_PER_VERSION = 4 * GENERATIONS_PER_INDEX;

/** What outlives a version: it is the same in all of them, or in the memory of the process. */
const OUTLIVING: ReadonlySet<keyof ReadState> = new Set([
  "countRequest",
  "takeToken",
  "putSnapshot",
  "getSnapshot",
  "startIdempotent",
  "finishIdempotent",
  "abandonIdempotent",
]);

interface Live extends Pick<VersionSwitchOptions<never>, "versions" | "log" | "catchUpMs"> {}

/** The read state that requests are answered from: the live version, whichever that is when a call is made. */
export async function openLiveReadState(
  installation: InstallationConfig,
  live: Live,
): Promise<ReadState> {
  const stores = await VersionSwitch.open<ReadState>({
    ...live,
    readModel: "read-state",
    keepsFirst: true,
    open: (version) => openReadState(installation, version),
    standing: (store) => standingOf(READ_STATE_PROJECTIONS, (name) => store.positions(name)),
  });
  return delegating<ReadState>(
    (method) => (OUTLIVING.has(method) ? stores.first : stores.current),
    {
      positions: async (projection) =>
        leastOf(await Promise.all(stores.answering.map((store) => store.positions(projection)))),
      [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
    },
  );
}

/** The activity store that is asked: the live version, whichever that is when a call is made. */
export async function openLiveActivityStore(
  endpoint: ClickHouseAddress,
  live: Live,
): Promise<ActivityStore> {
  const stores = await VersionSwitch.open<ActivityStore>({
    ...live,
    readModel: "activity-store",
    open: (version) => openActivityStore(endpoint, version),
    standing: (store) => standingOf(ACTIVITY_TOPICS, (topic) => store.positions(topic)),
  });
  return delegating<ActivityStore>(() => stores.current, {
    positions: async (topic) =>
      leastOf(await Promise.all(stores.answering.map((store) => store.positions(topic)))),
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
  });
}

/** The content index that feeds are made from: the live version, whichever that is when a call is made. */
export async function openLiveIndex(
  options: Omit<ServingIndexOptions, "version">,
  { versions }: Pick<Live, "versions">,
): Promise<ContentIndex> {
  const { copies, installation, log } = options;
  let isFirst = true;
  const open = async (version: number): Promise<ContentIndex> => {
    // The first answers as soon as it can, all others when they are as quick as the one before.
    const opensFilled = !isFirst;
    const index = await openServingIndex({
      ...options,
      ...(copies === undefined ? {} : { copies: { ...copies, opensFilled } }),
      version,
    });
    isFirst = false;
    return index;
  };
  const stores = await VersionSwitch.open<ContentIndex>({
    versions,
    log,
    readModel: "content-index",
    open,
    standing: (index) => standingOf(["contents"], () => index.positions()),
  });
  const forgetCopies = versions.onChange(() => removeCopies(installation, versions));
  return delegating<ContentIndex>(() => stores.current, {
    positions: async () =>
      leastOf(await Promise.all(stores.answering.map((index) => index.positions()))),
    generation: () => stores.switches * GENERATIONS_PER_VERSION + stores.current.generation(),
    [Symbol.asyncDispose]: () => {
      forgetCopies();
      return stores[Symbol.asyncDispose]();
    },
  });
}

/** Copies of versions that were dropped. Those of other processes may still be read: the files go with the last one. */
function removeCopies(installation: InstallationConfig, versions: VersionsFollower): void {
  const { contentIndexCopy } = installationPaths(installation.dataDirectory);
  const { kept, highest } = versions.of("content-index");
  for (let version = 1; version <= highest; version += 1) {
    if (!kept.includes(version))
      removeEmbeddedIndex(contentIndexCopy, version).catch(() => undefined);
  }
}

async function standingOf<Name extends string>(
  names: readonly Name[],
  positionsOf: (name: Name) => Promise<ReadonlyMap<number, number>>,
): Promise<Standing> {
  const positions = await Promise.all(names.map((name) => positionsOf(name)));
  return new Map(
    names.flatMap((name, at) =>
      Array.from(positions[at] ?? [], ([partition, offset]) => [`${name} ${partition}`, offset]),
    ),
  );
}
