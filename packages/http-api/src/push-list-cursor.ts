import type { TenantId } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { PushJobPlace } from "@feed/read-state/port";
import type { HttpApiDependencies } from "./dependencies.ts";
import { Problem } from "./problem.ts";

type CursorKeys = Pick<HttpApiDependencies["keyring"], "sealCursor" | "openCursor">;

/** The place of a job in its tenant's list, as a cursor that no other tenant can use. */
export function sealJobCursor(
  keyring: CursorKeys,
  tenantId: TenantId,
  { atMs, jobId }: PushJobState["request"],
): string {
  return keyring.sealCursor(Buffer.from(`${atMs} ${jobId}`), bindingOf(tenantId));
}

/** @throws Problem 400 `invalid-cursor`. */
export function openJobCursor(
  keyring: CursorKeys,
  tenantId: TenantId,
  cursor: string,
): PushJobPlace {
  const payload = keyring.openCursor(cursor, bindingOf(tenantId));
  if (payload === undefined) {
    throw new Problem("invalid-cursor", "The cursor was not made for this list, or is too old.");
  }
  const [requestedAt = "", jobId = ""] = Buffer.from(payload).toString("utf8").split(" ");
  return { requestedAtMs: Number(requestedAt), jobId };
}

function bindingOf(tenantId: TenantId): string {
  return `push-jobs|${tenantId}`;
}
