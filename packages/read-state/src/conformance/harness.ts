import { asId } from "@feed/domain/ids";
import type { ContentId, SessionRef, SubjectId, TenantId, UserRef } from "@feed/domain/ids";
import type { SessionState, SubjectKey, UserState } from "@feed/domain/user";
import { buildUserState } from "@feed/test-kit";
import type { ReadState, ReadStateChange } from "../port.ts";

/** A read state as the suite needs it. Disposing closes all that was opened. */
export interface ReadStateUnderTest extends AsyncDisposable {
  readonly state: ReadState;
  /** Opens the same read state once more, as another process does. */
  openAnother(): Promise<ReadState>;
}

/** One promise of the port. It rejects where the adapter breaks it. */
export interface Check {
  readonly name: string;
  readonly run: (subject: ReadStateUnderTest) => Promise<void>;
}

export const TENANT = asId<TenantId>("tenant-1");
export const OTHER_TENANT = asId<TenantId>("tenant-2");
export const USER_REF = asId<UserRef>("ref-1");
export const MONTH = "2026-11";
export const NOW_MS = Date.UTC(2026, 10, 15);
export const NO_POSITIONS: ReadonlyMap<number, number> = new Map();

export function keyOf(subject: string, tenantId: TenantId = TENANT): SubjectKey {
  return { tenantId, subjectId: asId<SubjectId>(subject) };
}
export const KEY = keyOf("subject-1");

export function putUser(
  offset: number,
  parts: Partial<UserState> = {},
  key: SubjectKey = KEY,
): ReadStateChange {
  return { kind: "put-user", key, state: buildUserState(parts), offset };
}

export function markRead(content: string, key: SubjectKey = KEY, atMs = NOW_MS): ReadStateChange {
  return { kind: "mark-read", key, contentId: asId<ContentId>(content), atMs };
}

export function forgetUser(
  offset: number,
  nextGeneration = 1,
  key: SubjectKey = KEY,
  userRef: UserRef = USER_REF,
): ReadStateChange {
  return { kind: "forget-user", key, userRef, nextGeneration, offset };
}

export const SESSION_REF = asId<SessionRef>("session-1");

export function buildSession(parts: Partial<SessionState> = {}): SessionState {
  return {
    sessionRef: SESSION_REF,
    sessionId: "s-1",
    owner: null,
    start: null,
    firstEventAtMs: NOW_MS,
    lastEventAtMs: NOW_MS,
    ...parts,
  };
}

export function mergeSession(
  parts: Partial<SessionState> = {},
  key: SubjectKey = KEY,
): ReadStateChange {
  return { kind: "merge-session", key, session: buildSession(parts) };
}

export function putUsage(
  offset: number,
  tenths: number,
  { partition = 0, month = MONTH, tenantId = TENANT } = {},
): ReadStateChange {
  return { kind: "put-usage", tenantId, month, partition, tenths, offset };
}

export function putCap(
  offset: number,
  capTenths: number | null,
  tenantId = TENANT,
): ReadStateChange {
  return { kind: "put-cap", tenantId, capTenths, offset };
}

/** Applies user changes without moving a position. */
export async function applyUsers(
  state: ReadState,
  ...changes: readonly ReadStateChange[]
): Promise<void> {
  await state.apply("users", changes, NO_POSITIONS);
}
