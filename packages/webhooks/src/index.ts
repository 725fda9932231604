export type { WebhookDependencies } from "./dependencies.ts";
export { runWebhooks } from "./run.ts";
export type { WebhooksOptions, WebhooksRole } from "./run.ts";
export { createWebhookService } from "./service.ts";
export type { WebhookChange, WebhookService } from "./service.ts";
export { verifyDelivery } from "./signature.ts";
export type { DeliveryVerdict } from "./signature.ts";
export { WEBHOOK_TARGETS, WebhookUrlRefused } from "./targets.ts";
export type { WebhookTargets } from "./targets.ts";
