import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import type { Database, Key, RootDatabase } from "lmdb";
import type { ContentId } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import type { Reservation } from "@feed/projections/credits";
import type { SessionRow } from "../session-rows.ts";
import { unavailable } from "./faults.ts";

/** Raised when a table changes: a directory of another version is left alone and rebuilt from the log. */
const LAYOUT = "read-state/v1";
/** Address space, not memory or disk: far above any read state of one machine, so that the map never moves. */
const MAP_BYTES = 2 ** 40;
const READERS_MAX = 1024;
const TABLES_MAX = 32;

export type SentRow = readonly [jobId: string, contents: readonly ContentId[]];

/** What the projector writes. Keys begin with the tenant, so that no range crosses from one to another. */
export interface ModelTables {
  readonly root: RootDatabase;
  /** [tenant, subject]: see ../user-rows.ts. */
  readonly users: Database<Buffer, Key>;
  /** [tenant, subject, chunk]: see read-marks.ts. */
  readonly marks: Database<unknown, Key>;
  /** [tenant, session, subject]: what that subject's events say about the session. */
  readonly sessions: Database<SessionRow, Key>;
  /** [tenant, subject, session]: where a forgotten subject's parts lie. */
  readonly sessionsOf: Database<true, Key>;
  /** [tenant, user ref]. */
  readonly generations: Database<number, Key>;
  /** [tenant, month, partition]: tenths, offset. */
  readonly usage: Database<readonly [tenths: number, offset: number], Key>;
  /** [tenant, month]: sum of `usage` over the partitions. */
  readonly usageTotals: Database<number, Key>;
  /** Tenant: tenths, offset. */
  readonly caps: Database<readonly [tenths: number | null, offset: number], Key>;
  /** [tenant, reservation]. */
  readonly reservations: Database<readonly [step: Reservation["step"], tenths: number], Key>;
  /** [tenant, month]: tenths held by granted reservations, tenths of settled ones. */
  readonly reservationTotals: Database<readonly [heldTenths: number, settledTenths: number], Key>;
  /** [tenant, job]. */
  readonly pushJobs: Database<readonly [state: PushJobState, offset: number], Key>;
  /** [tenant, time of the request below zero, job]: newest first. */
  readonly pushJobsByTime: Database<true, Key>;
  /** [tenant, job]: jobs that are not closed. */
  readonly openPushJobs: Database<readonly [partition: number, requestedOffset: number], Key>;
  /** [tenant, subject]: by job, oldest first. */
  readonly sent: Database<readonly SentRow[], Key>;
  /** [tenant, delivery]. */
  readonly webhookDeliveries: Database<readonly [state: WebhookDeliveryState, offset: number], Key>;
  /** [tenant, time of creation below zero, delivery]: newest first. */
  readonly webhookDeliveriesByTime: Database<true, Key>;
  /** [due time, tenant, delivery]: pending ones. */
  readonly dueWebhookDeliveries: Database<true, Key>;
  /** Projection: next offset by partition. */
  readonly positions: Database<readonly (readonly [partition: number, offset: number])[], Key>;
}

/** What API nodes write: an environment of its own, so that an answer never waits for the projector's batch. */
export interface AnswerTables {
  readonly root: RootDatabase;
  /** [tenant, idempotency key]. */
  readonly answers: Database<StoredAnswer, Key>;
  /** [expires at, tenant, idempotency key]. */
  readonly expiries: Database<true, Key>;
}

export type StoredAnswer = readonly [
  bodySha256: string,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
  expiresAtMs: number,
];

/** Where a version of the models lies. */
export function modelsPath(directory: string, version: number): string {
  return join(directory, LAYOUT, version === 1 ? "models" : `models-${version}`);
}

/** @throws ReadStateUnavailable where the directory can't be made or written to. */
export function openModelTables(directory: string, version: number): ModelTables {
  return openEnvironment(modelsPath(directory, version), (root) => ({
    root,
    users: root.openDB<Buffer, Key>("users", { encoding: "binary" }),
    marks: root.openDB<unknown, Key>("marks", {}),
    sessions: root.openDB<SessionRow, Key>("sessions", {}),
    sessionsOf: root.openDB<true, Key>("sessions-of", {}),
    generations: root.openDB<number, Key>("generations", {}),
    usage: root.openDB<readonly [number, number], Key>("usage", {}),
    usageTotals: root.openDB<number, Key>("usage-totals", {}),
    caps: root.openDB<readonly [number | null, number], Key>("caps", {}),
    reservations: root.openDB<readonly [Reservation["step"], number], Key>("reservations", {}),
    reservationTotals: root.openDB<readonly [number, number], Key>("reservation-totals", {}),
    pushJobs: root.openDB<readonly [PushJobState, number], Key>("push-jobs", {}),
    pushJobsByTime: root.openDB<true, Key>("push-jobs-by-time", {}),
    openPushJobs: root.openDB<readonly [number, number], Key>("open-push-jobs", {}),
    sent: root.openDB<readonly SentRow[], Key>("sent", {}),
    webhookDeliveries: root.openDB<readonly [WebhookDeliveryState, number], Key>(
      "webhook-deliveries",
      {},
    ),
    webhookDeliveriesByTime: root.openDB<true, Key>("webhook-deliveries-by-time", {}),
    dueWebhookDeliveries: root.openDB<true, Key>("due-webhook-deliveries", {}),
    positions: root.openDB<readonly (readonly [number, number])[], Key>("positions", {}),
  }));
}

/** @throws ReadStateUnavailable where the directory can't be made or written to. */
export function openAnswerTables(directory: string): AnswerTables {
  return openEnvironment(join(directory, LAYOUT, "answers"), (root) => ({
    root,
    answers: root.openDB<StoredAnswer, Key>("answers", {}),
    expiries: root.openDB<true, Key>("expiries", {}),
  }));
}

/**
 * A commit is visible at once and synced afterwards: it survives the death of the process, and a power cut goes
 * back to an earlier commit, from whose positions the log is read again.
 */
function openEnvironment<Tables>(path: string, tablesOf: (root: RootDatabase) => Tables): Tables {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    const limits = { maxDbs: TABLES_MAX, maxReaders: READERS_MAX, mapSize: MAP_BYTES };
    return tablesOf(open({ path, noSubdir: false, overlappingSync: true, ...limits }));
  } catch (error) {
    throw unavailable(path, error);
  }
}
