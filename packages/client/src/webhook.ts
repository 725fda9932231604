import { WebhookVerificationError } from "./errors.ts";
import type { Operations } from "./openapi.generated.ts";

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** As Standard Webhooks 1.0.0 advises. */
const TOLERANCE_SECONDS = 300;
const MS_PER_SECOND = 1_000;

type Webhooks = Operations["webhooks"];
/** A payload of the service; told apart by `event`. New events may be added: let others pass. */
export type WebhookEvent = Webhooks[keyof Webhooks];

export interface WebhookDelivery {
  /** As they came; names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before anything has parsed it. */
  readonly body: string | Uint8Array;
}

export interface VerifiedDelivery {
  /** `webhook-id`: the same for every repetition of a delivery, so that each is handled once. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly signedAtMs: number;
  readonly event: WebhookEvent;
}

/**
 * Checks the Standard Webhooks signature of a delivery, and that it was made within five minutes, and reads it. While a
 * secret is rotated the service signs with both, so that either will do.
 *
 * @param secrets the webhook's secret (`whsec_…`), or several of them.
 * @param nowMs Unix time of the check.
 * @throws WebhookVerificationError: answer 400 and do nothing else.
 */
export async function verifyWebhook(
  { headers, body }: WebhookDelivery,
  secrets: string | readonly string[],
  nowMs: number = Date.now(),
): Promise<VerifiedDelivery> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature").split(" ");
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("webhook-timestamp is no time");
  if (Math.abs(nowMs / MS_PER_SECOND - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError("the delivery is more than five minutes old, or ahead");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const keys = typeof secrets === "string" ? [secrets] : secrets;
  if (!(await isSignedByAny(keys, signatures, signed)))
    throw new WebhookVerificationError("no signature was made with this secret");
  const event = parsed(bytes);
  return { id, signedAtMs: Number(timestamp) * MS_PER_SECOND, event };
}

async function isSignedByAny(
  secrets: readonly string[],
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  for (const secret of secrets) {
    const key = await subtle.importKey(
      "raw",
      secretBytes(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    for (const signature of signatures) {
      const mac = signature.startsWith("v1,") ? bytesOf(signature.slice("v1,".length)) : undefined;
      // Compares in constant time.
      if (mac !== undefined && (await subtle.verify("HMAC", key, mac, signed))) return true;
    }
  }
  return false;
}

function header(headers: WebhookDelivery["headers"], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "")
    throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(SECRET.exec(secret)?.[1] ?? "");
  if (bytes === undefined || bytes.length === 0)
    throw new WebhookVerificationError("the secret must be whsec_ and base64, as it was shown");
  return bytes;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenated(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

function parsed(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError("the body is no JSON", { cause: error });
  }
}
