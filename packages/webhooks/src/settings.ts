import type { TenantId } from "@feed/domain/ids";
import type { Webhook } from "@feed/domain/webhook";
import { newSecret, openSecret, signingSecrets, textOf, withNewSecret } from "./secrets.ts";
import type { Stamp, WebhookServiceDependencies, WebhookSettings } from "./service.ts";
import { webhookUrl, type WebhookTargets } from "./targets.ts";

/** Webhooks as facts of the tenant directory. */
export function createWebhookSettings(
  { directory, keyring }: Pick<WebhookServiceDependencies, "directory" | "keyring">,
  targets: WebhookTargets,
): WebhookSettings {
  const { webhookSecretKey: key } = keyring;

  /** Saving enables: what was disabled and is to stay so is disabled again in the same change. */
  const change = async (
    { tenantId, url, secrets, disabled }: Webhook,
    stamp: Stamp,
  ): Promise<Webhook> => {
    const base = { tenantId, url, ...stamp };
    const saved = { type: "webhook.saved", secrets, ...base } as const;
    if (disabled === null) await directory.change([saved]);
    else {
      const { reason } = disabled;
      await directory.change([saved, { type: "webhook.disabled", reason, ...base }]);
    }
    return { tenantId, url, secrets, disabled };
  };

  return {
    async save(tenantId, text, stamp) {
      const url = webhookUrl(text, targets);
      const known = directory.webhook(tenantId);
      const made = known === undefined ? newSecret(key, tenantId, stamp.atMs) : undefined;
      const secrets = known?.secrets ?? (made === undefined ? [] : [made.secret]);
      const webhook = await change({ tenantId, url, secrets, disabled: null }, stamp);
      return { webhook, secret: made?.text ?? null };
    },

    async rotateSecret(tenantId, stamp) {
      const known = directory.webhook(tenantId);
      if (known === undefined) return undefined;
      const { text: shown, secret } = newSecret(key, tenantId, stamp.atMs);
      const secrets = withNewSecret(known.secrets, secret, stamp.atMs);
      return { webhook: await change({ ...known, secrets }, stamp), secret: shown };
    },

    async remove(tenantId: TenantId, stamp) {
      if (directory.webhook(tenantId) === undefined) return false;
      await directory.change([{ type: "webhook.removed", tenantId, ...stamp }]);
      return true;
    },

    secrets(tenantId, nowMs) {
      const webhook = directory.webhook(tenantId);
      if (webhook === undefined) return [];
      return signingSecrets(webhook, nowMs).map((one) => textOf(openSecret(key, tenantId, one)));
    },
  };
}
