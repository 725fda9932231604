import { BoundedCache } from "@feed/domain/bounded-cache";
import type { TokenState } from "../port.ts";

const SECOND_MS = 1_000;
/** Buckets held; one left alone for long comes back full, as it would have become. */
const BUCKETS_MAX = 100_000;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Token buckets, full when they are first asked for. */
export class TokenBuckets {
  readonly #buckets = new BoundedCache<string, Bucket>(BUCKETS_MAX);

  take(
    key: string,
    { ratePerSecond, burst }: { readonly ratePerSecond: number; readonly burst: number },
    nowMs: number,
  ): TokenState {
    const known = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    // A clock that steps back gives no tokens and takes none.
    const elapsedMs = Math.max(0, nowMs - known.atMs);
    const tokens = Math.min(burst, known.tokens + (elapsedMs * ratePerSecond) / SECOND_MS);
    const allowed = tokens >= 1;
    this.#buckets.set(key, {
      tokens: allowed ? tokens - 1 : tokens,
      atMs: Math.max(nowMs, known.atMs),
    });
    return { allowed, waitMs: allowed ? 0 : Math.ceil(((1 - tokens) * SECOND_MS) / ratePerSecond) };
  }
}
