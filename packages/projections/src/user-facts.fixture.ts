import type { SourcePreferenceChange, UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { SourceId, SubjectId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import type { UserProperties, UserState } from "@feed/domain/user";
import { BUILT_AT_MS } from "@feed/test-kit";
import type { UserRecord } from "./changes.ts";
import { projectUserFact } from "./users.ts";

export const KEY = {
  tenantId: asId<TenantId>("tenant-1"),
  subjectId: asId<SubjectId>("subject-1"),
};
export const USER_ID = asId<UserId>("user-1");
export const SOURCE = asId<SourceId>("source-1");
export const LATER_MS = BUILT_AT_MS + 60_000;

export function put(properties: UserProperties, receivedAtMs = BUILT_AT_MS): UserFact {
  const personal = { userId: USER_ID, properties };
  return { type: "user.properties-replaced", ...KEY, receivedAtMs, personal };
}
export function patch(properties: UserProperties, receivedAtMs = BUILT_AT_MS): UserFact {
  const personal = { userId: USER_ID, properties };
  return { type: "user.properties-merged", ...KEY, receivedAtMs, personal };
}
export function prefer(change: SourcePreferenceChange, receivedAtMs = BUILT_AT_MS): UserFact {
  const personal = { userId: USER_ID };
  const type = "user.source-preference-changed";
  return { type, ...KEY, sourceId: SOURCE, change, receivedAtMs, personal };
}
export const DELETED: UserFact = {
  type: "user.deleted",
  ...KEY,
  userRef: asId<UserRef>("ref-1"),
  generation: 0,
  receivedAtMs: BUILT_AT_MS,
};

/** Given these facts from offset 0 on. */
export function given(...facts: readonly UserFact[]): UserRecord | undefined {
  return facts.reduce<UserRecord | undefined>(
    (record, fact, offset) => projectUserFact(record, fact, offset).after,
    undefined,
  );
}
export function stateOf(...facts: readonly UserFact[]): UserState {
  const record = given(...facts);
  if (record?.kind !== "user") throw new Error("there is no user");
  return record.state;
}
