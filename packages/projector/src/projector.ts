import type { PersonalData } from "@feed/personal-data";
import { answerReplayRequests } from "./dead-letters/replay-requests.ts";
import { projectInto } from "./project-into.ts";
import type { ProjectionServices, RunningProjection } from "./project-into.ts";
import { projectionTargets } from "./targets/all.ts";
import type { KeptReadModels } from "./targets/all.ts";

export interface ProjectorOptions extends ProjectionServices, KeptReadModels {
  readonly personalData: PersonalData;
}

/** A running projector. Disposing finishes the batches in progress. */
export interface Projector extends AsyncDisposable {
  /** Rejects when a projection stopped by an error; resolves after disposal. */
  readonly failed: Promise<void>;
}

/**
 * Follows the log and keeps the read models: one consumer for each read model and topic, and one for requests to replay
 * dead letters.
 */
export async function runProjector(options: ProjectorOptions): Promise<Projector> {
  const consumers = new AsyncDisposableStack();
  const running: Promise<void>[] = [];
  try {
    const projections: RunningProjection[] = [];
    for (const target of projectionTargets(options, options))
      projections.push(consumers.use(await projectInto(target, options)));
    const requests = consumers.use(await answerReplayRequests(projections, options));
    running.push(...[...projections, requests].map(({ failed }) => failed));
  } catch (error) {
    await consumers.disposeAsync();
    throw error;
  }
  const failed = firstFailure([...running, options.personalData.failed]);
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  return { failed, [Symbol.asyncDispose]: () => consumers.disposeAsync() };
}

async function firstFailure(running: readonly Promise<void>[]): Promise<void> {
  await Promise.all(running);
}
