import { isDeepStrictEqual } from "node:util";
import type { SessionRef, TenantId } from "@feed/domain/ids";
import { mergeSessions } from "@feed/domain/session";
import type { SessionState } from "@feed/domain/user";
import type { ReadState } from "@feed/read-state";
import type { ExpectedSubject, ExpectedUsers } from "./expected-users.ts";

/** Enough to see what is wrong; a read state that differs everywhere must not fill a screen. */
const DIFFERENCES_MAX = 20;

/**
 * Where a read state differs from what the log says, one line each without personal fields; empty: nowhere.
 * The projector must have reached the end of the log and stand still.
 */
export async function differencesFrom(
  { subjects, generations }: ExpectedUsers,
  readState: ReadState,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const subject of subjects.values()) {
    differences.push(...(await subjectDifferences(subject, readState)));
    if (differences.length >= DIFFERENCES_MAX) return differences;
  }
  for (const { tenantId, sessionRef, session } of expectedSessions(subjects.values())) {
    if (isDeepStrictEqual(await readState.session(tenantId, sessionRef), session)) continue;
    differences.push(`session ${sessionRef} of ${tenantId}`);
  }
  for (const { tenantId, userRef, generation } of generations.values()) {
    const [stored] = await readState.generations(tenantId, [userRef]);
    if (stored === generation) continue;
    differences.push(`generation of ${userRef} of ${tenantId}`);
  }
  return differences.slice(0, DIFFERENCES_MAX);
}

async function subjectDifferences(
  { key, record, read }: ExpectedSubject,
  readState: ReadState,
): Promise<readonly string[]> {
  const name = `${key.subjectId} of ${key.tenantId}`;
  const differences: string[] = [];
  const [stored] = await readState.users([key]);
  if (!isDeepStrictEqual(stored, record)) differences.push(`record of ${name}`);
  const marks = await readState.readMarks(key);
  if (!isDeepStrictEqual(marks, read)) differences.push(`read contents of ${name}`);
  return differences;
}

interface ExpectedSession {
  readonly tenantId: TenantId;
  readonly sessionRef: SessionRef;
  readonly session: SessionState;
}

function expectedSessions(subjects: Iterable<ExpectedSubject>): Iterable<ExpectedSession> {
  const sessions = new Map<string, ExpectedSession>();
  for (const { key, sessions: parts } of subjects) {
    for (const [sessionRef, part] of parts) {
      const name = JSON.stringify([key.tenantId, sessionRef]);
      const known = sessions.get(name)?.session;
      const session = known === undefined ? part : mergeSessions(known, part);
      sessions.set(name, { tenantId: key.tenantId, sessionRef, session });
    }
  }
  return sessions.values();
}
