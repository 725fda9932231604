import type { ActivityStore } from "@feed/activity-store";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { LogConsumer } from "@feed/event-log";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state";
import { projectInto } from "./project-into.ts";
import type { ProjectionServices } from "./project-into.ts";
import { activityTargets } from "./targets/activity-store.ts";
import { contentsTarget } from "./targets/content-index.ts";
import { capsTarget, pushJobsTarget, usageTarget, usersTarget } from "./targets/read-state.ts";

/** Read models that are given are kept; the others are left to another process. */
export interface ProjectorOptions extends ProjectionServices {
  readonly personalData: PersonalData;
  readonly readState?: ReadState;
  /** With what re-embeds articles of another model, so that changing the model is a rebuild. */
  readonly contentIndex?: {
    readonly index: ContentIndex;
    readonly embedder: Pick<Embedder, "embed" | "model">;
  };
  readonly activityStore?: ActivityStore;
}

/** A running projector. Disposing finishes the batches in progress. */
export interface Projector extends AsyncDisposable {
  /** Rejects when a projection stopped by an error; resolves after disposal. */
  readonly failed: Promise<void>;
}

/** Follows the log and keeps the read models: one consumer for each read model and topic. */
export async function runProjector(options: ProjectorOptions): Promise<Projector> {
  const consumers = new AsyncDisposableStack();
  const running: Promise<void>[] = [];
  const start = async (consumer: Promise<LogConsumer>): Promise<void> => {
    running.push(consumers.use(await consumer).failed);
  };
  try {
    await startAll(options, start);
  } catch (error) {
    await consumers.disposeAsync();
    throw error;
  }
  const failed = firstFailure([...running, options.personalData.failed]);
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  return { failed, [Symbol.asyncDispose]: () => consumers.disposeAsync() };
}

async function startAll(
  options: ProjectorOptions,
  start: (consumer: Promise<LogConsumer>) => Promise<void>,
): Promise<void> {
  const { codec, personalData, readState, contentIndex, activityStore } = options;
  if (contentIndex) {
    const { index, embedder } = contentIndex;
    await start(projectInto(contentsTarget(index, embedder, codec), options));
  }
  if (readState) {
    await start(projectInto(usersTarget(readState, personalData), options));
    await start(projectInto(usageTarget(readState, codec), options));
    await start(projectInto(capsTarget(readState, codec), options));
    await start(projectInto(pushJobsTarget(readState, codec), options));
  }
  if (activityStore) {
    const targets = activityTargets(activityStore, { codec, personalData });
    await start(projectInto(targets.users, options));
    await start(projectInto(targets.deliveries, options));
    await start(projectInto(targets.credits, options));
    await start(projectInto(targets.pushJobs, options));
    await start(projectInto(targets.contents, options));
  }
}

async function firstFailure(running: readonly Promise<void>[]): Promise<void> {
  await Promise.all(running);
}
