import { creditsFromTenths } from "@feed/domain/credits";
import { asId } from "@feed/domain/ids";
import type { ContentId } from "@feed/domain/ids";
import type { ContentItem } from "@feed/feed/service";
import type { ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import { setCreditsUsed, usageLimitExceeded } from "./credits.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { ContentAnswer } from "./openapi.generated.ts";
import { notFound } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/**
 * GET /v1/contents/{content_id} (spec 4.2): 0.1 credit when it answers 200; never score or
 * tracking_token.
 */
export function contentsRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  router.get("/v1/contents/:content_id", async (ctx) => {
    const tenant = requireTenant(ctx, "feed");
    const { content_id, include_body, body_format } = reader.parameters("getContent", ctx);
    const answer = await deps.feed.content({
      tenant,
      contentId: asId<ContentId>(content_id),
      requestId: ctx.state.requestId,
      includeBody: include_body,
      bodyFormat: body_format,
      nowMs: ctx.state.receivedAtMs,
    });
    switch (answer.kind) {
      case "not-found":
        throw notFound("content");
      case "usage-limit-exceeded":
        throw usageLimitExceeded(answer.capTenths);
      case "found": {
        setCreditsUsed(ctx, answer.creditsTenths);
        const body: ContentAnswer = {
          data: presentContentItem(answer.item),
          meta: { consumed_credits: creditsFromTenths(answer.creditsTenths) },
        };
        ctx.body = body;
      }
    }
  });
}

/** Spec 2.1: every field by name, so that nothing else can leave. */
export function presentContentItem(item: ContentItem): ContentAnswer["data"] {
  const { thumbnail, source } = item;
  return {
    id: item.id,
    title: item.title,
    url: item.url,
    canonical_url: item.canonical_url,
    summary: item.summary,
    thumbnail: { url: thumbnail.url, width: thumbnail.width, height: thumbnail.height },
    body_excerpt: item.body_excerpt,
    ...(item.content_body !== undefined && { content_body: item.content_body }),
    ...(item.body_format !== undefined && { body_format: item.body_format }),
    ...(item.author !== undefined && { author: item.author }),
    published_at: item.published_at,
    source: {
      source_id: source.source_id,
      name: source.name,
      url: source.url,
      title_rewrite_allowed: source.title_rewrite_allowed,
    },
  };
}
