import { runCoordinator, type CoordinatorOptions } from "./coordinate/coordinator.ts";
import type { PushDependencies } from "./dependencies.ts";
import { runResultSweep } from "./result-sweep.ts";
import { runPushWorker } from "./worker.ts";

/** One chunk takes about half a second on a busy core; each is a commit of the read state, whatever its size. */
const CHUNK_USERS = 1_000;
/** At most these, and what they make room for, go before a chunk of another tenant (`chunkPartitionOf`). */
const TENANT_CHUNKS_MAX = 8;

/** A running push role. */
export interface PushRole extends AsyncDisposable {
  /** Rejects when it stopped by an error; resolves or stays pending otherwise. */
  readonly failed: Promise<void>;
}

/**
 * Coordinates push jobs and works on their chunks, as a member of two consumer groups: any number of roles, in threads
 * or processes, share the jobs through partition assignment.
 */
export async function runPush(
  deps: PushDependencies,
  options: Partial<CoordinatorOptions> = {},
): Promise<PushRole> {
  await using opened = new AsyncDisposableStack();
  const coordinator = opened.use(
    await runCoordinator(deps, {
      chunkUsers: CHUNK_USERS,
      tenantChunksMax: TENANT_CHUNKS_MAX,
      ...options,
    }),
  );
  const worker = opened.use(await runPushWorker(deps));
  opened.use(runResultSweep(deps));
  const failed = Promise.race([coordinator.failed, worker.failed]);
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  const owned = opened.move();
  return { failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
