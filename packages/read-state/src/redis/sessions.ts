import type { SessionRef, SubjectId, TenantId } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState, SubjectKey } from "@feed/domain/user";
import { Packr } from "msgpackr";
import { ReadStateUnavailable } from "../port.ts";
import { partOf, partRow, type SessionRow } from "../session-rows.ts";
import { script, type RedisConnection } from "./connection.ts";
import type { Keys } from "./keys.ts";

const REPLACE = script("replace-field");
const NONE = Buffer.alloc(0);
/** One projector writes a part; another only while partitions change hands. */
const ATTEMPTS_MAX = 20;

const packr = new Packr({ useRecords: false });

/**
 * Merges what a subject's events say into its part of the session: read, merged here, and written unless somebody
 * changed it meanwhile, so that there is one `mergeSessions`.
 */
export async function mergePart(
  redis: RedisConnection,
  keys: Keys,
  { tenantId, subjectId }: SubjectKey,
  session: SessionState,
): Promise<void> {
  const key = keys.session(tenantId, session.sessionRef);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const stored = ((await redis.send(key, "HGET", key, subjectId)) as Buffer | null) ?? NONE;
    const merged = stored === NONE ? session : mergeSessions(partIn(stored), session);
    const row = Buffer.from(packr.pack(partRow(merged)));
    if (row.equals(stored)) return;
    if ((await redis.run(REPLACE, [key], subjectId, stored, row)) === 1) return;
  }
  throw new ReadStateUnavailable(`others kept changing session ${session.sessionRef}`);

  function partIn(row: Buffer): SessionState {
    return partOf(session.sessionRef, subjectId, packr.unpack(row) as SessionRow);
  }
}

export async function removePart(
  redis: RedisConnection,
  keys: Keys,
  { tenantId, subjectId }: SubjectKey,
  sessionRef: SessionRef,
): Promise<void> {
  const key = keys.session(tenantId, sessionRef);
  await redis.send(key, "HDEL", key, subjectId);
}

export async function mergedSession(
  redis: RedisConnection,
  keys: Keys,
  tenantId: TenantId,
  sessionRef: SessionRef,
): Promise<SessionState | undefined> {
  const key = keys.session(tenantId, sessionRef);
  const fields = (await redis.send(key, "HGETALL", key)) as readonly Buffer[];
  let merged: SessionState | undefined;
  for (let index = 0; index < fields.length; index += 2) {
    const subjectId = String(fields[index]) as SubjectId;
    const row = packr.unpack(fields[index + 1] ?? NONE) as SessionRow;
    const part = partOf(sessionRef, subjectId, row);
    merged = merged === undefined ? part : mergeSessions(merged, part);
  }
  return merged;
}
