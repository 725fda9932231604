import { asId } from "@feed/domain/ids";
import type { ContentId } from "@feed/domain/ids";
import type { CatalogueItem } from "@feed/feed/service";
import { requireTenantAccess } from "./admin-access.ts";
import type { ApiRouter } from "./api-context.ts";
import { presentContentItem } from "./contents.route.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { CatalogueAnswer, CatalogueItemAnswer } from "./openapi.generated.ts";
import { notFound } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/** `/admin/v1/tenants/{tenant_id}/contents`: articles as a tenant would get them, licensed or not, free of credits. */
export function adminCatalogueRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const path = "/admin/v1/tenants/:tenant_id/contents";

  router.get(path, async (ctx) => {
    const { tenant_id, q, limit } = reader.parameters("adminSearchContents", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    const nowMs = ctx.state.receivedAtMs;
    const found = await deps.feed.searchCatalogue({ tenant, text: q, limit, nowMs });
    const body: CatalogueAnswer = { data: found.map(present) };
    ctx.body = body;
  });

  router.get(`${path}/:content_id`, async (ctx) => {
    const { tenant_id, content_id } = reader.parameters("adminGetContent", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    const contentId = asId<ContentId>(content_id);
    const nowMs = ctx.state.receivedAtMs;
    const found = await deps.feed.findInCatalogue({ tenant, contentId, nowMs });
    if (found === undefined) throw notFound("content");
    const body: CatalogueItemAnswer = { data: present(found) };
    ctx.body = body;
  });
}

function present({ item, licence, isWithheld }: CatalogueItem): CatalogueItemAnswer["data"] {
  return { content: presentContentItem(item), licence, withheld: isWithheld };
}
