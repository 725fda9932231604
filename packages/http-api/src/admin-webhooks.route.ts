import type { TenantId } from "@feed/domain/ids";
import type { Webhook, WebhookDeliveryState } from "@feed/domain/webhook";
import { WebhookUrlRefused, type WebhookChange } from "@feed/webhooks";
import { recordAction } from "./admin-actions.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { requireTenantAccess, stampOf } from "./admin-access.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { openListCursor, sealListCursor } from "./list-cursor.ts";
import type { WebhookDeliveryListAnswer } from "./openapi.generated.ts";
import { presentDelivery, presentWebhook } from "./present-webhook.ts";
import { notFound, validationProblem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/** `/admin/v1/tenants/{tenant_id}/webhook`: where a tenant's events go, and what was sent there. */
export function adminWebhooksRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  settingRoutes(router, reader, deps);
  deliveryRoutes(router, reader, deps);
}

function settingRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { webhooks } = deps;
  const path = "/admin/v1/tenants/:tenant_id/webhook";

  router.get(path, (ctx) => {
    const { tenant_id } = reader.parameters("adminGetWebhook", ctx);
    const webhook = knownWebhook(deps, tenantIdOf(ctx, deps, "read", tenant_id));
    ctx.body = { data: presentWebhook(webhook, ctx.state.receivedAtMs) };
  });

  router.put(path, async (ctx) => {
    const { tenant_id } = reader.parameters("adminPutWebhook", ctx);
    const tenantId = tenantIdOf(ctx, deps, "settings", tenant_id);
    const { url } = await reader.body("adminPutWebhook", ctx);
    const change = await webhooks.save(tenantId, url, stampOf(ctx)).catch(refusedUrl);
    respondWith(ctx, change, 201);
  });

  router.delete(path, async (ctx) => {
    const { tenant_id } = reader.parameters("adminRemoveWebhook", ctx);
    const tenantId = tenantIdOf(ctx, deps, "settings", tenant_id);
    if (!(await webhooks.remove(tenantId, stampOf(ctx)))) throw notFound("webhook");
    ctx.status = 204;
  });

  router.post(`${path}/rotate-secret`, async (ctx) => {
    const { tenant_id } = reader.parameters("adminRotateWebhookSecret", ctx);
    const change = await webhooks.rotateSecret(
      tenantIdOf(ctx, deps, "settings", tenant_id),
      stampOf(ctx),
    );
    if (change === undefined) throw notFound("webhook");
    respondWith(ctx, change, 200);
  });
}

function deliveryRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { webhooks } = deps;
  const path = "/admin/v1/tenants/:tenant_id/webhook";

  router.post(`${path}/test`, async (ctx) => {
    const { tenant_id } = reader.parameters("adminTestWebhook", ctx);
    const tenantId = tenantIdOf(ctx, deps, "settings", tenant_id);
    if (deps.directory.webhook(tenantId) === undefined) throw notFound("webhook");
    await recordAction(ctx, deps, { action: "webhook.tested", tenantId });
    const deliveryId = await webhooks.test(tenantId, ctx.state.receivedAtMs);
    if (deliveryId === undefined) throw notFound("webhook");
    ctx.status = 202;
    ctx.body = { data: { delivery_id: deliveryId } };
  });

  router.get(`${path}/deliveries`, async (ctx) => {
    const { tenant_id, limit, cursor } = reader.parameters("adminListWebhookDeliveries", ctx);
    const tenantId = tenantIdOf(ctx, deps, "read", tenant_id);
    const after = cursor === undefined ? null : placeOf(deps, tenantId, cursor);
    const deliveries = await webhooks.deliveries(tenantId, after, limit);
    const last = deliveries.length < limit ? undefined : deliveries.at(-1);
    const body: WebhookDeliveryListAnswer = {
      data: deliveries.map(presentDelivery),
      meta: { next_cursor: last === undefined ? null : cursorAfter(deps, last) },
    };
    ctx.body = body;
  });

  router.get(`${path}/deliveries/:delivery_id`, async (ctx) => {
    const { tenant_id, delivery_id } = reader.parameters("adminGetWebhookDelivery", ctx);
    const delivery = await webhooks.delivery(tenantIdOf(ctx, deps, "read", tenant_id), delivery_id);
    if (delivery === undefined) throw notFound("delivery");
    ctx.body = { data: presentDelivery(delivery) };
  });

  router.post(`${path}/deliveries/:delivery_id/resend`, async (ctx) => {
    const { tenant_id, delivery_id } = reader.parameters("adminResendWebhookDelivery", ctx);
    const tenantId = tenantIdOf(ctx, deps, "settings", tenant_id);
    if ((await webhooks.delivery(tenantId, delivery_id)) === undefined) throw notFound("delivery");
    const action = { action: "webhook-delivery.resent", tenantId, subject: delivery_id };
    await recordAction(ctx, deps, action);
    const isKnown = await webhooks.resend(tenantId, delivery_id, ctx.state.receivedAtMs);
    if (!isKnown) throw notFound("delivery");
    ctx.status = 202;
    ctx.body = { data: { delivery_id } };
  });
}

/** The secret is in this answer and nowhere else, where one was made. */
function respondWith(ctx: ApiContext, { webhook, secret }: WebhookChange, status: number): void {
  const shown = presentWebhook(webhook, ctx.state.receivedAtMs);
  ctx.status = secret === null ? 200 : status;
  ctx.body = { data: secret === null ? shown : { secret, webhook: shown } };
}

function refusedUrl(error: unknown): never {
  if (error instanceof WebhookUrlRefused) {
    throw validationProblem([{ pointer: "/url", detail: error.message }]);
  }
  throw error;
}

function tenantIdOf(...call: Parameters<typeof requireTenantAccess>): TenantId {
  return requireTenantAccess(...call).tenantId;
}

function knownWebhook({ directory }: HttpApiDependencies, tenantId: TenantId): Webhook {
  const webhook = directory.webhook(tenantId);
  if (webhook === undefined) throw notFound("webhook");
  return webhook;
}

function placeOf({ keyring }: HttpApiDependencies, tenantId: TenantId, cursor: string) {
  const { atMs, id } = openListCursor(keyring, "webhook-deliveries", tenantId, cursor);
  return { createdAtMs: atMs, deliveryId: id };
}

function cursorAfter({ keyring }: HttpApiDependencies, delivery: WebhookDeliveryState): string {
  const { tenantId, createdAtMs: atMs, deliveryId: id } = delivery;
  return sealListCursor(keyring, "webhook-deliveries", tenantId, { atMs, id });
}
