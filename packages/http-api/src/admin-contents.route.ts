import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";
import { WITHHELD_CONTENTS_MAX } from "@feed/domain/limits";
import { TOPICS } from "@feed/domain/topics";
import { partitionOf } from "@feed/signing";
import { requireOperator, requireTenantAccess, stampOf } from "./admin-access.ts";
import { recordAction } from "./admin-actions.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { byName } from "./directory.route.ts";
import { notFound, Problem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/** What a tenant may and will show: licences, withheld articles, and takedowns for everybody. */
export function adminContentsRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  licenceRoutes(router, reader, deps);
  withheldRoutes(router, reader, deps);

  router.post("/admin/v1/contents/:content_id/takedown", async (ctx) => {
    requireOperator(ctx);
    const { content_id } = reader.parameters("adminTakeDownContent", ctx);
    await takeDown(asId<ContentId>(content_id), ctx, deps);
    ctx.status = 204;
  });
}

function licenceRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory } = deps;
  const path = "/admin/v1/tenants/:tenant_id/licences";

  router.get(path, (ctx) => {
    const { tenant_id } = reader.parameters("adminListLicences", ctx);
    const tenant = requireTenantAccess(ctx, deps, "read", tenant_id);
    const { tenantId } = tenant;
    ctx.body = {
      data: byName(directory.sources()).map(({ sourceId, name }) => ({
        source_id: sourceId,
        name,
        licence: directory.licence(tenantId, sourceId),
        is_default: directory.ownLicence(tenantId, sourceId) === undefined,
      })),
      meta: { default_licence: tenant.defaultLicence },
    };
  });

  router.put(`${path}/:source_id`, async (ctx) => {
    const { tenant_id, source_id } = reader.parameters("adminPutLicence", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const sourceId = asId<SourceId>(source_id);
    if (directory.source(sourceId) === undefined) throw notFound("source");
    const { licence } = await reader.body("adminPutLicence", ctx);
    const fact = { type: "licence.set", licence: { tenantId, sourceId, licence } } as const;
    await directory.change([{ ...fact, ...stampOf(ctx) }]);
    ctx.body = { data: { source_id, licence } };
  });

  router.delete(`${path}/:source_id`, async (ctx) => {
    const { tenant_id, source_id } = reader.parameters("adminResetLicence", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const sourceId = asId<SourceId>(source_id);
    if (directory.source(sourceId) === undefined) throw notFound("source");
    if (directory.ownLicence(tenantId, sourceId) !== undefined) {
      const fact = { type: "licence.reset", tenantId, sourceId } as const;
      await directory.change([{ ...fact, ...stampOf(ctx) }]);
    }
    ctx.status = 204;
  });
}

function withheldRoutes(router: ApiRouter, reader: RequestReader, deps: HttpApiDependencies): void {
  const { directory } = deps;
  const path = "/admin/v1/tenants/:tenant_id/withheld-contents";

  router.get(path, (ctx) => {
    const { tenant_id } = reader.parameters("adminListWithheldContents", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    const withheld = [...directory.withheldContents(tenantId)];
    ctx.body = { data: withheld.map((contentId) => ({ content_id: contentId })) };
  });

  router.put(`${path}/:content_id`, async (ctx) => {
    const { tenant_id, content_id } = reader.parameters("adminWithholdContent", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "contents", tenant_id);
    const contentId = asId<ContentId>(content_id);
    const withheld = directory.withheldContents(tenantId);
    const [article] = await deps.contentIndex.articles([contentId]);
    if (article === undefined) throw notFound("content");
    if (withheld.size >= WITHHELD_CONTENTS_MAX)
      throw new Problem("conflict", `${WITHHELD_CONTENTS_MAX} articles are withheld already.`);
    const fact = { type: "content.withheld", tenantId, contentId, isWithheld: true } as const;
    if (!withheld.has(contentId)) await directory.change([{ ...fact, ...stampOf(ctx) }]);
    ctx.status = 204;
  });

  router.delete(`${path}/:content_id`, async (ctx) => {
    const { tenant_id, content_id } = reader.parameters("adminReleaseContent", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "contents", tenant_id);
    const contentId = asId<ContentId>(content_id);
    if (directory.withheldContents(tenantId).has(contentId)) {
      const fact = { type: "content.withheld", tenantId, contentId, isWithheld: false } as const;
      await directory.change([{ ...fact, ...stampOf(ctx) }]);
    }
    ctx.status = 204;
  });
}

/** Its projection into the content index is what takes it out of feeds. */
async function takeDown(
  contentId: ContentId,
  ctx: ApiContext,
  deps: HttpApiDependencies,
): Promise<void> {
  const { contentIndex, eventLog, codec, clock } = deps;
  const [article] = await contentIndex.articles([contentId]);
  if (article === undefined) throw notFound("content");
  const { sourceId } = article;
  const details = { source_id: sourceId };
  const action = { action: "content.taken-down", tenantId: null, subject: contentId, details };
  await recordAction(ctx, deps, action);
  const value = codec.encode({
    type: "article.withdrawn",
    contentId,
    sourceId,
    reason: "takedown",
    withdrawnAtMs: ctx.state.receivedAtMs,
  });
  const partition = partitionOf(contentId, TOPICS.contents.partitions);
  await eventLog.append([
    { topic: "contents", partition, key: contentId, value, timestampMs: clock.nowMs() },
  ]);
}
