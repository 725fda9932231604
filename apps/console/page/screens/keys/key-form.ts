import type { ApiScope, KeyKind, KeyWrite } from "../../openapi.generated.ts";
import type { Answer } from "../../shared/api.ts";

export const SCOPES = ["feed", "users", "events", "push"] as const satisfies readonly ApiScope[];
export const KINDS = ["live", "test"] as const satisfies readonly KeyKind[];
/** How long a key may go on working beside its successor. */
export const OVERLAP_HOURS = ["0", "1", "24", "168", "720"] as const;

export type Key = Answer<"adminListKeys">["data"][number];

/** What the form of a new key holds. */
export interface KeyDraft {
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly ApiScope[];
  /** Of an `<input type="datetime-local">`, taken as Japan's time like every time of the console; empty: never. */
  readonly expires: string;
}

export const NEW_KEY: KeyDraft = { name: "", kind: "live", scopes: SCOPES, expires: "" };

export function keyWriteOf({ name, kind, scopes, expires }: KeyDraft): KeyWrite {
  const expires_at = expires === "" ? null : new Date(`${expires}+09:00`).toISOString();
  return { name: name.trim(), kind, scopes: [...scopes], expires_at };
}

/** Whether a key still opens anything. */
export function isInForce({ expires_at }: Pick<Key, "expires_at">, nowMs: number): boolean {
  return expires_at === null || Date.parse(expires_at) > nowMs;
}
