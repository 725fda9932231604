import { WEBHOOK_TIMEOUT_MS } from "@feed/domain/limits";
import type { Webhook, WebhookAttempt, WebhookDeliveryState } from "@feed/domain/webhook";
import { FetchError, type SafeFetch } from "@feed/safe-fetch";
import { deliveryIdOfAlert } from "./delivery-log.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { payloadOf } from "./payload.ts";
import { openSecret, signingSecrets } from "./secrets.ts";
import { signatureHeaders } from "./signature.ts";
import { webhookUrl, WebhookUrlRefused, type WebhookTargets } from "./targets.ts";

/** Of an answer; what is beyond is not read. */
const ANSWER_BYTES_MAX = 64 * 1024;
const GONE = 410;
const ACTOR = "webhooks";

export interface AttemptOptions {
  readonly safeFetch: Pick<SafeFetch, "post">;
  readonly targets: WebhookTargets;
  readonly signal: AbortSignal;
  /** How long a receiver may take to answer. Absent: WEBHOOK_TIMEOUT_MS. */
  readonly timeoutMs?: number;
}

export interface AttemptOutcome extends Pick<WebhookAttempt, "url" | "status" | "error"> {
  /** Whether trying again can help. */
  readonly isFinal: boolean;
}

/**
 * Sends a delivery once. Only a 2xx is success; a 410 disables the webhook (decisions, "Webhook"). Errors: of parts
 * that are away, and the signal's reason: then it was no attempt.
 */
export async function attemptDelivery(
  deps: WebhookDependencies,
  delivery: WebhookDeliveryState,
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  // It may have been saved a moment ago on another node.
  await deps.directory.caughtUp();
  const webhook = deps.directory.webhook(delivery.tenantId);
  if (webhook === undefined) return refusal("", "the webhook was removed");
  const { url } = webhook;
  if (webhook.disabled !== null)
    return refusal(url, `the webhook is disabled: ${webhook.disabled.reason}`);
  try {
    // The rules of the installation may have changed since it was saved.
    webhookUrl(url, options.targets);
  } catch (error) {
    if (error instanceof WebhookUrlRefused) return refusal(url, `the address ${error.message}`);
    throw error;
  }
  const status = await post(deps, delivery, webhook, options);
  if (typeof status === "string") return { url, status: null, error: status, isFinal: false };
  if (status >= 200 && status < 300) return { url, status, error: null, isFinal: true };
  if (status === GONE) await disable(deps, webhook);
  return { url, status, error: `answered ${status}`, isFinal: status === GONE };
}

function refusal(url: string, error: string): AttemptOutcome {
  return { url, status: null, error, isFinal: true };
}

/** The status of the answer, or why there was none. */
async function post(
  deps: WebhookDependencies,
  delivery: WebhookDeliveryState,
  webhook: Webhook,
  { safeFetch, signal, timeoutMs = WEBHOOK_TIMEOUT_MS }: AttemptOptions,
): Promise<number | string> {
  const { tenantId, jobId, deliveryId: id } = delivery;
  const atMs = deps.clock.nowMs();
  const job = jobId === null ? undefined : await deps.push.find(tenantId, jobId, atMs);
  const alert = deps.directory
    .usageAlerts(tenantId)
    .find((one) => deliveryIdOfAlert(one) === delivery.deliveryId);
  const body = JSON.stringify(payloadOf(delivery, { job, alert }));
  const secrets = signingSecrets(webhook, atMs).map((secret) =>
    openSecret(deps.keyring.webhookSecretKey, tenantId, secret),
  );
  const headers = {
    "content-type": "application/json; charset=utf-8",
    ...signatureHeaders({ id, atMs, body }, secrets),
  };
  const limits = { bytesMax: ANSWER_BYTES_MAX, timeoutMs, signal };
  try {
    return (await safeFetch.post(webhook.url, { body, headers, ...limits })).status;
  } catch (error) {
    if (error instanceof FetchError) return REASONS[error.code] ?? error.code;
    throw error;
  }
}

const REASONS: Readonly<Partial<Record<FetchError["code"], string>>> = {
  timeout: `no answer within ${WEBHOOK_TIMEOUT_MS / 1_000} seconds`,
  unreachable: "the connection was refused or broke off",
  unresolved: "its name has no address",
  "blocked-address": "its address is not on the public internet",
};

async function disable({ directory, clock }: WebhookDependencies, { tenantId, url }: Webhook) {
  const reason = `answered ${GONE}`;
  const stamp = { actor: ACTOR, atMs: clock.nowMs() };
  await directory.change([{ type: "webhook.disabled", tenantId, url, reason, ...stamp }]);
}
