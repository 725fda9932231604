import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { bytesOf, textOf } from "./secrets.ts";
import { signatureHeaders, verifyDelivery } from "./signature.ts";

const NOW_MS = Date.now();
const body = JSON.stringify({ event: "webhook.test", name: "朝のニュース" });
const [current, former, stranger] = [1, 2, 3].map((seed) => Buffer.alloc(32, seed));
const signed = (secrets: readonly Uint8Array[], atMs = NOW_MS) => ({
  headers: signatureHeaders({ id: "msg_1", atMs, body }, secrets),
  body,
});

describe("The signature of a delivery (decisions, Webhook)", () => {
  it("passes the stock verifier of Standard Webhooks with every secret that is valid", () => {
    const { headers } = signed([current!, former!]);
    for (const secret of [current!, former!])
      expect(new Webhook(textOf(secret)).verify(body, headers)).toEqual(JSON.parse(body));
    const other = new Webhook(textOf(stranger!));
    expect(() => other.verify(body, headers)).toThrow(WebhookVerificationError);
  });

  it("is t and hexadecimal v1 values over the time and the raw body", () => {
    const { headers } = signed([current!, former!]);
    const seconds = Math.floor(NOW_MS / 1_000);
    const mac = (key: Buffer) =>
      createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
    expect(headers["x-service-signature"]).toBe(
      `t=${seconds},v1=${mac(current!)},v1=${mac(former!)}`,
    );
  });

  it.each([
    ["valid", signed([current!])],
    ["valid", signed([former!, current!])],
    ["valid", signed([current!], NOW_MS - 299_000)],
    ["expired", signed([current!], NOW_MS - 302_000)],
    ["expired", signed([current!], NOW_MS + 302_000)],
    ["invalid", signed([stranger!])],
    ["invalid", { ...signed([current!]), body: body.replace("test", "test ") }],
    ["invalid", changed("webhook-id", "msg_2")],
    ["invalid", changed("webhook-signature", "v1,AAAA")],
    ["invalid", changed("x-service-signature", `t=${Math.floor(NOW_MS / 1_000)},v1=00`)],
    ["invalid", changed("webhook-timestamp", `${Math.floor(NOW_MS / 1_000) + 1}`)],
    ["unsigned", { headers: {}, body }],
  ])("is %s as a receiver sees it", (verdict, delivery) => {
    expect(verifyDelivery(delivery, [current!], NOW_MS)).toBe(verdict);
  });

  function changed(name: string, value: string) {
    const delivery = signed([current!]);
    return { ...delivery, headers: { ...delivery.headers, [name]: value } };
  }
});

describe("A secret", () => {
  it("is whsec_ and base64 of its 32 bytes", () => {
    expect(textOf(current!)).toBe("whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
    expect(bytesOf(textOf(current!))).toEqual(current);
    for (const text of ["", "whsec_", "whsec_AQE=", textOf(current!).slice(1)])
      expect(bytesOf(text)).toBeUndefined();
  });
});
