import { randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { WEBHOOK_SECRET_OVERLAP_MS } from "@feed/domain/limits";
import type { Webhook, WebhookSecret } from "@feed/domain/webhook";
import { seal, unseal } from "@feed/personal-data/sealing";

const SECRET_BYTES = 32;
/** As Standard Webhooks 1.0.0 writes symmetric secrets. */
const SECRET_PREFIX = "whsec_";

/** A new secret: `text` is shown once to whoever asked for it, `secret` is what is stored. */
export function newSecret(
  key: KeyObject,
  tenantId: TenantId,
  nowMs: number,
): { readonly text: string; readonly secret: WebhookSecret } {
  const bytes = randomBytes(SECRET_BYTES);
  const sealed = seal(key, contextOf(tenantId), bytes);
  return { text: textOf(bytes), secret: { sealed, createdAtMs: nowMs, expiresAtMs: null } };
}

/** With a new secret in front; the one before signs beside it for a while, and no older one does. */
export function withNewSecret(
  secrets: readonly WebhookSecret[],
  secret: WebhookSecret,
  nowMs: number,
): readonly WebhookSecret[] {
  const former = secrets.slice(0, 1).map((one) => {
    return { ...one, expiresAtMs: nowMs + WEBHOOK_SECRET_OVERLAP_MS };
  });
  return [secret, ...former];
}

/** Those that sign at an instant, the current one first. */
export function signingSecrets(
  { secrets }: Pick<Webhook, "secrets">,
  nowMs: number,
): readonly WebhookSecret[] {
  return secrets.filter(({ expiresAtMs }) => expiresAtMs === null || nowMs < expiresAtMs);
}

/** @throws where it was sealed under another root secret, or for another tenant. */
export function openSecret(key: KeyObject, tenantId: TenantId, { sealed }: WebhookSecret): Buffer {
  return unseal(key, contextOf(tenantId), sealed);
}

export function textOf(bytes: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString("base64")}`;
}

/** Undefined for what is no secret. */
export function bytesOf(text: string): Buffer | undefined {
  if (!text.startsWith(SECRET_PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(SECRET_PREFIX.length), "base64");
  return bytes.length === SECRET_BYTES ? bytes : undefined;
}

function contextOf(tenantId: TenantId): string {
  return `webhook-secret:${tenantId}`;
}
