import { createHmac, timingSafeEqual } from "node:crypto";
import type { Subscription } from "./subscriptions.ts";

/** What a hub asks the callback (WebSub, 5.2 and 5.3), as it wrote it. */
export type HubQuestion = Pick<URLSearchParams, "get">;

export type HubAnswer =
  /** `after` undefined: the subscription is over. */
  | { readonly echo: string; readonly after: Subscription | undefined }
  /** Not what we asked for: 404. */
  | undefined;

const CHALLENGE_CHARS_MAX = 4_000;
const REASON_CHARS_MAX = 200;
/** A lease is renewed when three quarters of it are over. */
const RENEWAL_SHARE = 0.75;
const LEASE_SECONDS_MAX = 30 * 24 * 3_600;
/** A hub that said no may have been asked too early, or by mistake. */
const DENIED_AGAIN_MS = 24 * 3_600_000;
/** Those of the recommendation (WebSub, 7.1). */
const METHODS = new Set(["sha1", "sha256", "sha384", "sha512"]);
const SIGNATURE = /^([a-z0-9]{1,10})=([0-9a-f]{40,128})$/i;

/** What a hub is answered that verifies what we want, or denies it, and how the subscription stands then. */
export function answerHub(
  subscription: Subscription,
  question: HubQuestion,
  nowMs: number,
): HubAnswer {
  const { status, isPending, topicUrl } = subscription;
  if (question.get("hub.topic") !== topicUrl) return undefined;
  const mode = question.get("hub.mode");
  if (mode === "denied")
    return {
      echo: "",
      after: status === "ending" ? undefined : denied(subscription, question, nowMs),
    };
  const challenge = question.get("hub.challenge") ?? "";
  if (!isPending || challenge === "" || challenge.length > CHALLENGE_CHARS_MAX) return undefined;
  if (mode === "unsubscribe" && status === "ending") return { echo: challenge, after: undefined };
  const leaseSeconds = leaseOf(question);
  if (mode !== "subscribe" || status === "ending" || leaseSeconds === undefined) return undefined;
  const { problem: _solved, ...others } = subscription;
  const leaseMs = leaseSeconds * 1_000;
  const after = {
    ...others,
    status: "active",
    isPending: false,
    asks: 0,
    leaseUntilMs: nowMs + leaseMs,
    nextAskMs: nowMs + RENEWAL_SHARE * leaseMs,
  } as const;
  return { echo: challenge, after };
}

function leaseOf(question: HubQuestion): number | undefined {
  const text = question.get("hub.lease_seconds") ?? "";
  if (!/^\d{1,12}$/.test(text) || Number(text) === 0) return undefined;
  return Math.min(LEASE_SECONDS_MAX, Number(text));
}

function denied(before: Subscription, question: HubQuestion, nowMs: number): Subscription {
  const { leaseUntilMs: _over, ...subscription } = before;
  const reason = (question.get("hub.reason") ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const said = reason === "" ? "without a reason." : `"${reason.slice(0, REASON_CHARS_MAX)}"`;
  return {
    ...subscription,
    status: "denied",
    isPending: false,
    nextAskMs: nowMs + DENIED_AGAIN_MS,
    problem: `The hub denied it: ${said}`,
  };
}

/**
 * Whether `X-Hub-Signature` is that of the body under the secret we gave the hub (WebSub, 7.1). No signature, a
 * method nobody knows and a wrong length are as wrong as a wrong signature.
 */
export function isSigned(secret: string, field: string | undefined, body: Uint8Array): boolean {
  const [, method = "", hex = ""] = SIGNATURE.exec(field?.trim() ?? "") ?? [];
  if (!METHODS.has(method.toLowerCase())) return false;
  const right = createHmac(method.toLowerCase(), secret).update(body).digest();
  return hex.length === 2 * right.length && timingSafeEqual(Buffer.from(hex, "hex"), right);
}
