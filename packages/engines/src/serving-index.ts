import { setTimeout as delay } from "node:timers/promises";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { EventLog } from "@feed/event-log";
import { retry, waitUntil, type Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { openCopiedIndex, type CopyOptions } from "./copied-index.ts";
import { DelegatingIndex, GENERATIONS_PER_INDEX } from "./delegating-index.ts";
import { servedRecord } from "./served-record.ts";
import { openContentIndex } from "./stores.ts";

const CAUGHT_UP_POLL_MS = 250;
/** Between attempts to switch that failed, e.g. because the disk is full. */
const SWITCH_RETRY = { attemptsMax: Infinity, firstDelayMs: 1_000, delayMsMax: 60_000 };
/** What was asked of the former index before the switch is answered within this. */
const FORMER_GRACE_MS = 60_000;

type IndexModel = Pick<Embedder, "model" | "dimensions">;

export interface ServingIndexOptions {
  readonly installation: InstallationConfig;
  readonly embedder: IndexModel;
  readonly eventLog: Pick<EventLog, "endOffsets">;
  readonly log: Logger;
  /** For a role that seldom asks: the index is not in memory before it does. */
  readonly loadsWhenAsked?: boolean;
  /** For a role that asks all the time: it keeps a copy of an index that is outside. */
  readonly copies?: CopyOptions;
  /** Of the read model. Absent: 1. */
  readonly version?: number;
}

/**
 * The content index an API node answers from. After a change of the embedding model that is the one served before,
 * until the projector has filled the new model's up to the end the log had when this was opened: changing the model
 * is a rebuild, not an outage.
 */
export async function openServingIndex(options: ServingIndexOptions): Promise<ContentIndex> {
  const { installation, embedder, eventLog, log, loadsWhenAsked = false, version = 1 } = options;
  const access = { writer: false, loadsWhenAsked, version };
  const record = await servedRecord(installation);
  const served = await record.read();
  const next = await openContentIndex(installation, embedder, access);
  if (served === undefined || served.model === embedder.model) {
    await record.write(embedder, version);
    const { copies } = options;
    if (copies === undefined || installation.engines?.contentIndex === undefined) return next;
    return openCopiedIndex(next, installation, { ...copies, log, version });
  }
  const ends = await eventLog.endOffsets("contents");
  const isFilled = async (): Promise<boolean> => {
    const positions = await next.positions();
    return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
  };
  if (await isFilled()) {
    await record.write(embedder, version);
    return next;
  }
  log.info(
    { from: served.model, to: embedder.model },
    "serving the index of the former model while the new one is filled",
  );
  const index = new SwitchingIndex(await openContentIndex(installation, served, access), next);
  index.switchWhen(isFilled, {
    // First what the next start reads, then the switch: the two agree whatever fails between them.
    beforeSwitch: () => record.write(embedder, version),
    onSwitched: () => log.info({ model: embedder.model }, "serving the index of the new model"),
    onFailure: (error) =>
      log.error({ err: error }, "could not switch to the index of the new model, trying again"),
  });
  return index;
}

interface SwitchHooks {
  readonly beforeSwitch: () => Promise<void>;
  readonly onSwitched: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Answers from one index until another has been filled, then from that one alone. */
class SwitchingIndex extends DelegatingIndex {
  readonly #stop = new AbortController();
  readonly #next: ContentIndex;
  #current: ContentIndex;
  #switching: Promise<void> = Promise.resolve();

  constructor(current: ContentIndex, next: ContentIndex) {
    super();
    this.#current = current;
    this.#next = next;
  }

  protected override get current(): ContentIndex {
    return this.#current;
  }

  switchWhen(isFilled: () => Promise<boolean>, hooks: SwitchHooks): void {
    this.#switching = this.#switch(isFilled, hooks);
    // Whoever closes the index waits for it and gets its error.
    this.#switching.catch(() => undefined);
  }

  /** Ends with the former index closed, after the switch or when this is closed before it. */
  async #switch(isFilled: () => Promise<boolean>, hooks: SwitchHooks): Promise<void> {
    const { signal } = this.#stop;
    await using _former = this.#current;
    try {
      await retry(
        async () => {
          await waitUntil(isFilled, { timeoutMs: Infinity, pollMs: CAUGHT_UP_POLL_MS, signal });
          await hooks.beforeSwitch();
        },
        { ...SWITCH_RETRY, isTransient: (error) => isTransient(error, signal, hooks), signal },
      );
      this.#current = this.#next;
      hooks.onSwitched();
      await delay(FORMER_GRACE_MS, undefined, { signal, ref: false });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  generation(): number {
    const base = this.#current === this.#next ? GENERATIONS_PER_INDEX : 0;
    return base + this.#current.generation();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the index is closed"));
    await using _next = this.#next;
    await this.#switching;
  }
}

/** Everything is tried again, but for the end of the waiting. */
function isTransient(error: unknown, signal: AbortSignal, { onFailure }: SwitchHooks): boolean {
  if (signal.aborted) return false;
  onFailure(error);
  return true;
}
