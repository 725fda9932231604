import { randomBytes } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { IDEMPOTENCY_TTL_MS, IDEMPOTENCY_UNFINISHED_TTL_MS } from "@feed/domain/limits";
import { Packr } from "msgpackr";
import type { IdempotencyStart, ReadState, TokenState, WindowState } from "../port.ts";
import { script, type RedisConnection } from "./connection.ts";
import type { Keys } from "./keys.ts";

const COUNT_REQUEST = script("count-request");
const TAKE_TOKEN = script("take-token");
const START_IDEMPOTENT = script("start-idempotent");
const END_IDEMPOTENT = script("end-idempotent");

const SECOND_MS = 1_000;
/**
 * What the callers' clocks decide is kept a little longer by Redis's: it removes only what nobody asks for again.
 */
const KEPT_LONGER_MS = 60_000;
const TOKEN_BYTES = 12;

type Answer = Parameters<ReadState["finishIdempotent"]>[2];

const packr = new Packr({ useRecords: false });

/** Windows, buckets, snapshots and answers by Idempotency-Key, shared by all nodes. */
export class ShortLived {
  readonly #redis: RedisConnection;
  readonly #keys: Keys;
  readonly #clock: { nowMs(): number };
  /** Of requests that this node runs: the token that proves it. */
  readonly #started = new Map<string, string>();

  constructor(redis: RedisConnection, keys: Keys, clock: { nowMs(): number }) {
    this.#redis = redis;
    this.#keys = keys;
    this.#clock = clock;
  }

  async countRequest(limiterKey: string, limit: number, nowMs: number): Promise<WindowState> {
    const values = [Math.floor(nowMs / SECOND_MS), limit, KEPT_LONGER_MS].map(String);
    const answer = await this.#redis.run(COUNT_REQUEST, [this.#keys.window(limiterKey)], ...values);
    const [window, allowed, count] = answer as readonly [number, number, number];
    return {
      allowed: allowed === 1,
      remaining: Math.max(0, limit - count),
      resetAtMs: (window + 1) * SECOND_MS,
    };
  }

  async takeToken(
    limiterKey: string,
    { ratePerSecond, burst }: { readonly ratePerSecond: number; readonly burst: number },
    nowMs: number,
  ): Promise<TokenState> {
    const fullAfterMs = Math.ceil((burst * SECOND_MS) / ratePerSecond);
    const values = [ratePerSecond, burst, nowMs, fullAfterMs + KEPT_LONGER_MS].map(String);
    const bucket = this.#keys.bucket(limiterKey);
    const waitMs = Number(await this.#redis.run(TAKE_TOKEN, [bucket], ...values));
    return { allowed: waitMs === 0, waitMs };
  }

  async putSnapshot(
    tenantId: TenantId,
    id: string,
    value: unknown,
    expiresAtMs: number,
  ): Promise<void> {
    const key = this.#keys.snapshot(tenantId, id);
    const keepMs = Math.max(1, expiresAtMs - this.#clock.nowMs() + KEPT_LONGER_MS);
    await this.#redis.send(key, "SET", key, packr.pack([expiresAtMs, value]), "PX", `${keepMs}`);
  }

  async getSnapshot(tenantId: TenantId, id: string, nowMs: number): Promise<unknown> {
    const key = this.#keys.snapshot(tenantId, id);
    const packed = (await this.#redis.send(key, "GET", key)) as Buffer | null;
    if (packed === null) return undefined;
    const [expiresAtMs, value] = packr.unpack(packed) as readonly [number, unknown];
    return expiresAtMs > nowMs ? value : undefined;
  }

  async startIdempotent(
    tenantId: TenantId,
    idempotencyKey: string,
    bodySha256: string,
    nowMs: number,
  ): Promise<IdempotencyStart> {
    const key = this.#keys.request(tenantId, idempotencyKey);
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const endsAtMs = nowMs + IDEMPOTENCY_UNFINISHED_TTL_MS;
    const keepMs = IDEMPOTENCY_UNFINISHED_TTL_MS + KEPT_LONGER_MS;
    const values = [nowMs, endsAtMs, keepMs].map(String);
    const answer = await this.#redis.run(START_IDEMPOTENT, [key], bodySha256, token, ...values);
    const [kindBytes, packed] = answer as readonly [Buffer, Buffer?];
    const kind = kindBytes.toString() as IdempotencyStart["kind"];
    if (kind === "answered") return { kind, ...(packr.unpack(packed ?? kindBytes) as Answer) };
    if (kind === "started") this.#started.set(key, token);
    return { kind };
  }

  async finishIdempotent(
    tenantId: TenantId,
    idempotencyKey: string,
    { status, body, headers }: Answer,
    nowMs: number,
  ): Promise<void> {
    const packed = packr.pack({ status, body, headers });
    const keepMs = IDEMPOTENCY_TTL_MS + KEPT_LONGER_MS;
    const values = [nowMs + IDEMPOTENCY_TTL_MS, keepMs].map(String);
    await this.#end(this.#keys.request(tenantId, idempotencyKey), packed, ...values);
  }

  async abandonIdempotent(tenantId: TenantId, idempotencyKey: string): Promise<void> {
    await this.#end(this.#keys.request(tenantId, idempotencyKey), "");
  }

  /** Of a request that this node started, and that was not let go since and started by another. */
  async #end(key: string, ...values: readonly (string | Buffer)[]): Promise<void> {
    const token = this.#started.get(key);
    if (token === undefined) return;
    this.#started.delete(key);
    await this.#redis.run(END_IDEMPOTENT, [key], token, ...values);
  }
}
