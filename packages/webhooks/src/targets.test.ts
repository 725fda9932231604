import { describe, expect, it } from "vitest";
import { webhookUrl, type WebhookTargets } from "./targets.ts";

const verdict = (url: string, targets: WebhookTargets): string => {
  try {
    return webhookUrl(url, targets);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};

describe("Where webhooks may go (decisions, Webhook)", () => {
  it.each([
    ["https://hooks.example/a?b=c", "public", "https://hooks.example/a?b=c"],
    ["http://hooks.example/", "public", "refused: must be an https address"],
    ["https://127.0.0.1/", "public", "refused: must be on the public internet"],
    ["https://169.254.169.254/latest", "public", "refused: must be on the public internet"],
    ["https://10.1.2.3/", "public", "refused: must be on the public internet"],
    ["https://intranet/", "public", "refused: must be on the public internet"],
    ["http://127.0.0.1:8092/", "any", "http://127.0.0.1:8092/"],
    ["ftp://hooks.example/", "any", expect.stringContaining("http or https")],
    ["https://a:b@hooks.example/", "any", expect.stringContaining("without user name")],
    ["https://hooks.example/#part", "any", "refused: must have no fragment"],
    ["not an address", "any", "refused: must be an http or https address"],
  ] as const)("%s, where %s may be told, is %s", (url, targets, expected) => {
    expect(verdict(url, targets)).toEqual(expected);
  });
});
