import { billingMonth } from "@feed/domain/credits";
import type { Source } from "@feed/domain/source";
import type { ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { presentArea } from "./feed.route.ts";
import type { AreasAnswer, SourcesAnswer, UsageAnswer } from "./openapi.generated.ts";
import type { RequestReader } from "./route-tools.ts";
import { usageOf } from "./usage.ts";

/** Beyond the specification, and free (decisions, "Credits and limits"): sources, areas and usage. */
export function directoryRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  router.get("/v1/sources", (ctx) => {
    const { tenantId } = requireTenant(ctx, null);
    const body: SourcesAnswer = {
      data: byName(deps.directory.sources()).map((source) => ({
        source_id: source.sourceId,
        name: source.name,
        url: source.url,
        title_rewrite_allowed: source.titleRewriteAllowed,
        language: source.language ?? null,
        licence: deps.directory.licence(tenantId, source.sourceId),
      })),
    };
    ctx.body = body;
  });

  router.get("/v1/areas", (ctx) => {
    requireTenant(ctx, null);
    const { q, limit } = reader.parameters("searchAreas", ctx);
    const body: AreasAnswer = { data: deps.gazetteer.search(q, limit).map(presentArea) };
    ctx.body = body;
  });

  router.get("/v1/usage", async (ctx) => {
    const tenant = requireTenant(ctx, null);
    const { month = billingMonth(ctx.state.receivedAtMs) } = reader.parameters("getUsage", ctx);
    const body: UsageAnswer = { data: await usageOf(tenant, month, deps) };
    ctx.body = body;
  });
}

export function byName(sources: readonly Source[]): readonly Source[] {
  return sources.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
