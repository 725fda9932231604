import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

/** What a process that was killed has started may write for a moment yet, into a directory that is being removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/** An empty directory that is removed with all its contents on disposal: `await using`. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "content-feed-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVAL) };
}

/**
 * The folder with corpora and models that some tests read: `FEED_SHARED`, else `../shared` beside the
 * checkout. Undefined where there is none; such tests then print that they are left out.
 */
export function sharedFolder(): string | undefined {
  const repository = resolve(import.meta.dirname, "../../..");
  const path = process.env["FEED_SHARED"] ?? resolve(repository, "../shared");
  return existsSync(path) ? path : undefined;
}
