import { CONTENT_COST_TENTHS, costTo } from "@feed/domain/credits";
import type { FeedDependencies } from "./dependencies.ts";
import { Catalogue } from "./catalogue.ts";
import { recordDelivery, takeCost } from "./charge.ts";
import { FeedPages } from "./feed-pages.ts";
import { ItemPresenter } from "./present.ts";
import type { ContentAnswer, ContentRequest, FeedService } from "./service.ts";

/** The feed service over opened ports. */
export function createFeedService(deps: FeedDependencies): FeedService {
  const presenter = new ItemPresenter(deps);
  const pages = new FeedPages(deps, presenter);
  const catalogue = new Catalogue(deps, presenter);
  return {
    feed: (request) => pages.serve(request),
    content: (request) => serveContent(deps, presenter, request),
    preview: (request) => pages.preview(request),
    searchCatalogue: (request) => catalogue.search(request),
    findInCatalogue: (request) => catalogue.find(request),
  };
}

/** Spec 4.2. To a tenant that may not deliver its source, an article does not exist. */
async function serveContent(
  deps: FeedDependencies,
  presenter: ItemPresenter,
  request: ContentRequest,
): Promise<ContentAnswer> {
  const { tenant, contentId, nowMs } = request;
  const cost = costTo(tenant.tenantId, CONTENT_COST_TENTHS);
  const grant = await takeCost(deps, tenant.tenantId, cost, nowMs);
  if (grant.kind !== "granted") return grant;
  let served = false;
  try {
    const [article] = await deps.contentIndex.articles([contentId]);
    const deliverable =
      article !== undefined &&
      deps.directory.licence(tenant.tenantId, article.sourceId) !== "none" &&
      !deps.directory.withheldContents(tenant.tenantId).has(contentId);
    const item = deliverable ? presenter.present(article, tenant, nowMs) : undefined;
    if (article === undefined || item === undefined) return { kind: "not-found" };
    const body = await presenter.body(article, tenant, request);
    const creditsTenths = await recordDelivery(deps, grant, {
      type: "content.delivered",
      tenantId: tenant.tenantId,
      requestId: request.requestId,
      contentId,
      creditsTenths: cost,
      servedAtMs: nowMs,
    });
    served = true;
    return { kind: "found", item: { ...item, ...body }, creditsTenths };
  } finally {
    if (!served) await grant.giveBack();
  }
}
