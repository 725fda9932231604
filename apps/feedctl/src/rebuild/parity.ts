import { setTimeout as delay } from "node:timers/promises";
import type { ComparedTotal, ParityReport } from "@feed/domain/rebuilds";
import type { WritableVersion } from "@feed/engines";
import { measured, type Measures, type Sample } from "./measures.ts";
import { covers, standingOf } from "./standing.ts";

const POLL_MS = 50;
/** For one version to pass what the other has. */
const CATCH_UP_TIMEOUT_MS = 300_000;
const DIFFERENCES_SHOWN_MAX = 20;

/**
 * Compares two versions while both go on: the live one is measured, then the next when it has passed all that, then the
 * live one again when that has passed what the next has. What is in between agrees.
 */
export async function compareVersions(
  live: WritableVersion,
  next: WritableVersion,
  sample: Sample,
  isKeptUp: boolean,
): Promise<ParityReport> {
  // Where nobody projects nothing is waited for.
  const timeoutMs = isKeptUp ? CATCH_UP_TIMEOUT_MS : 0;
  const before = await measured(live, sample);
  const hasPassed = await untilPassed(live, next, timeoutMs);
  const between = await measured(next, sample);
  const isPassed = await untilPassed(next, live, timeoutMs);
  const after = await measured(live, sample);
  return reportOf(before, between, after, hasPassed && isPassed);
}

/** Pure: what the three measures say. */
export function reportOf(
  before: Measures,
  next: Measures,
  after: Measures,
  comparable: boolean,
): ParityReport {
  const names = [...new Set([...before.keys(), ...next.keys(), ...after.keys()])];
  const totals: ComparedTotal[] = [];
  const differing: string[] = [];
  let samples = 0;
  for (const name of names) {
    const [first, middle, last] = [before.get(name), next.get(name), after.get(name)];
    if (typeof (first ?? middle) === "number") {
      const [from, built, to] = [first, middle, last].map((value) => Number(value ?? 0));
      totals.push(comparedTotal(name, from ?? 0, built ?? 0, to ?? 0));
      continue;
    }
    samples += 1;
    // One that changed while it was looked at says nothing.
    if (first === last && middle !== first) differing.push(name);
  }
  return {
    agrees: differing.length === 0 && totals.every(({ agrees }) => agrees),
    totals,
    samples,
    differing: differing.slice(0, DIFFERENCES_SHOWN_MAX),
    differingSamples: differing.length,
    comparable,
  };
}

function comparedTotal(name: string, before: number, next: number, after: number): ComparedTotal {
  const agrees = next >= Math.min(before, after) && next <= Math.max(before, after);
  return { name, live: after, next, agrees };
}

/** Whether `follower` has come to pass what `leader` has now. */
async function untilPassed(
  leader: WritableVersion,
  follower: WritableVersion,
  timeoutMs: number,
): Promise<boolean> {
  const wanted = await standingOf(leader);
  const endMs = performance.now() + timeoutMs;
  while (!covers(await standingOf(follower), wanted)) {
    if (performance.now() > endMs) return false;
    await delay(POLL_MS);
  }
  return true;
}
