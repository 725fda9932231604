import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { LogUnderTest } from "../conformance/harness.ts";
import { openEmbeddedEventLog } from "../embedded.ts";
import type { EmbeddedEventLog, EmbeddedEventLogOptions } from "../embedded.ts";

export const LAG_MS = 24 * 3_600_000;
/** Where the clock stands at first. */
export const NOW_MS = 1_800_000_000_000;

export interface EmbeddedUnderTest extends LogUnderTest {
  readonly log: EmbeddedEventLog;
  readonly directory: string;
  openAnother(options?: Partial<EmbeddedEventLogOptions>): Promise<EmbeddedEventLog>;
  /** Moves the clock of all openers. */
  advance(byMs: number): void;
}

export async function freshDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "event-log-"));
}

/** A log in a new directory, with a clock that stands still until it is moved, if `settings` has no other. */
export async function openInFreshDirectory(
  settings: Partial<EmbeddedEventLogOptions> = {},
): Promise<EmbeddedUnderTest> {
  const directory = await freshDirectory();
  let nowMs = NOW_MS;
  const opened: EmbeddedEventLog[] = [];
  const openAnother = async (options: Partial<EmbeddedEventLogOptions> = {}) => {
    const clock = (): number => nowMs;
    const log = await openEmbeddedEventLog({
      directory,
      clock,
      compactionLagMs: LAG_MS,
      ...settings,
      ...options,
    });
    opened.push(log);
    return log;
  };
  const log = await openAnother();
  return {
    log,
    directory,
    openAnother,
    patienceMs: 120_000,
    advance: (byMs) => {
      nowMs += byMs;
    },
    compacted: async () => {
      nowMs += LAG_MS;
      await log.compact();
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of opened) await one[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
