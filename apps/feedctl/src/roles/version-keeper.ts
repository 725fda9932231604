import type { ReadModel } from "@feed/domain/read-models";
import {
  nameVersion,
  openVersion,
  type Core,
  type VersionPlace,
  type VersionsFollower,
  type VersionSurroundings,
} from "@feed/engines";
import { runProjector, type BatchMeasure } from "@feed/projector";
import { systemClock, type Logger } from "@feed/runtime";
import type { Role } from "./run-role.ts";

export interface VersionKeeperOptions {
  readonly readModels: readonly ReadModel[];
  readonly core: Core;
  readonly surroundings: VersionSurroundings;
  readonly versions: VersionsFollower;
  readonly log: Logger;
  /** Told of every batch of a live version. */
  readonly post: (measure: BatchMeasure) => void;
}

/**
 * Keeps every version of the read models given that the log says is to be kept: those that come are begun while this runs,
 * and those that are dropped are let go of. Resolves when the ones of the call are kept.
 */
export async function keepVersions(options: VersionKeeperOptions): Promise<Role> {
  const keeper = new VersionKeeper(options);
  try {
    await keeper.adjust();
  } catch (error) {
    await keeper[Symbol.asyncDispose]();
    throw error;
  }
  return keeper;
}

class VersionKeeper implements Role {
  readonly failed: Promise<never>;
  readonly #options: VersionKeeperOptions;
  readonly #kept = new Map<string, AsyncDisposable>();
  /** Under the name that others read by. */
  readonly #named = new Map<ReadModel, number>();
  readonly #fail: (error: unknown) => void;
  readonly #unsubscribe: () => void;
  #isClosed = false;
  /** One change after the other. */
  #adjusting: Promise<void> = Promise.resolve();

  constructor(options: VersionKeeperOptions) {
    this.#options = options;
    const failure = Promise.withResolvers<never>();
    this.failed = failure.promise;
    // Whoever doesn't watch `failed` must not find the process ended by it.
    this.failed.catch(() => undefined);
    this.#fail = failure.reject;
    options.versions.failed.catch(this.#fail);
    this.#unsubscribe = options.versions.onChange(() => {
      this.adjust().catch(this.#fail);
    });
  }

  adjust(): Promise<void> {
    this.#adjusting = this.#adjusting.then(() => this.#adjust());
    return this.#adjusting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    await this.#adjusting.catch(() => undefined);
    await Promise.all(Array.from(this.#kept.values(), (one) => one[Symbol.asyncDispose]()));
  }

  async #adjust(): Promise<void> {
    if (this.#isClosed) return;
    const { readModels, versions } = this.#options;
    const wanted = new Map<string, VersionPlace>(
      readModels.flatMap((readModel) =>
        versions
          .of(readModel)
          .kept.map((version) => [`${readModel} ${version}`, { readModel, version }] as const),
      ),
    );
    for (const [name, kept] of this.#kept) {
      if (wanted.has(name)) continue;
      this.#kept.delete(name);
      await kept[Symbol.asyncDispose]();
    }
    for (const [name, place] of wanted) {
      if (!this.#kept.has(name)) this.#kept.set(name, await this.#begin(place));
    }
    for (const readModel of readModels) await this.#name(readModel);
  }

  /** At the start too: whoever switched may have been interrupted before this. */
  async #name(readModel: ReadModel): Promise<void> {
    const { surroundings, versions, log } = this.#options;
    const { live: version } = versions.of(readModel);
    if (this.#named.get(readModel) === version) return;
    await nameVersion({ readModel, version }, surroundings, log);
    this.#named.set(readModel, version);
  }

  async #begin(place: VersionPlace): Promise<AsyncDisposable> {
    const { core, surroundings, versions, log, post } = this.#options;
    const isLive = (): boolean => versions.of(place.readModel).live === place.version;
    await using opened = new AsyncDisposableStack();
    const stores = opened.use(await openVersion(place, surroundings));
    const projector = opened.use(
      await runProjector({
        ...core,
        ...stores,
        clock: systemClock,
        log,
        version: place.version,
        isLive,
        onBatch: (measure) => {
          if (isLive()) post(measure);
        },
      }),
    );
    projector.failed.catch(this.#fail);
    log.debug(place, "keeping a version of a read model");
    return opened.move();
  }
}
