import type { ReadModelRebuildStep } from "@feed/domain/operating-facts";
import { tellOfRebuild } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { actor } from "../actor.ts";
import { inOneLine } from "../failure.ts";
import type { BuiltVersion, RebuildOptions, RebuildTelling } from "./rebuilding.ts";

/** Often enough to be watched; an hour's rebuild is 1,800 small facts. */
const TELL_EVERY_MS = 2_000;

type State = Pick<
  ReadModelRebuildStep,
  "version" | "step" | "done" | "total" | "report" | "reason"
>;

/**
 * Runs a rebuild, and appends how far it is to the log for as long as it runs, and how it ended: that is how nodes, and
 * whoever looks at the console, hear of it.
 */
export async function toldOf(
  options: Pick<RebuildOptions, "core" | "readModel" | "log">,
  build: (tell: RebuildTelling) => Promise<BuiltVersion>,
): Promise<BuiltVersion> {
  const diary = new Diary(options);
  try {
    const built = await build({
      begun: (version) => diary.tell({ version }),
      progress: (done, total) => diary.know({ done, total }),
      comparing: () => diary.tell({ step: "comparing" }),
    });
    diary.tell({ step: "built", report: built.report });
    return built;
  } catch (error) {
    diary.tell({ step: "failed", reason: inOneLine(error) });
    throw error;
  } finally {
    await diary.close();
  }
}

class Diary {
  readonly #options: Pick<RebuildOptions, "core" | "readModel" | "log">;
  readonly #startedAtMs = systemClock.nowMs();
  #state: State | undefined;
  #telling: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Pick<RebuildOptions, "core" | "readModel" | "log">) {
    this.#options = options;
  }

  /** What the next telling says; before a version is begun there is nothing to tell. */
  know(change: Partial<State>): void {
    if (this.#state === undefined && change.version === undefined) return;
    const first = {
      version: 0,
      step: "building",
      done: 0,
      total: 0,
      report: null,
      reason: "",
    } as const;
    this.#state = { ...first, ...this.#state, ...change };
  }

  tell(change: Partial<State> = {}): void {
    this.know(change);
    // As it is now: what was told before may take its time, and no step is left out for that.
    const state = this.#state;
    this.#telling = this.#telling.then(() => this.#append(state));
    this.#timer ??= setInterval(() => this.tell(), TELL_EVERY_MS);
  }

  /** Resolves when all of it is in the log. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#telling;
  }

  async #append(state: State | undefined): Promise<void> {
    const { core, readModel, log } = this.#options;
    if (state === undefined) return;
    const told = {
      readModel,
      startedAtMs: this.#startedAtMs,
      actor: actor(),
      atMs: systemClock.nowMs(),
    };
    try {
      await tellOfRebuild(core, { type: "read-model.rebuild-step", ...told, ...state });
    } catch (error) {
      // Of no harm to the rebuild, which fails by itself where the log is away.
      log.warn({ err: error }, "it could not be told how far the rebuild is");
    }
  }
}
