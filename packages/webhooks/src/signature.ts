import { createHmac, timingSafeEqual } from "node:crypto";

const MS_PER_SECOND = 1_000;
/** As Standard Webhooks 1.0.0 advises receivers. */
const TOLERANCE_SECONDS = 300;

/**
 * Headers that sign a delivery (decisions, "Webhook"): `X-Service-Signature` over `<t>.<body>` and those of Standard
 * Webhooks over `<id>.<t>.<body>`, each with one value for every secret. A secret's bytes are the HMAC key of both.
 */
export function signatureHeaders(
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const seconds = Math.floor(atMs / MS_PER_SECOND);
  const own = secrets.map((secret) => `v1=${macOf(secret, `${seconds}.${body}`, "hex")}`);
  const standard = secrets.map((secret) => `v1,${macOf(secret, `${id}.${seconds}.${body}`)}`);
  return {
    "x-service-signature": [`t=${seconds}`, ...own].join(","),
    "webhook-id": id,
    "webhook-timestamp": `${seconds}`,
    "webhook-signature": standard.join(" "),
  };
}

function macOf(secret: Uint8Array, text: string, encoding: "base64" | "hex" = "base64"): string {
  return createHmac("sha256", secret).update(text).digest(encoding);
}

export type DeliveryVerdict = "valid" | "unsigned" | "invalid" | "expired";

/**
 * What a receiver makes of a delivery: both signatures have to be there and made with one of the secrets, and the
 * time has to be within five minutes.
 */
export function verifyDelivery(
  delivery: {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string;
  },
  secrets: readonly Uint8Array[],
  nowMs: number,
): DeliveryVerdict {
  const header = (name: string): string => String(delivery.headers[name] ?? "");
  const own = partsOf(header("x-service-signature"));
  const id = header("webhook-id");
  const seconds = header("webhook-timestamp");
  const standard = header("webhook-signature").split(" ");
  if (own.t === "" || id === "" || seconds === "") return "unsigned";
  const isValid = secrets.some(
    (secret) =>
      own.v1.some((given) => isSame(given, macOf(secret, `${own.t}.${delivery.body}`, "hex"))) &&
      standard.some((given) =>
        isSame(given, `v1,${macOf(secret, `${id}.${seconds}.${delivery.body}`)}`),
      ),
  );
  if (!isValid || own.t !== seconds) return "invalid";
  const ageSeconds = Math.abs(nowMs / MS_PER_SECOND - Number(seconds));
  return ageSeconds <= TOLERANCE_SECONDS ? "valid" : "expired";
}

function partsOf(signature: string): { readonly t: string; readonly v1: readonly string[] } {
  const parts = signature.split(",").map((part) => part.split("="));
  const valuesOf = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
  return { t: valuesOf("t")[0] ?? "", v1: valuesOf("v1") };
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
