import type { ContentId, SourceId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import type { SubjectKey, UserState } from "@feed/domain/user";
import type { FeedDependencies } from "./dependencies.ts";

/** Who a feed is for, as the read state knows them. */
export interface Reader {
  /** Absent for an anonymous or unregistered reader, who gets the generic feed (spec 4.1 rule 1). */
  readonly user: RegisteredReader | undefined;
}

export interface RegisteredReader {
  readonly userRef: UserRef;
  readonly key: SubjectKey;
  readonly state: UserState;
  readonly readMarks: ReadonlySet<ContentId>;
  readonly blockedSources: ReadonlySet<SourceId>;
}

const ANONYMOUS: Reader = { user: undefined };

/** Loads the reader. Errors: ReadStateUnavailable, because a feed made without it could show what was blocked. */
export async function loadReader(
  deps: Pick<FeedDependencies, "readState" | "keyring">,
  tenantId: TenantId,
  userId: UserId | undefined,
): Promise<Reader> {
  if (userId === undefined) return ANONYMOUS;
  const { pseudonyms } = deps.keyring;
  const userRef = pseudonyms.userRef(tenantId, userId);
  const [generation = 0] = await deps.readState.generations(tenantId, [userRef]);
  const key = { tenantId, subjectId: pseudonyms.subjectOfUser(tenantId, userId, generation) };
  const [record] = await deps.readState.users([key]);
  if (record?.kind !== "user") return ANONYMOUS;
  const readMarks = await deps.readState.readMarks(key);
  const blockedSources = new Set(record.state.blockedSources);
  return { user: { userRef, key, state: record.state, readMarks, blockedSources } };
}
