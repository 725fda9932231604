import type { ContentIndex } from "@feed/content-index";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { contentsCopyTarget, followInto } from "@feed/projector";
import { waitUntil, type Clock, type Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { DelegatingIndex, GENERATIONS_PER_INDEX } from "./delegating-index.ts";
import { installationPaths } from "./paths.ts";

/** About 2.5 GB of memory with vectors of 256 dimensions (packages/content-index/README.md). */
const COPIED_ARTICLES_MAX = 300_000;
const CAUGHT_UP_POLL_MS = 250;

/** What a copy is made with: it reads `contents` itself. */
export interface CopyOptions {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly clock: Clock;
  /** Where another copy answers until then. */
  readonly opensFilled?: boolean;
}

/**
 * An index outside with a copy of it in this process, fed from `contents`: recalls need no other process, and go on while
 * the index is away. Until the copy has everything that was in the log at the call the index itself answers, and
 * always where there are too many articles for a copy.
 */
export async function openCopiedIndex(
  original: ContentIndex,
  installation: Pick<InstallationConfig, "dataDirectory">,
  options: CopyOptions & { readonly log: Logger; readonly version?: number },
): Promise<ContentIndex> {
  const { articles, model, dimensions } = await original.stats();
  const { log, eventLog, version = 1 } = options;
  if (articles > COPIED_ARTICLES_MAX) {
    log.info({ articles }, "too many articles for a copy of the content index");
    return original;
  }
  await using opened = new AsyncDisposableStack();
  opened.use(original);
  const directory = installationPaths(installation.dataDirectory).contentIndexCopy;
  const copy = opened.use(
    await openEmbeddedContentIndex({
      directory,
      model,
      dimensions,
      version,
      loadsWhenAsked: false,
    }),
  );
  const ends = await eventLog.endOffsets("contents");
  const target = contentsCopyTarget(copy, original, { model, codec: options.codec });
  const follower = opened.use(await followInto(target, options));
  const isFilled = async (): Promise<boolean> => {
    const positions = await copy.positions();
    return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
  };
  const index = new CopiedIndex(original, copy, opened.move());
  follower.failed.catch((error: unknown) => {
    log.error({ err: error }, "the copy of the content index is given up");
    index.giveUp();
  });
  index.useWhen(isFilled, () => log.info({ model }, "serving the copy of the content index"));
  if (options.opensFilled === true) await index.settled;
  return index;
}

class CopiedIndex extends DelegatingIndex {
  readonly #original: ContentIndex;
  readonly #copy: ContentIndex;
  readonly #owned: AsyncDisposableStack;
  readonly #stop = new AbortController();
  #current: ContentIndex;
  #switches = 0;
  #waiting: Promise<void> = Promise.resolve();

  constructor(original: ContentIndex, copy: ContentIndex, owned: AsyncDisposableStack) {
    super();
    this.#original = original;
    this.#copy = copy;
    this.#owned = owned;
    this.#current = original;
  }

  protected override get current(): ContentIndex {
    return this.#current;
  }

  useWhen(isFilled: () => Promise<boolean>, onUsed: () => void): void {
    const { signal } = this.#stop;
    const options = { timeoutMs: Infinity, pollMs: CAUGHT_UP_POLL_MS, signal };
    this.#waiting = (async () => {
      await waitUntil(isFilled, options);
      this.#use(this.#copy);
      onUsed();
    })().catch(() => undefined);
  }

  /** Resolves when the copy is used or given up. */
  get settled(): Promise<void> {
    return this.#waiting;
  }

  giveUp(): void {
    this.#stop.abort(new Error("the copy is given up"));
    this.#use(this.#original);
  }

  #use(index: ContentIndex): void {
    if (this.#current === index) return;
    this.#current = index;
    this.#switches += 1;
  }

  /** Changes with every switch, and goes on from there with the changes of the index in use. */
  generation(): number {
    return this.#switches * GENERATIONS_PER_INDEX + this.#current.generation();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the index is closed"));
    await this.#waiting;
    await this.#owned.disposeAsync();
  }
}
