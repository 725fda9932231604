import { requireTenantAccess } from "./admin-access.ts";
import type { ApiRouter } from "./api-context.ts";
import { presentContentItem } from "./contents.route.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { presentExplanation } from "./feed-json.ts";
import { ambiguousArea, scenarioFor } from "./feed.route.ts";
import type { FeedPreviewAnswer } from "./openapi.generated.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestReader } from "./route-tools.ts";

/** `/admin/v1/tenants/{tenant_id}/users/by-id/{user_id}/feed`: what a user would be shown now, and why. */
export function adminPreviewRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  router.get("/admin/v1/tenants/:tenant_id/users/by-id/:user_id/feed", async (ctx) => {
    const { tenant_id, user_id, limit, ...asked } = reader.parameters("adminPreviewFeed", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    const scenario = scenarioFor(deps, tenant, asked);
    const preview = await deps.feed.preview({
      tenant,
      scenario,
      requestId: ctx.state.requestId,
      userId: asUserId(user_id),
      limit,
      areaNames: [],
      includeBody: false,
      bodyFormat: "markdown",
      nowMs: ctx.state.receivedAtMs,
    });
    if (preview.kind === "ambiguous-area") throw ambiguousArea(preview.names);
    const body: FeedPreviewAnswer = {
      data: preview.items.map(({ content, score, explanation }) => ({
        content: presentContentItem(content),
        score,
        explanation: presentExplanation(explanation),
      })),
      meta: { scenario: scenario.name, version: scenario.version, arm: preview.arm },
    };
    ctx.body = body;
  });
}
