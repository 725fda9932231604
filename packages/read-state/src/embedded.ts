import { rm } from "node:fs/promises";
import type { ContentId, SessionRef, TenantId } from "@feed/domain/ids";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import { applyChanges } from "./embedded/applying.ts";
import { CreditCounters } from "./embedded/credit-counters.ts";
import { isSystemFault, unavailable } from "./embedded/faults.ts";
import { IdempotentAnswers } from "./embedded/idempotent-answers.ts";
import {
  listOpenPushJobs,
  listPushJobs,
  pushJobOf,
  reservationOf,
  sentMarksOf,
} from "./embedded/push-rows.ts";
import { readMarksOf } from "./embedded/read-marks.ts";
import { RequestWindows } from "./embedded/request-windows.ts";
import { mergedSession } from "./embedded/session-parts.ts";
import { Snapshots } from "./embedded/snapshots.ts";
import { modelsPath, openAnswerTables, openModelTables } from "./embedded/tables.ts";
import type { AnswerTables, ModelTables } from "./embedded/tables.ts";
import { TokenBuckets } from "./embedded/token-buckets.ts";
import { userOfRow } from "./user-rows.ts";
import {
  listDueWebhookDeliveries,
  listWebhookDeliveries,
  webhookDeliveryOf,
} from "./embedded/webhook-rows.ts";
import {
  CHANGES_PER_APPLY_MAX,
  ReadStateClosed,
  ReadStateRejected,
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

export interface EmbeddedReadStateOptions {
  /** Created when absent; the tables lie in `read-state/v1` below it. */
  readonly directory: string;
  /** Of the models: versions lie side by side and share what is short-lived. Absent: 1. */
  readonly version?: number;
}

/**
 * Opens the read state of one machine.
 *
 * Any number of threads and processes may read a directory while one projects into it. Limiter windows, snapshots,
 * taken credits and running requests are in the memory of the instance: one process, in one thread, serves the API.
 *
 * @throws ReadStateUnavailable where the directory can't be used.
 */
export async function openEmbeddedReadState({
  directory,
  version = 1,
}: EmbeddedReadStateOptions): Promise<ReadState> {
  const models = openModelTables(directory, version);
  return new EmbeddedReadState(directory, models, openAnswerTables(directory));
}

/** Removes a version of the models that nobody has open; one that is not there is no error. */
export async function removeEmbeddedModels({
  directory,
  version,
}: Required<EmbeddedReadStateOptions>): Promise<void> {
  await rm(modelsPath(directory, version), { recursive: true, force: true });
}

class EmbeddedReadState implements ReadState {
  readonly #directory: string;
  readonly #models: ModelTables;
  readonly #answers: AnswerTables;
  readonly #credits: CreditCounters;
  readonly #windows = new RequestWindows();
  readonly #buckets = new TokenBuckets();
  readonly #snapshots = new Snapshots();
  readonly #idempotency: IdempotentAnswers;
  #closed = false;

  constructor(directory: string, models: ModelTables, answers: AnswerTables) {
    this.#directory = directory;
    this.#models = models;
    this.#answers = answers;
    this.#credits = new CreditCounters(models);
    this.#idempotency = new IdempotentAnswers(answers);
  }

  async apply(
    projection: ReadStateProjection,
    changes: readonly ReadStateChange[],
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    if (changes.length > CHANGES_PER_APPLY_MAX) {
      throw new ReadStateRejected(
        `${changes.length} changes are more than ${CHANGES_PER_APPLY_MAX}`,
      );
    }
    this.#use(() => applyChanges(this.#models, projection, changes, positions));
  }

  async positions(projection: ReadStateProjection): Promise<ReadonlyMap<number, number>> {
    return this.#use(() => {
      // Else a batch that another thread committed in this turn would not be seen in it.
      this.#models.root.resetReadTxn();
      return new Map(this.#models.positions.get(projection) ?? []);
    });
  }

  async users(keys: readonly SubjectKey[]): Promise<readonly (UserRecord | undefined)[]> {
    assertUserCount(keys);
    return this.#use(() =>
      keys.map(({ tenantId, subjectId }) => {
        const row = this.#models.users.getBinaryFast([tenantId, subjectId]);
        return row === undefined ? undefined : userOfRow(row as Buffer);
      }),
    );
  }

  async session(tenantId: TenantId, sessionRef: SessionRef): Promise<SessionState | undefined> {
    return this.#use(() => mergedSession(this.#models, tenantId, sessionRef));
  }

  async readMarks(key: SubjectKey): Promise<ReadonlySet<ContentId>> {
    return this.#use(() => readMarksOf(this.#models, key));
  }

  async generations(...[tenantId, userRefs]: Parameters<ReadState["generations"]>) {
    assertUserCount(userRefs);
    const { generations } = this.#models;
    return this.#use(() => userRefs.map((userRef) => generations.get([tenantId, userRef]) ?? 0));
  }

  async usage(
    tenantId: TenantId,
    month: string,
    partition: number,
  ): Promise<UsageRecord | undefined> {
    const row = this.#use(() => this.#models.usage.get([tenantId, month, partition]));
    return row && { tenths: row[0], offset: row[1] };
  }

  async pushJob(tenantId: TenantId, jobId: string): Promise<PushJobRecord | undefined> {
    return this.#use(() => pushJobOf(this.#models, tenantId, jobId));
  }

  async pushJobs(
    tenantId: TenantId,
    after: PushJobPlace | null,
    limit: number,
  ): Promise<readonly PushJobRecord[]> {
    return this.#use(() => listPushJobs(this.#models, tenantId, after, limit));
  }

  async openPushJobs(): Promise<readonly OpenPushJob[]> {
    return this.#use(() => listOpenPushJobs(this.#models));
  }

  async sentMarks(keys: readonly SubjectKey[]): Promise<readonly (readonly SentMarks[])[]> {
    assertUserCount(keys);
    return this.#use(() => keys.map((key) => sentMarksOf(this.#models, key)));
  }

  async reservation(tenantId: TenantId, reservationId: string): Promise<Reservation | undefined> {
    return this.#use(() => reservationOf(this.#models, tenantId, reservationId));
  }

  async webhookDelivery(
    tenantId: TenantId,
    deliveryId: string,
  ): Promise<WebhookDeliveryRecord | undefined> {
    return this.#use(() => webhookDeliveryOf(this.#models, tenantId, deliveryId));
  }

  async webhookDeliveries(
    tenantId: TenantId,
    after: WebhookDeliveryPlace | null,
    limit: number,
  ): Promise<readonly WebhookDeliveryRecord[]> {
    return this.#use(() => listWebhookDeliveries(this.#models, tenantId, after, limit));
  }

  async dueWebhookDeliveries(
    nowMs: number,
    limit: number,
  ): Promise<readonly WebhookDeliveryRecord[]> {
    return this.#use(() => listDueWebhookDeliveries(this.#models, nowMs, limit));
  }

  async takeCredits(tenantId: TenantId, month: string, tenths: number): Promise<CreditTaking> {
    return this.#use(() => this.#credits.take(tenantId, month, tenths));
  }

  async returnCredits(tenantId: TenantId, month: string, tenths: number): Promise<void> {
    this.#use(() => this.#credits.giveBack(tenantId, month, tenths));
  }

  async creditStanding(tenantId: TenantId, month: string): Promise<CreditStanding> {
    return this.#use(() => this.#credits.standing(tenantId, month));
  }

  async countRequest(
    limiterKey: string,
    limitPerSecond: number,
    nowMs: number,
  ): Promise<WindowState> {
    return this.#use(() => this.#windows.count(limiterKey, limitPerSecond, nowMs));
  }

  async takeToken(
    limiterKey: string,
    bucket: { readonly ratePerSecond: number; readonly burst: number },
    nowMs: number,
  ): Promise<TokenState> {
    return this.#use(() => this.#buckets.take(limiterKey, bucket, nowMs));
  }

  async putSnapshot(
    tenantId: TenantId,
    id: string,
    value: unknown,
    expiresAtMs: number,
  ): Promise<void> {
    this.#use(() => this.#snapshots.put(tenantId, id, value, expiresAtMs));
  }

  async getSnapshot(tenantId: TenantId, id: string, nowMs: number): Promise<unknown> {
    return this.#use(() => this.#snapshots.get(tenantId, id, nowMs));
  }

  async startIdempotent(
    tenantId: TenantId,
    key: string,
    bodySha256: string,
    nowMs: number,
  ): Promise<IdempotencyStart> {
    return this.#useAsync(() => this.#idempotency.start(tenantId, key, bodySha256, nowMs));
  }

  async finishIdempotent(
    tenantId: TenantId,
    key: string,
    answer: Parameters<ReadState["finishIdempotent"]>[2],
    nowMs: number,
  ): Promise<void> {
    await this.#useAsync(() => this.#idempotency.finish(tenantId, key, answer, nowMs));
  }

  async abandonIdempotent(tenantId: TenantId, key: string): Promise<void> {
    this.#use(() => this.#idempotency.abandon(tenantId, key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#models.root.close();
    await this.#answers.root.close();
  }

  #use<Result>(action: () => Result): Result {
    if (this.#closed) throw new ReadStateClosed("the read state is closed");
    try {
      return action();
    } catch (error) {
      throw this.#classified(error);
    }
  }

  async #useAsync<Result>(action: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#use(action);
    } catch (error) {
      throw this.#classified(error);
    }
  }

  #classified(error: unknown): unknown {
    return isSystemFault(error) ? unavailable(this.#directory, error) : error;
  }
}

function assertUserCount(keys: readonly unknown[]): void {
  if (keys.length <= USERS_PER_READ_MAX) return;
  throw new ReadStateRejected(`${keys.length} users are more than ${USERS_PER_READ_MAX}`);
}
