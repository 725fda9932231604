import type { TenantId } from "@feed/domain/ids";
import type { HttpApiDependencies } from "./dependencies.ts";
import { Problem } from "./problem.ts";

type CursorKeys = Pick<HttpApiDependencies["keyring"], "sealCursor" | "openCursor">;

/** A place in a list that is ordered by time, newest first, then by id. */
export interface ListPlace {
  readonly atMs: number;
  readonly id: string;
}

/** A place in a list ordered by id that belongs to no tenant. */
export function sealNameCursor(keyring: CursorKeys, list: "tenants" | "audit", id: string): string {
  return keyring.sealCursor(Buffer.from(id), `${list}|`);
}

/** @throws Problem 400 `invalid-cursor`. */
export function openNameCursor(
  keyring: CursorKeys,
  list: "tenants" | "audit",
  cursor: string,
): string {
  const payload = keyring.openCursor(cursor, `${list}|`);
  if (payload === undefined) throw invalidCursor();
  return Buffer.from(payload).toString("utf8");
}

function invalidCursor(): Problem {
  return new Problem("invalid-cursor", "The cursor was not made for this list, or is too old.");
}

/** The place as a cursor that no other list and no other tenant can use. */
export function sealListCursor(
  keyring: CursorKeys,
  list: "push-jobs" | "webhook-deliveries",
  tenantId: TenantId,
  { atMs, id }: ListPlace,
): string {
  return keyring.sealCursor(Buffer.from(`${atMs} ${id}`), `${list}|${tenantId}`);
}

/** @throws Problem 400 `invalid-cursor`. */
export function openListCursor(
  keyring: CursorKeys,
  list: "push-jobs" | "webhook-deliveries",
  tenantId: TenantId,
  cursor: string,
): ListPlace {
  const payload = keyring.openCursor(cursor, `${list}|${tenantId}`);
  if (payload === undefined) throw invalidCursor();
  const [at = "", id = ""] = Buffer.from(payload).toString("utf8").split(" ");
  return { atMs: Number(at), id };
}
