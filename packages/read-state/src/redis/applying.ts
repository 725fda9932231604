import type { SessionRef } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import type { ReadStateChange, ReadStateProjection } from "../port.ts";
import { script, type RedisConnection } from "./connection.ts";
import type { Keys } from "./keys.ts";
import { mergePart, removePart } from "./sessions.ts";
import { SubjectChanges, type SubjectChange, type SubjectOutcome } from "./subjects.ts";

type Change<Kind extends ReadStateChange["kind"]> = Extract<ReadStateChange, { kind: Kind }>;
export type OtherChange = Exclude<ReadStateChange, SubjectChange | Change<"merge-session">>;

const RAISE = script("raise-fields");

/** What one call changes, sorted by what is changed together. */
interface Batch {
  readonly subjects: ReadonlyMap<string, SubjectBatch>;
  /** Of one record each, in order. */
  readonly others: ReadonlyMap<string, readonly OtherChange[]>;
}

interface SubjectBatch {
  readonly changes: SubjectChanges;
  /** What the call says about sessions since the last deletion in it. */
  readonly sessions: Map<SessionRef, SessionState>;
  deletion?: Change<"forget-user">;
}

/** Changes of different records at once, those of one in order; positions when all are done. */
export async function applyChanges(
  redis: RedisConnection,
  keys: Keys,
  projection: ReadStateProjection,
  changes: readonly ReadStateChange[],
  positions: ReadonlyMap<number, number>,
  applyOther: (change: OtherChange) => Promise<void>,
): Promise<void> {
  const { subjects, others } = sorted(changes);
  await allOf([
    ...Array.from(subjects.values(), (batch) => applyToSubject(redis, keys, batch)),
    ...Array.from(others.values(), async (inOrder) => {
      for (const change of inOrder) await applyOther(change);
    }),
  ]);
  if (positions.size === 0) return;
  const moved = [...positions].flat().map(String);
  await redis.run(RAISE, [keys.positions(projection)], ...moved);
}

function sorted(changes: readonly ReadStateChange[]): Batch {
  const subjects = new Map<string, SubjectBatch>();
  const others = new Map<string, OtherChange[]>();
  for (const change of changes) {
    switch (change.kind) {
      case "put-user":
      case "mark-read":
      case "mark-sent":
      case "forget-user":
      case "merge-session":
        addToSubject(batchOf(subjects, change.key), change);
        break;
      default: {
        const name = recordName(change);
        const known = others.get(name);
        if (known === undefined) others.set(name, [change]);
        else known.push(change);
      }
    }
  }
  return { subjects, others };
}

function batchOf(subjects: Map<string, SubjectBatch>, key: SubjectKey): SubjectBatch {
  const name = JSON.stringify([key.tenantId, key.subjectId]);
  const known = subjects.get(name);
  if (known !== undefined) return known;
  const batch: SubjectBatch = { changes: new SubjectChanges(key), sessions: new Map() };
  subjects.set(name, batch);
  return batch;
}

function addToSubject(batch: SubjectBatch, change: SubjectChange | Change<"merge-session">): void {
  if (change.kind === "merge-session") {
    const { session } = change;
    const known = batch.sessions.get(session.sessionRef);
    const merged = known === undefined ? session : mergeSessions(known, session);
    batch.sessions.set(session.sessionRef, merged);
    return;
  }
  if (change.kind === "forget-user") {
    batch.sessions.clear();
    batch.deletion = change;
  }
  batch.changes.add(change);
}

/**
 * Parts of sessions and generations lie in other slots. Parts are written first and removed again where the subject
 * turns out to be forgotten: so nothing of a forgotten subject is left by whoever comes late.
 */
async function applyToSubject(
  redis: RedisConnection,
  keys: Keys,
  { changes, sessions, deletion }: SubjectBatch,
): Promise<void> {
  const { key } = changes;
  const said = [...sessions.values()];
  await allOf(said.map((session) => mergePart(redis, keys, key, session)));
  for (const sessionRef of sessions.keys()) changes.addSession(sessionRef);
  const outcome = await changes.apply(redis, keys);
  if (!outcome.forgotten) return;
  const refs = new Set([...sessions.keys(), ...outcome.sessionRefs]);
  await allOf(Array.from(refs, (sessionRef) => removePart(redis, keys, key, sessionRef)));
  if (deletion !== undefined) await finishDeletion(redis, keys, deletion, outcome);
}

async function finishDeletion(
  redis: RedisConnection,
  keys: Keys,
  { key, userRef, nextGeneration }: Change<"forget-user">,
  { deleted }: SubjectOutcome,
): Promise<void> {
  if (!deleted) return;
  const generation = keys.generation(key.tenantId, userRef);
  await redis.run(RAISE, [generation], "generation", String(nextGeneration));
  const [, , , sessions] = keys.subject(key);
  await redis.send(sessions, "DEL", sessions);
}

function recordName(change: OtherChange): string {
  switch (change.kind) {
    case "put-usage":
      return JSON.stringify([change.kind, change.tenantId, change.month, change.partition]);
    case "put-cap":
      return JSON.stringify([change.kind, change.tenantId]);
    case "put-reservation-step":
      return JSON.stringify([change.kind, change.tenantId, change.reservationId]);
    case "put-push-job": {
      const { tenantId, jobId } = change.state.request;
      return JSON.stringify([change.kind, tenantId, jobId]);
    }
    case "put-webhook-delivery":
      return JSON.stringify([change.kind, change.state.tenantId, change.state.deliveryId]);
  }
}

/** Waits for all of them, also when one fails: a call that is repeated must not meet itself. */
async function allOf(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
