import { setTimeout as delay } from "node:timers/promises";
import { billingMonth } from "@feed/domain/credits";
import type { ReadModel } from "@feed/domain/read-models";
import type { ParityReport } from "@feed/domain/rebuilds";
import {
  changeReadModel,
  nameVersion,
  openVersion,
  removeVersion,
  type Core,
  type VersionsFollower,
  type VersionSurroundings,
  type WritableVersion,
} from "@feed/engines";
import { runProjector } from "@feed/projector";
import { systemClock, waitUntil, type Logger } from "@feed/runtime";
import { sampleOf, type Sample } from "./measures.ts";
import { compareVersions } from "./parity.ts";
import { covers, endsFor, isFollowed, passed, standingOf } from "./standing.ts";

const POLL_MS = 250;
/** For projectors to begin with a version, or to let go of it: they hear of it from the log. */
const PROJECTORS_TIMEOUT_MS = 300_000;

export interface RebuildOptions {
  readonly readModel: ReadModel;
  readonly core: Core;
  readonly versions: VersionsFollower;
  readonly surroundings: VersionSurroundings;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface BuiltVersion {
  readonly version: number;
  /** Records that were read, and how long that took. */
  readonly records: number;
  readonly tookMs: number;
  readonly report: ParityReport;
}

/** Told how far a rebuild is. */
export interface RebuildTelling {
  /** This version is made from now on. */
  readonly begun: (version: number) => void;
  readonly progress: (done: number, total: number) => void;
  /** It has all that is in the log, and is compared with the live one. */
  readonly comparing: () => void;
}

/** A version can't be had: why, in one line. */
export class RebuildFailed extends Error {
  override readonly name = "RebuildFailed";
}

/**
 * Builds the next version from the beginning of the log, hands it over to the projectors, and compares it with the live
 * one. Versions from before, other than the live one, are dropped first.
 */
export async function buildNext(
  options: RebuildOptions,
  tell: RebuildTelling,
): Promise<BuiltVersion> {
  const { readModel, core, versions, surroundings } = options;
  const { live, kept, highest } = versions.of(readModel);
  const version = highest + 1;
  if (await isFollowed(core.eventLog, readModel, version))
    throw new RebuildFailed(
      `version ${version} of ${readModel} is being built, or was until a moment ago: try again later`,
    );
  tell.begun(version);
  for (const former of kept) if (former !== live) await dropVersion(options, former);
  // What a rebuild that was interrupted has left.
  await removeVersion({ readModel, version }, surroundings);
  await using next = await openVersion({ readModel, version }, surroundings);
  const startMs = performance.now();
  const records = await project(options, next, version, tell.progress);
  const tookMs = performance.now() - startMs;
  tell.comparing();
  await using current = await openVersion({ readModel, version: live }, surroundings);
  const isKeptUp = await isFollowed(core.eventLog, readModel, live);
  const report = await compareVersions(current, next, await sampleFor(core), isKeptUp);
  return { version, records, tookMs, report };
}

/** Reads the log until the version has all of it and the projectors, if there are any, go on. */
async function project(
  options: RebuildOptions,
  next: WritableVersion,
  version: number,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const { readModel, core, versions, log } = options;
  const services = { ...core, clock: systemClock, log, version, isLive: () => false };
  const ends = await endsFor(options.readModel, core.eventLog);
  onProgress(0, passed(ends, new Map()).total);
  const records = await (async () => {
    await using projector = await runProjector({ ...services, ...next });
    const failed = projector.failed.then(() => 0);
    const read = await Promise.race([untilAtEnd(options, next, onProgress), failed]);
    await change(options, version, "kept");
    return read;
  })();
  const { live } = versions.of(readModel);
  if (await isFollowed(core.eventLog, readModel, live)) await untilKept(options, next, version);
  return records;
}

/** Under traffic no look finds a version at the very end: it is there when it passes within this what was the end. */
const CAUGHT_UP_MS = 5_000;

async function untilAtEnd(
  { readModel, core, signal }: RebuildOptions,
  next: WritableVersion,
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  for (;;) {
    const ends = await endsFor(readModel, core.eventLog);
    const startMs = performance.now();
    for (;;) {
      signal.throwIfAborted();
      const { done, total } = passed(ends, await standingOf(next));
      onProgress(done, total);
      if (done < total) await delay(POLL_MS, undefined, { signal });
      else if (performance.now() - startMs < CAUGHT_UP_MS) return total;
      else break;
    }
  }
}

/** The projectors that keep the live version keep this one too, and it has all that is in the log now. */
async function untilKept(
  { readModel, core, signal }: RebuildOptions,
  next: WritableVersion,
  version: number,
): Promise<void> {
  const wait = { timeoutMs: PROJECTORS_TIMEOUT_MS, pollMs: POLL_MS, signal };
  const ends = await endsFor(readModel, core.eventLog);
  const isKept = async (): Promise<boolean> =>
    (await isFollowed(core.eventLog, readModel, version)) && covers(await standingOf(next), ends);
  if (await waitUntil(isKept, wait)) return;
  throw new RebuildFailed(
    `version ${version} of ${readModel} is built, and no projector goes on with it: are they of this release?`,
  );
}

/** Readers answer from a version that is kept, data teams among them; the one before stays kept. */
export async function switchTo(options: RebuildOptions, version: number): Promise<void> {
  const { readModel, surroundings, log } = options;
  await change(options, version, "live");
  // Projectors do the same when they hear of it; there may be none.
  await nameVersion({ readModel, version }, surroundings, log);
}

/** Nobody keeps the version any more, and what it holds is removed. Errors: RebuildFailed. */
export async function dropVersion(options: RebuildOptions, version: number): Promise<void> {
  const { readModel, core, surroundings, signal } = options;
  await change(options, version, "dropped");
  const wait = { timeoutMs: PROJECTORS_TIMEOUT_MS, pollMs: POLL_MS, signal };
  const isLeft = async () => !(await isFollowed(core.eventLog, readModel, version));
  if (!(await waitUntil(isLeft, wait)))
    throw new RebuildFailed(`projectors do not let go of version ${version} of ${readModel}`);
  await removeVersion({ readModel, version }, surroundings);
}

/** Resolves when this process has read it back. */
async function change(
  { readModel, core, versions, signal }: RebuildOptions,
  version: number,
  state: "kept" | "live" | "dropped",
): Promise<void> {
  await changeReadModel(core, readModel, { version, state, atMs: systemClock.nowMs() });
  const isRead = async (): Promise<boolean> => {
    const { live, kept } = versions.of(readModel);
    return state === "live" ? live === version : kept.includes(version) === (state === "kept");
  };
  const wait = { timeoutMs: PROJECTORS_TIMEOUT_MS, pollMs: POLL_MS, signal };
  if (!(await waitUntil(isRead, wait)))
    throw new RebuildFailed(`what was written about ${readModel} does not come back from the log`);
}

async function sampleFor(core: Core): Promise<Sample> {
  const { openTenantDirectory } = await import("@feed/tenant-directory");
  await using directory = await openTenantDirectory({
    ...core,
    clock: systemClock,
    onUnreadable: () => undefined,
  });
  const tenants = directory.tenants().map(({ tenantId }) => tenantId);
  return sampleOf(core, tenants, lastMonths(systemClock.nowMs()));
}

const MONTH_DAYS_MIN_MS = 28 * 24 * 3_600_000;

/** This billing month and the one before. */
function lastMonths(nowMs: number): readonly string[] {
  const months = [nowMs, nowMs - MONTH_DAYS_MIN_MS].map(billingMonth);
  return [...new Set(months)];
}
