import type { Operations } from "../../openapi.generated.ts";

type Parameters = Operations["parameters"]["adminExportAudit"];

/** What the form holds; empty: whatever. Times are those of `<input type="datetime-local">`, in Japan. */
export interface Filter {
  readonly actor: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

export const EVERYTHING: Filter = { actor: "", kind: "", from: "", to: "" };

/** What the log is asked for. */
export function askedOf(tenant_id: string, { actor, kind, from, to }: Filter): Parameters {
  return {
    tenant_id,
    ...(actor.trim() !== "" && { actor: actor.trim() }),
    ...(kind !== "" && { kind }),
    ...(from !== "" && { from: inJapan(from) }),
    ...(to !== "" && { to: inJapan(to) }),
  };
}

function inJapan(local: string): string {
  return new Date(`${local}+09:00`).toISOString();
}
