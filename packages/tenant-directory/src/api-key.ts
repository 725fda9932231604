import { createHash, randomBytes } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { API_SCOPES, type ApiKey, type ApiScope, type KeyKind } from "@feed/domain/tenant";

/** Bytes of randomness in a key: 192 bits. */
const KEY_BYTES = 24;
/** `cf_live_` or `cf_test_` and four more characters: enough to recognise a key by, too little to guess it. */
const PREFIX_CHARS = 12;

/** A new API key: `secret` is shown once to whoever asked for it, `key` is what is stored. */
export function issueApiKey(
  tenantId: TenantId,
  options: {
    readonly scopes?: readonly ApiScope[];
    readonly expiresAtMs?: number | null;
    readonly kind?: KeyKind;
    readonly name?: string;
  } = {},
): { readonly secret: string; readonly key: ApiKey } {
  const kind = options.kind ?? "live";
  const secret = `cf_${kind}_${randomBytes(KEY_BYTES).toString("base64url")}`;
  return {
    secret,
    key: {
      keyId: `key_${randomBytes(9).toString("base64url")}`,
      tenantId,
      sha256: sha256OfApiKey(secret),
      prefix: secret.slice(0, PREFIX_CHARS),
      scopes: options.scopes ?? API_SCOPES,
      expiresAtMs: options.expiresAtMs ?? null,
      kind,
      name: options.name ?? "",
    },
  };
}

/** Lower-case hex SHA-256 by which a presented key is looked up; the key itself is never stored. */
export function sha256OfApiKey(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
