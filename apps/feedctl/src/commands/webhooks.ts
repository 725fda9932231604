import { Command } from "commander";
import type { TenantId } from "@feed/domain/ids";
import { WEBHOOK_DELIVERY_LIST_LIMIT_DEFAULT } from "@feed/domain/limits";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { ConfigError, systemClock, waitUntil } from "@feed/runtime";
import type { WebhookChange } from "@feed/webhooks";
import { WebhookUrlRefused } from "@feed/webhooks/targets";
import type { WebhooksRole } from "../webhooks-role.ts";
import { deliveryLines, webhookLines } from "./webhooks-text.ts";
import { noWebhook, withWebhooks, type WebhooksFlags } from "./with-webhooks.ts";

/** An attempt may take 15 seconds, and the service some of its own. */
const OUTCOME_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** `feedctl webhooks …`: where tenants' events go and what was sent there; docs/operating/webhooks.md. */
export function webhooksCommand(dataDefault: string): Command {
  const webhooks = new Command("webhooks").description("Set, try and look at tenants' webhooks");
  const add = (command: Command): void => {
    webhooks.addCommand(
      command
        .option("--data <directory>", "data directory of the installation", dataDefault)
        .option("--json", "print the result as JSON", false),
    );
  };
  add(setCommand());
  add(showCommand());
  add(rotateCommand());
  add(removeCommand());
  add(testCommand());
  add(deliveriesCommand());
  add(resendCommand());
  return webhooks;
}

function setCommand(): Command {
  return ofTenant("set", "Post a tenant's events to an address; the first time a secret is made")
    .argument("<url>", "address to post to")
    .action((tenant: string, url: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async ({ service, knownTenant, stamp }) => {
        try {
          printChange(await service.save(knownTenant(tenant), url, stamp()), flags);
        } catch (error) {
          if (!(error instanceof WebhookUrlRefused)) throw error;
          throw new ConfigError([`the address ${error.message}`]);
        }
      }),
    );
}

function showCommand(): Command {
  return ofTenant("show", "Show a tenant's webhook").action(
    (tenant: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async ({ directory, knownTenant }) => {
        const webhook = directory.webhook(knownTenant(tenant)) ?? noWebhook(tenant);
        printChange({ webhook, secret: null }, flags);
      }),
  );
}

function rotateCommand(): Command {
  return ofTenant(
    "rotate-secret",
    "Make a new secret; the former one signs beside it for 24 hours",
  ).action((tenant: string, flags: WebhooksFlags) =>
    withWebhooks(flags, async ({ service, knownTenant, stamp }) => {
      const change = await service.rotateSecret(knownTenant(tenant), stamp());
      printChange(change ?? noWebhook(tenant), flags);
    }),
  );
}

function removeCommand(): Command {
  return ofTenant("remove", "Tell a tenant nothing any more").action(
    (tenant: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async ({ service, knownTenant, stamp }) => {
        if (!(await service.remove(knownTenant(tenant), stamp()))) noWebhook(tenant);
        console.log(flags.json ? "{}" : `${tenant}: removed`);
      }),
  );
}

function testCommand(): Command {
  return ofTenant("test", "Send a test delivery and say what became of it").action(
    (tenant: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async (webhooks) => {
        const tenantId = webhooks.knownTenant(tenant);
        const deliveryId = await webhooks.service.test(tenantId, systemClock.nowMs());
        await printOutcome(webhooks, tenantId, deliveryId ?? noWebhook(tenant), 0, flags);
      }),
  );
}

function deliveriesCommand(): Command {
  return ofTenant("deliveries", "List what was sent to a tenant, newest first").action(
    (tenant: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async ({ service, knownTenant }) => {
        const limit = WEBHOOK_DELIVERY_LIST_LIMIT_DEFAULT;
        const deliveries = await service.deliveries(knownTenant(tenant), null, limit);
        console.log(
          flags.json ? JSON.stringify(deliveries) : deliveries.map(deliveryLines).join("\n"),
        );
      }),
  );
}

function resendCommand(): Command {
  return ofTenant("resend", "Send a delivery again, under the same id")
    .argument("<delivery>", "id of the delivery")
    .action((tenant: string, deliveryId: string, flags: WebhooksFlags) =>
      withWebhooks(flags, async (webhooks) => {
        const tenantId = webhooks.knownTenant(tenant);
        const before = await webhooks.service.delivery(tenantId, deliveryId);
        if (before === undefined) throw new ConfigError([`there is no delivery ${deliveryId}`]);
        await webhooks.service.resend(tenantId, deliveryId, systemClock.nowMs());
        await printOutcome(webhooks, tenantId, deliveryId, before.attemptCount, flags);
      }),
    );
}

function ofTenant(name: string, description: string): Command {
  return new Command(name).description(description).argument("<tenant>", "id of the tenant");
}

function printChange({ webhook, secret }: WebhookChange, flags: WebhooksFlags): void {
  const { url, disabled } = webhook;
  if (flags.json) console.log(JSON.stringify({ url, disabled, secret }));
  else console.log(webhookLines(webhook, systemClock.nowMs()));
  if (secret !== null && !flags.json) console.log(`\n${secret}\n\nIt is not shown again.`);
}

/** Waits for the attempt that the running service makes. */
async function printOutcome(
  { service }: WebhooksRole,
  tenantId: TenantId,
  deliveryId: string,
  attemptsBefore: number,
  flags: WebhooksFlags,
): Promise<void> {
  let delivery: WebhookDeliveryState | undefined;
  const isAttempted = async (): Promise<boolean> => {
    delivery = await service.delivery(tenantId, deliveryId);
    return (delivery?.attemptCount ?? 0) > attemptsBefore;
  };
  const { signal } = new AbortController();
  const wait = { timeoutMs: OUTCOME_TIMEOUT_MS, pollMs: POLL_MS, signal };
  if (!(await waitUntil(isAttempted, wait)))
    throw new ConfigError([`${deliveryId} waits to be sent; is the service running?`]);
  if (delivery === undefined) return;
  console.log(flags.json ? JSON.stringify(delivery) : deliveryLines(delivery));
  if (delivery.status !== "delivered") process.exitCode = 1;
}
