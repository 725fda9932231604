import { ContentRejected } from "../port.ts";
import { Columns } from "./columns.ts";
import { ContentStore } from "./store.ts";

/** How often changes of other threads and processes are looked for. */
const POLL_INTERVAL_MS = 50;

/** One open directory of this thread: however often it is opened, its columns are in memory once. */
export interface SharedIndex {
  readonly store: ContentStore;
  readonly columns: Columns;
  /** Why the last look for changes failed; answers would be stale. */
  readonly failure: unknown;
  /** Brings the columns up to what is stored. */
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

/** Opens the index at `path`, or joins those of this thread who have it open. */
export async function acquireShared(path: string, dimensions: number): Promise<SharedIndex> {
  let opening = openings.get(path);
  if (opening !== undefined && opening.dimensions !== dimensions) {
    throw new ContentRejected(`opened with ${opening.dimensions} dimensions, not ${dimensions}`);
  }
  if (opening === undefined) {
    opening = { shared: OpenIndex.load(path, dimensions), dimensions, users: 0 };
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
  readonly columns: Columns;
  failure: unknown;
  readonly #path: string;
  readonly #poll: NodeJS.Timeout;

  private constructor(path: string, store: ContentStore, columns: Columns) {
    this.#path = path;
    this.store = store;
    this.columns = columns;
    this.refresh();
    this.#poll = setInterval(() => this.#pollOnce(), POLL_INTERVAL_MS);
    this.#poll.unref();
  }

  static async load(path: string, dimensions: number): Promise<OpenIndex> {
    const columns = new Columns(dimensions);
    const loading = await ContentStore.open(path, dimensions);
    columns.refresh(loading.changesAfter(0), loading.sequence());
    // Loading mapped most of the file into this process; opened anew, only what is read later counts.
    await loading.close();
    return new OpenIndex(path, await ContentStore.open(path, dimensions), columns);
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
    const latest = this.store.sequence();
    if (latest === this.columns.sequence) return;
    this.columns.refresh(this.store.changesAfter(this.columns.sequence), latest);
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
