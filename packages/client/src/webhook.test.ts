import { randomBytes } from "node:crypto";
import { signatureHeaders } from "@feed/webhooks/signature";
import { describe, expect, it } from "vitest";
import { WebhookVerificationError } from "./errors.ts";
import { verifyWebhook } from "./webhook.ts";

const NOW_MS = Date.now();
const body = JSON.stringify({ event: "webhook.test", tenant_id: "朝刊" });
const [current, former, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const textOf = (bytes: Buffer) => `whsec_${bytes.toString("base64")}`;

/** Signed by the service's own signer. */
function signed(secrets: readonly Buffer[] = [current], atMs = NOW_MS) {
  return { body, headers: signatureHeaders({ id: "msg_1", atMs, body }, secrets) };
}

describe("A delivery the service signed (decisions, Webhook)", () => {
  it("is believed, and read", async () => {
    expect(await verifyWebhook(signed(), textOf(current), NOW_MS)).toEqual({
      id: "msg_1",
      signedAtMs: Math.floor(NOW_MS / 1_000) * 1_000,
      event: JSON.parse(body),
    });
  });

  it("may come as bytes, with headers of any kind and case", async () => {
    const { headers } = signed();
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    for (const kind of [new Headers(headers), Object.fromEntries(upper) as typeof headers]) {
      const delivery = { headers: kind, body: Buffer.from(body) };
      expect((await verifyWebhook(delivery, textOf(current), NOW_MS)).id).toBe("msg_1");
    }
  });

  it("is believed with either secret while they are rotated, on both sides", async () => {
    const both = signed([current, former]);
    for (const secret of [current, former])
      expect((await verifyWebhook(both, textOf(secret), NOW_MS)).id).toBe("msg_1");
    const known = [textOf(current), textOf(former)];
    expect((await verifyWebhook(signed([former]), known, NOW_MS)).id).toBe("msg_1");
  });

  it("is believed for five minutes", async () => {
    for (const ageMs of [-299_000, 299_000])
      expect(
        await verifyWebhook(signed([current], NOW_MS - ageMs), textOf(current), NOW_MS),
      ).toMatchObject({ id: "msg_1" });
  });

  it.each([
    ["another secret", signed([stranger])],
    ["another body", { ...signed(), body: body.replace("test", "test ") }],
    ["another id", changed("webhook-id", "msg_2")],
    ["another time", changed("webhook-timestamp", `${Math.floor(NOW_MS / 1_000) + 1}`)],
    ["a time that is none", changed("webhook-timestamp", "now")],
    ["a signature of another scheme", changed("webhook-signature", "v1a,AAAA")],
    ["a signature that is no base64", changed("webhook-signature", "v1,***")],
    ["an empty signature", changed("webhook-signature", "v1,")],
    ["no signature", changed("webhook-signature", undefined)],
    ["no id", changed("webhook-id", undefined)],
    ["two ids", changed("webhook-id", ["msg_1", "msg_1"])],
    ["no headers", { headers: {}, body }],
    ["an age of five minutes and more", signed([current], NOW_MS - 302_000)],
    ["a time that is ahead", signed([current], NOW_MS + 302_000)],
  ])("is refused with %s", async (_, delivery) => {
    const verifying = verifyWebhook(delivery, textOf(current), NOW_MS);
    await expect(verifying).rejects.toThrow(WebhookVerificationError);
  });

  it.each(["", "whsec_", current.toString("base64"), "whsec_%%%"])(
    "is refused where the secret is %j, which is none",
    async (secret) => {
      await expect(verifyWebhook(signed(), secret, NOW_MS)).rejects.toThrow(/the secret must be/);
    },
  );

  it("is refused when it is signed but no JSON", async () => {
    const headers = signatureHeaders({ id: "msg_1", atMs: NOW_MS, body: "{" }, [current]);
    const verifying = verifyWebhook({ headers, body: "{" }, textOf(current), NOW_MS);
    await expect(verifying).rejects.toThrow("the body is no JSON");
  });

  function changed(name: string, value: string | readonly string[] | undefined) {
    return { body, headers: { ...signed().headers, [name]: value } };
  }
});
