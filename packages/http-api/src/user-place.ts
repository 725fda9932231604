import type { SubjectId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { userPartition } from "@feed/signing";
import type { HttpApiDependencies } from "./dependencies.ts";

export interface UserName {
  readonly tenantId: TenantId;
  readonly userId: UserId;
}

/** Where the facts of one user go. */
export interface UserPlace extends UserName {
  readonly userRef: UserRef;
  readonly partition: number;
  readonly generation: number;
  readonly subjectId: SubjectId;
}

/** Errors: ReadStateUnavailable. */
export async function placeOfUser(
  { keyring, readState }: Pick<HttpApiDependencies, "keyring" | "readState">,
  { tenantId, userId }: UserName,
): Promise<UserPlace> {
  const userRef = keyring.pseudonyms.userRef(tenantId, userId);
  const [generation = 0] = await readState.generations(tenantId, [userRef]);
  return {
    tenantId,
    userId,
    userRef,
    generation,
    partition: userPartition(userRef, USER_PARTITIONS),
    subjectId: keyring.pseudonyms.subjectOfUser(tenantId, userId, generation),
  };
}
