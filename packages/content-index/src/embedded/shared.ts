import { ContentRejected } from "../port.ts";
import { Columns } from "./columns.ts";
import { ContentStore } from "./store.ts";

/** How often changes of other threads and processes are looked for. */
const POLL_INTERVAL_MS = 50;
/** Changes read between two openings of the store: their pages, and those around them, are mapped at a time. */
const CHANGES_PER_PART = 2_000;

/**
 * One open directory of this thread: however often it is opened, its columns are in memory once. A thread that
 * only applies changes never has them: they are loaded for the first that reads.
 */
export interface SharedIndex {
  readonly store: ContentStore;
  readonly columns: Columns;
  /** Why the last look for changes failed; answers would be stale. */
  readonly failure: unknown;
  /** Brings the columns, where they are loaded, up to what is stored. */
  refresh(): void;
  /** Gives up one opening; the last one closes the store. */
  release(): Promise<void>;
}

interface Opening {
  readonly shared: Promise<OpenIndex>;
  readonly dimensions: number;
  users: number;
}

const openings = new Map<string, Opening>();

/** Opens the index at `path`, or joins those of this thread who have it open; `reads`: loads the columns at once. */
export async function acquireShared(
  path: string,
  dimensions: number,
  reads: boolean,
): Promise<SharedIndex> {
  let opening = openings.get(path);
  if (opening !== undefined && opening.dimensions !== dimensions) {
    throw new ContentRejected(`opened with ${opening.dimensions} dimensions, not ${dimensions}`);
  }
  if (opening === undefined) {
    opening = { shared: OpenIndex.open(path, dimensions, reads), dimensions, users: 0 };
    openings.set(path, opening);
  }
  const { shared } = opening;
  opening.users++;
  try {
    return await shared;
  } catch (error) {
    openings.delete(path);
    throw error;
  }
}

class OpenIndex implements SharedIndex {
  readonly store: ContentStore;
  failure: unknown;
  readonly #path: string;
  readonly #dimensions: number;
  readonly #poll: NodeJS.Timeout;
  #columns: Columns | undefined;

  private constructor(path: string, store: ContentStore, dimensions: number) {
    this.#path = path;
    this.#dimensions = dimensions;
    this.store = store;
    this.#poll = setInterval(() => this.#pollOnce(), POLL_INTERVAL_MS);
    this.#poll.unref();
  }

  static async open(path: string, dimensions: number, reads: boolean): Promise<OpenIndex> {
    const columns = reads ? await loadByParts(path, dimensions) : undefined;
    const opened = new OpenIndex(path, await ContentStore.open(path, dimensions), dimensions);
    opened.#columns = columns;
    opened.refresh();
    return opened;
  }

  get columns(): Columns {
    this.#columns ??= loadColumns(this.store, this.#dimensions);
    return this.#columns;
  }

  #pollOnce(): void {
    try {
      this.refresh();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  refresh(): void {
    const columns = this.#columns;
    if (columns === undefined) return;
    const latest = this.store.sequence();
    if (latest === columns.sequence) return;
    columns.refresh(this.store.changesAfter(columns.sequence), latest);
  }

  async release(): Promise<void> {
    const opening = openings.get(this.#path);
    if (opening === undefined) return;
    opening.users--;
    if (opening.users > 0) return;
    openings.delete(this.#path);
    clearInterval(this.#poll);
    await this.store.close();
  }
}

function loadColumns(store: ContentStore, dimensions: number): Columns {
  const columns = new Columns(dimensions);
  columns.refresh(store.changesAfter(0), store.sequence());
  return columns;
}

/**
 * What is read of the store stays mapped into this process until it is closed, and with half of the articles that would be
 * the whole file. It is opened anew for each part, so that one part at a time counts; where another thread has it
 * open too, everything does.
 */
async function loadByParts(path: string, dimensions: number): Promise<Columns> {
  const columns = new Columns(dimensions);
  for (let isComplete = false; !isComplete;) {
    const store = await ContentStore.open(path, dimensions);
    try {
      const changes = store.changesAfter(columns.sequence, CHANGES_PER_PART);
      isComplete = columns.loadPart(changes) < CHANGES_PER_PART;
    } finally {
      await store.close();
    }
  }
  columns.completeLoad();
  return columns;
}
