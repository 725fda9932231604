import type { ContentId, SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { unlessLate } from "@feed/runtime";
import {
  CHANGES_PER_APPLY_MAX,
  ReadStateClosed,
  ReadStateRejected,
  ReadStateUnavailable,
  USERS_PER_READ_MAX,
} from "./port.ts";
import type {
  CreditStanding,
  CreditTaking,
  IdempotencyStart,
  OpenPushJob,
  PushJobPlace,
  PushJobRecord,
  ReadState,
  ReadStateChange,
  ReadStateProjection,
  Reservation,
  SentMarks,
  TokenState,
  UsageRecord,
  UserRecord,
  WebhookDeliveryPlace,
  WebhookDeliveryRecord,
  WindowState,
} from "./port.ts";
import { applyChanges, type OtherChange } from "./redis/applying.ts";
import { connect, type RedisConnection } from "./redis/connection.ts";
import { Credits } from "./redis/credits.ts";
import { generationsOf } from "./redis/generations.ts";
import { Keys, modelKeyPatterns } from "./redis/keys.ts";
import { openPushJobs, putPushJob } from "./redis/push-jobs.ts";
import { Records } from "./redis/records.ts";
import { mergedSession } from "./redis/sessions.ts";
import { ShortLived } from "./redis/short-lived.ts";
import { readMarksOf, sentMarksOf, usersOf } from "./redis/subjects.ts";
import { dueWebhookDeliveries, putWebhookDelivery } from "./redis/webhooks.ts";

/** In every key: another layout is another name, rebuilt from the log beside it. */
const LAYOUT = "feed:v1:";
const ANSWER_TIMEOUT_MS_DEFAULT = 2_000;
const APPLY_TIMEOUT_MS = 30_000;
/** Of whoever removes a version: nobody waits for an answer of the API. */
const REMOVAL_ANSWER_TIMEOUT_MS = 30_000;

export interface RedisReadStateOptions {
  /** `redis://` or `rediss://`; with `-cluster` behind the name for any node of a cluster. */
  readonly url: string;
  readonly clock: { nowMs(): number };
  /** In front of every key, without braces; absent: none. */
  readonly keyPrefix?: string;
  /** Of the models: versions lie side by side and share what is short-lived. Absent: 1. */
  readonly version?: number;
  /** How long a caller waits for an answer; a call about many users has longer. Absent: 2 s. */
  readonly answerTimeoutMs?: number;
}

/** Opens the read state of an installation in Redis. Errors: ReadStateUnavailable, in one line. */
export async function openRedisReadState({
  url,
  clock,
  keyPrefix = "",
  version = 1,
  answerTimeoutMs = ANSWER_TIMEOUT_MS_DEFAULT,
}: RedisReadStateOptions): Promise<ReadState> {
  const shared = new Keys(`${keyPrefix}${LAYOUT}`);
  const models = new Keys(modelsPrefix(keyPrefix, version));
  const redis = await connect(url, answerTimeoutMs);
  return new RedisReadState(redis, { models, shared }, clock, answerTimeoutMs);
}

/** Removes a version of the models that nobody writes any more; one that is not there is no error. */
export async function removeRedisModels({
  url,
  keyPrefix = "",
  version,
}: {
  readonly url: string;
  readonly keyPrefix?: string;
  readonly version: number;
}): Promise<void> {
  await using redis = await connect(url, REMOVAL_ANSWER_TIMEOUT_MS);
  const prefix = modelsPrefix(keyPrefix, version);
  for (const pattern of modelKeyPatterns(prefix)) await redis.removeAll(pattern);
}

function modelsPrefix(keyPrefix: string, version: number): string {
  return `${keyPrefix}${LAYOUT}${version === 1 ? "" : `r${version}:`}`;
}

class RedisReadState implements ReadState {
  readonly #redis: RedisConnection;
  readonly #keys: Keys;
  readonly #credits: Credits;
  readonly #pushJobs: Records<PushJobState>;
  readonly #webhooks: Records<WebhookDeliveryState>;
  readonly #shortLived: ShortLived;
  readonly #answerTimeoutMs: number;
  #closed = false;

  constructor(
    redis: RedisConnection,
    { models, shared }: { readonly models: Keys; readonly shared: Keys },
    clock: { nowMs(): number },
    answerTimeoutMs: number,
  ) {
    this.#redis = redis;
    this.#keys = models;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#credits = new Credits(redis, models);
    this.#pushJobs = new Records(redis, models, "push-job");
    this.#webhooks = new Records(redis, models, "webhook");
    this.#shortLived = new ShortLived(redis, shared, clock);
  }

  async apply(
    projection: ReadStateProjection,
    changes: readonly ReadStateChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    assertAtMost(changes.length, CHANGES_PER_APPLY_MAX, "changes");
    const other = (change: OtherChange) => this.#applyOther(change);
    await this.#use(
      () => applyChanges(this.#redis, this.#keys, projection, changes, positions, other),
      APPLY_TIMEOUT_MS,
    );
  }

  positions(projection: ReadStateProjection): Promise<ReadonlyMap<number, number>> {
    return this.#use(async () => {
      const key = this.#keys.positions(projection);
      const fields = (await this.#redis.send(key, "HGETALL", key)) as readonly Buffer[];
      const numbers = fields.map(Number);
      const pairs = numbers.flatMap((partition, at) =>
        at % 2 === 0 ? [[partition, numbers[at + 1] ?? 0] as const] : [],
      );
      return new Map(pairs);
    });
  }

  async users(keys: readonly SubjectKey[]): Promise<readonly (UserRecord | undefined)[]> {
    assertAtMost(keys.length, USERS_PER_READ_MAX, "users");
    return this.#use(() => usersOf(this.#redis, this.#keys, keys), APPLY_TIMEOUT_MS);
  }

  session(tenantId: TenantId, sessionRef: SessionRef): Promise<SessionState | undefined> {
    return this.#use(() => mergedSession(this.#redis, this.#keys, tenantId, sessionRef));
  }

  readMarks(key: SubjectKey): Promise<ReadonlySet<ContentId>> {
    return this.#use(() => readMarksOf(this.#redis, this.#keys, key));
  }

  async generations(tenantId: TenantId, userRefs: readonly UserRef[]): Promise<readonly number[]> {
    assertAtMost(userRefs.length, USERS_PER_READ_MAX, "users");
    const keys = userRefs.map((userRef) => this.#keys.generation(tenantId, userRef));
    return this.#use(() => generationsOf(this.#redis, keys));
  }

  usage(tenantId: TenantId, month: string, partition: number): Promise<UsageRecord | undefined> {
    return this.#use(() => this.#credits.usage(tenantId, month, partition));
  }

  pushJob(tenantId: TenantId, jobId: string): Promise<PushJobRecord | undefined> {
    return this.#use(() => this.#pushJobs.get(tenantId, jobId));
  }

  pushJobs(
    tenantId: TenantId,
    after: PushJobPlace | null,
    limit: number,
  ): Promise<readonly PushJobRecord[]> {
    const place = after && { atMs: after.requestedAtMs, id: after.jobId };
    return this.#use(() => this.#pushJobs.list(tenantId, place, limit));
  }

  openPushJobs(): Promise<readonly OpenPushJob[]> {
    return this.#use(() => openPushJobs(this.#redis, this.#keys, this.#pushJobs));
  }

  async sentMarks(keys: readonly SubjectKey[]): Promise<readonly (readonly SentMarks[])[]> {
    assertAtMost(keys.length, USERS_PER_READ_MAX, "users");
    const reading = (key: SubjectKey) => sentMarksOf(this.#redis, this.#keys, key);
    return this.#use(() => Promise.all(keys.map(reading)), APPLY_TIMEOUT_MS);
  }

  reservation(tenantId: TenantId, reservationId: string): Promise<Reservation | undefined> {
    return this.#use(() => this.#credits.reservation(tenantId, reservationId));
  }

  webhookDelivery(
    tenantId: TenantId,
    deliveryId: string,
  ): Promise<WebhookDeliveryRecord | undefined> {
    return this.#use(() => this.#webhooks.get(tenantId, deliveryId));
  }

  webhookDeliveries(
    tenantId: TenantId,
    after: WebhookDeliveryPlace | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryRecord[]> {
    const place = after && { atMs: after.createdAtMs, id: after.deliveryId };
    return this.#use(() => this.#webhooks.list(tenantId, place, limit));
  }

  dueWebhookDeliveries(nowMs: number, limit: number): Promise<readonly WebhookDeliveryRecord[]> {
    return this.#use(() =>
      dueWebhookDeliveries(this.#redis, this.#keys, this.#webhooks, nowMs, limit),
    );
  }

  takeCredits(tenantId: TenantId, month: string, tenths: number): Promise<CreditTaking> {
    return this.#use(() => this.#credits.take(tenantId, month, tenths));
  }

  returnCredits(tenantId: TenantId, month: string, tenths: number): Promise<void> {
    return this.#use(() => this.#credits.giveBack(tenantId, month, tenths));
  }

  creditStanding(tenantId: TenantId, month: string): Promise<CreditStanding> {
    return this.#use(() => this.#credits.standing(tenantId, month));
  }

  countRequest(limiterKey: string, limitPerSecond: number, nowMs: number): Promise<WindowState> {
    return this.#use(() => this.#shortLived.countRequest(limiterKey, limitPerSecond, nowMs));
  }

  takeToken(...args: Parameters<ReadState["takeToken"]>): Promise<TokenState> {
    return this.#use(() => this.#shortLived.takeToken(...args));
  }

  putSnapshot(...args: Parameters<ReadState["putSnapshot"]>): Promise<void> {
    return this.#use(() => this.#shortLived.putSnapshot(...args));
  }

  getSnapshot(tenantId: TenantId, id: string, nowMs: number): Promise<unknown> {
    return this.#use(() => this.#shortLived.getSnapshot(tenantId, id, nowMs));
  }

  startIdempotent(...args: Parameters<ReadState["startIdempotent"]>): Promise<IdempotencyStart> {
    return this.#use(() => this.#shortLived.startIdempotent(...args));
  }

  finishIdempotent(...args: Parameters<ReadState["finishIdempotent"]>): Promise<void> {
    return this.#use(() => this.#shortLived.finishIdempotent(...args));
  }

  abandonIdempotent(tenantId: TenantId, key: string): Promise<void> {
    return this.#use(() => this.#shortLived.abandonIdempotent(tenantId, key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#redis[Symbol.asyncDispose]();
  }

  #applyOther(change: OtherChange): Promise<void> {
    switch (change.kind) {
      case "put-usage":
        return this.#credits.putUsage(change);
      case "put-cap":
        return this.#credits.putCap(change);
      case "put-reservation-step":
        return this.#credits.putReservationStep(change);
      case "put-push-job":
        return putPushJob(this.#redis, this.#keys, this.#pushJobs, change);
      case "put-webhook-delivery":
        return putWebhookDelivery(this.#redis, this.#keys, this.#webhooks, change);
    }
  }

  /** A server that hangs is as good as away: callers never wait longer than this. */
  async #use<Result>(action: () => Promise<Result>, timeoutMsMin: number = 0): Promise<Result> {
    if (this.#closed) throw new ReadStateClosed("the read state is closed");
    const timeoutMs = Math.max(timeoutMsMin, this.#answerTimeoutMs);
    const reason = `Redis does not answer for ${timeoutMs} ms`;
    return unlessLate(action(), timeoutMs, () => new ReadStateUnavailable(reason));
  }
}

function assertAtMost(count: number, max: number, what: string): void {
  if (count > max) throw new ReadStateRejected(`${count} ${what} are more than ${max}`);
}
