import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { EventLog } from "@feed/event-log";
import { waitUntil, type Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { installationPaths } from "./paths.ts";
import { openContentIndex } from "./stores.ts";

const CAUGHT_UP_POLL_MS = 250;
/** A neural model embeds some articles a second: a large installation is rebuilt over days at most. */
const REBUILD_TIMEOUT_MS = 7 * 24 * 3_600_000;
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
  index.switchWhen(isFilled, async () => {
    await record.write(embedder);
    log.info({ model: embedder.model }, "serving the index of the new model");
  });
  return index;
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

  switchWhen(isFilled: () => Promise<boolean>, onSwitched: () => Promise<void>): void {
    this.#switching = this.#switch(isFilled, onSwitched);
    // Whoever closes the index waits for it; a failure leaves the former one in service.
    this.#switching.catch(() => undefined);
  }

  async #switch(isFilled: () => Promise<boolean>, onSwitched: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    const limits = { timeoutMs: REBUILD_TIMEOUT_MS, pollMs: CAUGHT_UP_POLL_MS, signal };
    if (!(await waitUntil(isFilled, limits))) return;
    const former = this.#current;
    this.#current = this.#next;
    await onSwitched();
    await former[Symbol.asyncDispose]();
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
    await this.#switching.catch(() => undefined);
    if (this.#current !== this.#next) await this.#current[Symbol.asyncDispose]();
    await this.#next[Symbol.asyncDispose]();
  }
}
