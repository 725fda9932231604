import { asId } from "@feed/domain/ids";
import type { SubjectId, TenantId } from "@feed/domain/ids";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { UserListAnswer } from "./openapi.generated.ts";
import { presentUser } from "./present-user.ts";
import { Problem } from "./problem.ts";

/** A page of a tenant's users, in a stable order. @throws Problem 400 `invalid-cursor`. */
export async function usersPage(
  deps: Pick<HttpApiDependencies, "activityStore" | "readState" | "keyring">,
  tenantId: TenantId,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<UserListAnswer> {
  const binding = `users|${tenantId}`;
  const after = cursor === undefined ? null : openUsersCursor(deps, cursor, binding);
  const { subjectIds } = await deps.activityStore.listUsers(tenantId, after, limit);
  const keys = subjectIds.map((subjectId) => ({ tenantId, subjectId }));
  const records = keys.length === 0 ? [] : await deps.readState.users(keys);
  const last = subjectIds.length < limit ? undefined : subjectIds.at(-1);
  const next = last && deps.keyring.sealCursor(Buffer.from(last), binding);
  return {
    // A user deleted since the list was made is left out.
    data: records.flatMap((one) => (one?.kind === "user" ? [presentUser(one.state)] : [])),
    meta: { next_cursor: next ?? null },
  };
}

function openUsersCursor(
  { keyring }: Pick<HttpApiDependencies, "keyring">,
  cursor: string,
  binding: string,
): SubjectId {
  const payload = keyring.openCursor(cursor, binding);
  if (payload === undefined) {
    throw new Problem("invalid-cursor", "The cursor was not made for this list, or is too old.");
  }
  return asId<SubjectId>(Buffer.from(payload).toString("utf8"));
}
