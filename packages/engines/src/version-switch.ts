import { setTimeout as delay } from "node:timers/promises";
import type { ReadModel } from "@feed/domain/read-models";
import { retry, waitUntil, type Logger } from "@feed/runtime";
import type { VersionsFollower } from "./read-model-versions.ts";

const CAUGHT_UP_POLL_MS = 25;
/** Under traffic that never rests the next version may be a little behind at every look. */
const CATCH_UP_MS_DEFAULT = 5_000;
/** What was asked of the former version before the switch is answered within this. */
const FORMER_GRACE_MS = 60_000;
const RETRY = { attemptsMax: Infinity, firstDelayMs: 1_000, delayMsMax: 30_000 };

/** Next offsets by place: of every topic and partition that a version is made of. */
export type Standing = ReadonlyMap<string, number>;

export interface VersionSwitchOptions<Store> {
  readonly readModel: ReadModel;
  readonly versions: VersionsFollower;
  readonly log: Logger;
  readonly open: (version: number) => Promise<Store>;
  readonly standing: (store: Store) => Promise<Standing>;
  /** Whether the store that was opened first stays open, for what outlives versions in the memory of this process. */
  readonly keepsFirst?: boolean;
  /**
   * How long a version that has all that there was when the switch began is given to have what has been read since too.
   * Default 5 seconds; then it takes over as it is.
   */
  readonly catchUpMs?: number;
}

/**
 * A read model of which one version answers, and another when the log says so: it is opened beside the one that answers,
 * and takes over when it has everything that one has, so that nobody reads what lies before what was read already.
 */
export class VersionSwitch<Store extends AsyncDisposable> implements AsyncDisposable {
  readonly #options: VersionSwitchOptions<Store>;
  readonly #stop = new AbortController();
  readonly #formers = new Set<Promise<void>>();
  readonly #first: Store;
  readonly #unsubscribe: () => void;
  #current: Store;
  #version: number;
  #next: Store | undefined;
  #switches = 0;
  #moving: Promise<void> | undefined;

  private constructor(options: VersionSwitchOptions<Store>, store: Store, version: number) {
    this.#options = options;
    this.#current = store;
    this.#first = store;
    this.#version = version;
    this.#unsubscribe = options.versions.onChange(() => this.#follow());
    this.#follow();
  }

  static async open<Store extends AsyncDisposable>(
    options: VersionSwitchOptions<Store>,
  ): Promise<VersionSwitch<Store>> {
    const { live } = options.versions.of(options.readModel);
    return new VersionSwitch(options, await options.open(live), live);
  }

  get current(): Store {
    return this.#current;
  }

  /** The store of the version that was live when this was opened, where it is kept. */
  get first(): Store {
    return this.#first;
  }

  get switches(): number {
    return this.#switches;
  }

  /** The stores that answer or are about to: whoever waits for a position waits for it in all of them. */
  get answering(): readonly Store[] {
    return this.#next === undefined ? [this.#current] : [this.#current, this.#next];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort(new Error("the read model is closed"));
    await this.#moving;
    await Promise.all(this.#formers);
    await this.#current[Symbol.asyncDispose]();
    if (this.#isKept(this.#first) && this.#first !== this.#current)
      await this.#first[Symbol.asyncDispose]();
  }

  #follow(): void {
    if (this.#moving !== undefined || this.#stop.signal.aborted || this.#isDone) return;
    this.#moving = this.#move().finally(() => {
      this.#moving = undefined;
      // For a change that came in just now.
      this.#follow();
    });
  }

  get #isDone(): boolean {
    const { readModel, versions } = this.#options;
    return versions.of(readModel).live === this.#version;
  }

  /** Until the live version answers, or this is closed. */
  async #move(): Promise<void> {
    const { readModel, log } = this.#options;
    const { signal } = this.#stop;
    const isTransient = (error: unknown): boolean => {
      if (!signal.aborted) log.error({ err: error, readModel }, "could not switch, trying again");
      return !signal.aborted;
    };
    try {
      while (!this.#isDone) await retry(() => this.#moveTo(), { ...RETRY, isTransient, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #moveTo(): Promise<void> {
    const { readModel, versions, log, open, standing } = this.#options;
    const { catchUpMs = CATCH_UP_MS_DEFAULT } = this.#options;
    const { live } = versions.of(readModel);
    if (live === this.#version) return;
    const next = await open(live);
    try {
      this.#next = next;
      const covers = async (wanted: Standing): Promise<boolean> => {
        if (versions.of(readModel).live !== live) return true;
        const reached = await standing(next);
        return [...wanted].every(([place, offset]) => (reached.get(place) ?? 0) >= offset);
      };
      const { signal } = this.#stop;
      const wait = { pollMs: CAUGHT_UP_POLL_MS, signal };
      const atFirst = await standing(this.#current);
      await waitUntil(() => covers(atFirst), { ...wait, timeoutMs: Infinity });
      const isCaughtUp = async () => covers(await standing(this.#current));
      await waitUntil(isCaughtUp, { ...wait, timeoutMs: catchUpMs });
    } catch (error) {
      this.#next = undefined;
      await next[Symbol.asyncDispose]();
      throw error;
    }
    this.#next = undefined;
    // Called off meanwhile.
    if (versions.of(readModel).live !== live) return next[Symbol.asyncDispose]();
    const former = this.#current;
    this.#current = next;
    this.#version = live;
    this.#switches += 1;
    log.info({ readModel, version: live }, "serving another version of a read model");
    if (!this.#isKept(former)) this.#closeLater(former);
  }

  #isKept(store: Store): boolean {
    return this.#options.keepsFirst === true && store === this.#first;
  }

  #closeLater(former: Store): void {
    const { signal } = this.#stop;
    const closing = delay(FORMER_GRACE_MS, undefined, { signal, ref: false })
      .catch(() => undefined)
      .then(() => former[Symbol.asyncDispose]())
      .finally(() => this.#formers.delete(closing));
    this.#formers.add(closing);
  }
}

/** The least offset of each place that any of the standings names; a place that one lacks is at 0. */
export function leastOf(
  standings: readonly ReadonlyMap<number, number>[],
): ReadonlyMap<number, number> {
  const [first = new Map<number, number>(), ...others] = standings;
  return new Map(
    Array.from(first, ([partition, offset]) => [
      partition,
      Math.min(offset, ...others.map((other) => other.get(partition) ?? 0)),
    ]),
  );
}

/** A store whose methods are those of the one that `pick` names for each call, but for its `own`. */
export function delegating<Store extends object>(
  pick: (method: keyof Store) => Store,
  own: Partial<Store>,
): Store {
  const handler = {
    get: (_target: Store, name: PropertyKey): unknown => {
      // Whoever awaits a store must not take it for a promise.
      if (name === "then") return undefined;
      const method = name as keyof Store;
      if (method in own) return own[method];
      return (...call: unknown[]): unknown => {
        const store = pick(method);
        return (store[method] as (...call: unknown[]) => unknown).apply(store, call);
      };
    },
  };
  return new Proxy({} as Store, handler);
}
