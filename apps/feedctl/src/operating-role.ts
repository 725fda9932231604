import type { ReadModel } from "@feed/domain/read-models";
import {
  followReadModelVersions,
  openActivityStore,
  openContentIndex,
  openEmbedder,
  openReadState,
  useActivityEngine,
  type Core,
  type InstallationConfig,
} from "@feed/engines";
import { LogRejected } from "@feed/event-log";
import { PROJECTIONS, projectorGroup, readModelOf, type ProjectionName } from "@feed/projector";
import type { KeptReadModels } from "@feed/projector/targets/all";
import { ConfigError } from "@feed/runtime";
import { lockDataDirectory } from "./up/data-lock.ts";

/** The read models of an installation that a command looks into or writes, each in its live version. */
export interface OperatedReadModels extends KeptReadModels, AsyncDisposable {}

/** Opens what is asked for. Embedded ClickHouse is that of the running service, or is started for as long as this is open. */
export async function openReadModels(
  installation: InstallationConfig,
  core: Pick<Core, "eventLog" | "codec">,
  asked: ReadonlySet<ReadModel>,
  { writer }: { readonly writer: boolean },
): Promise<OperatedReadModels> {
  await using opened = new AsyncDisposableStack();
  const versions = opened.use(await followReadModelVersions(core));
  const models: { -readonly [Name in keyof KeptReadModels]: KeptReadModels[Name] } = {};
  if (asked.has("read-state")) {
    const { live } = versions.of("read-state");
    models.readState = opened.use(await openReadState(installation, live));
  }
  if (asked.has("content-index")) {
    const version = versions.of("content-index").live;
    const embedder = opened.use(await openEmbedder(installation));
    const access = { writer, version };
    const index = opened.use(await openContentIndex(installation, embedder, access));
    models.contentIndex = { index, embedder };
  }
  if (asked.has("activity-store")) {
    const { endpoint } = opened.use(await useActivityEngine(installation, () => undefined));
    const { live } = versions.of("activity-store");
    models.activityStore = opened.use(await openActivityStore(endpoint, live));
  }
  const owned = opened.move();
  return { ...models, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * Makes sure that nobody else writes what only one process at a time may write, until it is disposed: an embedded read
 * state or index belongs to the service, and a read state outside to its projectors, because what a fact makes of a
 * record depends on what is in it. Activity stores and indexes outside take whole records and rows from anybody.
 *
 * Errors: ConfigError, which says what has to be stopped.
 */
export async function claimReadModels(
  { dataDirectory, engines = {} }: InstallationConfig,
  core: Pick<Core, "eventLog" | "codec">,
  projections: readonly ProjectionName[],
): Promise<Disposable> {
  const claims = new DisposableStack();
  const isOwned = {
    "read-state": engines.readState === undefined,
    "content-index": engines.contentIndex === undefined,
    "activity-store": false,
  } as const;
  if (projections.some((name) => isOwned[readModelOf(name)]))
    claims.use(lockOrSayWhy(dataDirectory));
  if (engines.readState === undefined) return claims;
  await using versions = await followReadModelVersions(core);
  const { live } = versions.of("read-state");
  for (const name of projections.filter((each) => readModelOf(each) === "read-state"))
    await assertNoProjector(core.eventLog, name, live);
  return claims;
}

function lockOrSayWhy(dataDirectory: string): Disposable {
  try {
    return lockDataDirectory(dataDirectory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `${reason}: an embedded read state or index is written by one process, so stop the service first`,
    ]);
  }
}

/** The log sets the offsets of a group only while it has no members: those that are there are set again. */
async function assertNoProjector(
  eventLog: Core["eventLog"],
  projection: ProjectionName,
  version: number,
): Promise<void> {
  const group = projectorGroup(projection, version);
  const topic = PROJECTIONS[projection];
  const committed = await eventLog.committed(group, topic);
  try {
    await eventLog.resetOffsets(group, topic, committed.size > 0 ? committed : new Map([[0, 0]]));
  } catch (error) {
    if (!(error instanceof LogRejected)) throw error;
    throw new ConfigError([
      `a projector keeps ${projection}: stop those that run with --keeps serving or all first`,
    ]);
  }
}
