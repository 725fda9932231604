import type { SubjectId, TenantId } from "@feed/domain/ids";
import { USER_LIST_LIMIT_MAX } from "@feed/domain/limits";
import type { HttpApiDependencies } from "../dependencies.ts";
import { presentUser } from "../present-user.ts";

type ExportDependencies = Pick<HttpApiDependencies, "activityStore" | "readState">;

/**
 * Every user of a tenant as a line of JSON, as GET /v1/users shows them. Resolves when the first are there, so that a part
 * that is away is a problem document and no broken file. Errors: ActivityStoreUnavailable, ReadStateUnavailable.
 */
export async function exportUsers(
  deps: ExportDependencies,
  tenantId: TenantId,
): Promise<AsyncIterable<string>> {
  const first = await pageAfter(deps, tenantId, null);
  return (async function* () {
    for (let page = first; ; page = await pageAfter(deps, tenantId, page.last)) {
      yield page.text;
      if (page.last === null) return;
    }
  })();
}

async function pageAfter(
  { activityStore, readState }: ExportDependencies,
  tenantId: TenantId,
  after: SubjectId | null,
): Promise<{ readonly text: string; readonly last: SubjectId | null }> {
  const { subjectIds } = await activityStore.listUsers(tenantId, after, USER_LIST_LIMIT_MAX);
  const keys = subjectIds.map((subjectId) => ({ tenantId, subjectId }));
  const records = keys.length === 0 ? [] : await readState.users(keys);
  const lines = records.flatMap((one) =>
    one?.kind === "user" ? `${JSON.stringify(presentUser(one.state))}\n` : [],
  );
  const last = subjectIds.length < USER_LIST_LIMIT_MAX ? null : (subjectIds.at(-1) ?? null);
  return { text: lines.join(""), last };
}
