import { resolve } from "node:path";
import { ConfigError } from "@feed/runtime";
import type { WebhooksRole } from "../webhooks-role.ts";
import { readInstallationSettings } from "../settings.ts";
import { installationOfCommand } from "./installation-of-command.ts";

export interface WebhooksFlags {
  readonly data: string;
  readonly json: boolean;
}

/** Opens the webhooks, does the work, and closes whatever comes. Errors: ConfigError for an address that is refused. */
export async function withWebhooks<Result>(
  flags: Pick<WebhooksFlags, "data">,
  work: (webhooks: WebhooksRole) => Promise<Result>,
): Promise<Result> {
  const { openWebhooks } = await import("../webhooks-role.ts");
  const config = readInstallationSettings(process.env);
  await using webhooks = await openWebhooks({
    installation: installationOfCommand(resolve(flags.data), config),
    targets: config.webhookTargets,
    logLevel: config.logLevel,
  });
  return await work(webhooks);
}

/** @throws ConfigError */
export function noWebhook(tenantId: string): never {
  throw new ConfigError([`${tenantId} has no webhook; \`feedctl webhooks set\` gives it one`]);
}
