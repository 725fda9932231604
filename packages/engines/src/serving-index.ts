import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { EventLog } from "@feed/event-log";
import { retry, waitUntil, type Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { installationPaths } from "./paths.ts";
import { openContentIndex } from "./stores.ts";

const CAUGHT_UP_POLL_MS = 250;
/** Between attempts to switch that failed, e.g. because the disk is full. */
const SWITCH_RETRY = { attemptsMax: Infinity, firstDelayMs: 1_000, delayMsMax: 60_000 };
/** What was asked of the former index before the switch is answered within this. */
const FORMER_GRACE_MS = 60_000;
/** Keeps generations of the two indexes apart. */
const GENERATIONS_PER_INDEX = 1e9;

type IndexModel = Pick<Embedder, "model" | "dimensions">;

export interface ServingIndexOptions {
  readonly installation: InstallationConfig;
  readonly embedder: IndexModel;
  readonly eventLog: Pick<EventLog, "endOffsets">;
  readonly log: Logger;
}

/**
 * The content index an API node answers from. After a change of the embedding model that is the one served before,
 * until the projector has filled the new model's up to the end the log had when this was opened: changing the model
 * is a rebuild, not an outage.
 */
export async function openServingIndex(options: ServingIndexOptions): Promise<ContentIndex> {
  const { installation, embedder, eventLog, log } = options;
  const record = servedRecord(installation);
  const served = await record.read();
  const next = await openContentIndex(installation, embedder, false);
  if (served === undefined || served.model === embedder.model) {
    await record.write(embedder);
    return next;
  }
  const ends = await eventLog.endOffsets("contents");
  const isFilled = async (): Promise<boolean> => {
    const positions = await next.positions();
    return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
  };
  if (await isFilled()) {
    await record.write(embedder);
    return next;
  }
  log.info(
    { from: served.model, to: embedder.model },
    "serving the index of the former model while the new one is filled",
  );
  const index = new SwitchingIndex(await openContentIndex(installation, served, false), next);
  index.switchWhen(isFilled, {
    // First what the next start reads, then the switch: the two agree whatever fails between them.
    beforeSwitch: () => record.write(embedder),
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

/** Which model's index is served, as the last switch left it. */
function servedRecord({ dataDirectory }: InstallationConfig) {
  const directory = installationPaths(dataDirectory).contentIndex;
  const path = join(directory, "served.json");
  return {
    async read(): Promise<IndexModel | undefined> {
      const text = await readFile(path, "utf8").catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as IndexModel);
    },
    async write({ model, dimensions }: IndexModel): Promise<void> {
      await mkdir(directory, { recursive: true });
      // A name of its own: several roles of a machine write the same at the same time.
      const draft = `${path}.${randomUUID()}`;
      await writeFile(draft, JSON.stringify({ model, dimensions }));
      await rename(draft, path);
    },
  };
}

/** Answers from one index until another has been filled, then from that one alone. */
class SwitchingIndex implements ContentIndex {
  readonly #stop = new AbortController();
  readonly #next: ContentIndex;
  #current: ContentIndex;
  #switching: Promise<void> = Promise.resolve();

  constructor(current: ContentIndex, next: ContentIndex) {
    this.#current = current;
    this.#next = next;
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

  apply(...call: Parameters<ContentIndex["apply"]>) {
    return this.#current.apply(...call);
  }
  positions() {
    return this.#current.positions();
  }
  recall(...call: Parameters<ContentIndex["recall"]>) {
    return this.#current.recall(...call);
  }
  articles(...call: Parameters<ContentIndex["articles"]>) {
    return this.#current.articles(...call);
  }
  vectors(...call: Parameters<ContentIndex["vectors"]>) {
    return this.#current.vectors(...call);
  }
  body(...call: Parameters<ContentIndex["body"]>) {
    return this.#current.body(...call);
  }
  stats() {
    return this.#current.stats();
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
