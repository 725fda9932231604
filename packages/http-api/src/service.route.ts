import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "prom-client";
import type { ApiRouter } from "./api-context.ts";
import type { OpenapiDocument } from "./openapi-document.ts";

const PART_MS_MAX = 1_000;

interface ServiceRouteOptions {
  readonly document: OpenapiDocument;
  readonly metrics: Registry;
  readonly parts: ReadonlyMap<string, () => Promise<void>>;
  readonly isClosing: () => boolean;
}

type Standing = "ok" | "unavailable";

/** Health, readiness, metrics and the OpenAPI document; no key needed. */
export function serviceRoutes(router: ApiRouter, options: ServiceRouteOptions): void {
  const { metrics, parts, isClosing } = options;
  const openapi = JSON.stringify(withoutExtensions(options.document));

  router.get("/healthz", (ctx) => {
    ctx.body = { status: "ok" };
  });

  router.get("/readyz", async (ctx) => {
    const names = [...parts.keys()];
    const standings = await Promise.all([...parts.values()].map(standingOf));
    const ready = !isClosing() && standings.every((standing) => standing === "ok");
    ctx.status = ready ? 200 : 503;
    ctx.body = {
      status: ready ? "ok" : "unavailable",
      parts: Object.fromEntries(names.map((name, index) => [name, standings[index]])),
    };
  });

  router.get("/metrics", async (ctx) => {
    ctx.body = await metrics.metrics();
    ctx.set("Content-Type", metrics.contentType);
  });

  router.get("/openapi.json", (ctx) => {
    ctx.type = "application/json";
    ctx.body = openapi;
  });
}

async function standingOf(check: () => Promise<void>): Promise<Standing> {
  const timeout = delay(PART_MS_MAX, "unavailable" as const, { ref: false });
  const answer = check().then(
    () => "ok" as const,
    () => "unavailable" as const,
  );
  return Promise.race([answer, timeout]);
}

/** Anchors for the file's own use are no part of what is served. */
function withoutExtensions(document: OpenapiDocument): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith("x-")));
}
