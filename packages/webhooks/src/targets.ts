import { assertPublicUrl, assertWebUrl } from "@feed/safe-fetch/address-guard";
import { FetchError } from "@feed/safe-fetch/fetch-error";

/**
 * Where webhooks of an installation may go (decisions, "Webhook"). `public`: https and addresses of the public
 * internet; `any`: plain http and private addresses too, for trying out.
 */
export const WEBHOOK_TARGETS = ["any", "public"] as const;
export type WebhookTargets = (typeof WEBHOOK_TARGETS)[number];

const NO_ORIGINS: ReadonlySet<string> = new Set();

/** An address that no webhook can have here; the message says why, for whoever gave it. */
export class WebhookUrlRefused extends Error {
  override readonly name = "WebhookUrlRefused";
}

/**
 * The address as it will be asked, as far as it can be checked without resolving its name.
 *
 * @throws WebhookUrlRefused
 */
export function webhookUrl(text: string, targets: WebhookTargets): string {
  const url = URL.parse(text);
  if (url === null) throw new WebhookUrlRefused("must be an http or https address");
  if (url.hash !== "") throw new WebhookUrlRefused("must have no fragment");
  try {
    if (targets === "any") assertWebUrl(url);
    else assertPublicUrl(url, NO_ORIGINS);
  } catch (error) {
    if (error instanceof FetchError) throw new WebhookUrlRefused(reasonOf(error), { cause: error });
    throw error;
  }
  if (targets === "public" && url.protocol !== "https:")
    throw new WebhookUrlRefused("must be an https address");
  return url.href;
}

function reasonOf({ code }: FetchError): string {
  return code === "blocked-address"
    ? "must be on the public internet"
    : "must be an http or https address of at most 2,048 characters without user name and password";
}
