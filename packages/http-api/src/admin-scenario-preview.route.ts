import { FEED_LIMIT_MAX, PUSH_CANDIDATES_PER_USER_MAX } from "@feed/domain/limits";
import type { UserId } from "@feed/domain/ids";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import { requireTenantAccess } from "./admin-access.ts";
import { checkSettings } from "./admin-checks.ts";
import type { ApiRouter } from "./api-context.ts";
import { comparedWith, type ComparedPreview, type RankedPreview } from "./compare-previews.ts";
import { presentContentItem } from "./contents.route.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { presentExplanation } from "./feed-json.ts";
import { ambiguousArea } from "./feed.route.ts";
import type { ScenarioPreviewAnswer } from "./openapi.generated.ts";
import { notFound } from "./problem.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestReader } from "./route-tools.ts";
import { settingsFrom } from "./scenario-settings.ts";

const ITEMS_DEFAULT = 10;

interface Asked {
  readonly tenant: Tenant;
  readonly requestId: string;
  readonly nowMs: number;
  readonly userId?: UserId;
}

/** `/admin/v1/tenants/{tenant_id}/scenarios/{name}/preview`: settings that are not saved, beside the latest version. */
export function adminScenarioPreviewRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  router.post("/admin/v1/tenants/:tenant_id/scenarios/:name/preview", async (ctx) => {
    const { tenant_id, name } = reader.parameters("adminPreviewScenario", ctx);
    const tenant = requireTenantAccess(ctx, deps, "scenarios", tenant_id);
    const { settings: given, user_id, limit } = await reader.body("adminPreviewScenario", ctx);
    const latest = deps.directory.scenario(tenant.tenantId, name);
    if (latest === undefined) throw notFound("scenario");
    const settings = settingsFrom(given);
    checkSettings(settings);
    const { requestId, receivedAtMs: nowMs } = ctx.state;
    const user = user_id !== undefined && { userId: asUserId(user_id) };
    const asked = { tenant, requestId, nowMs, ...user };
    const preview = latest.type === "feed" ? feedPreview : pushPreview;
    // A copy is the version itself, whichever arm of an experiment the user is in.
    const current = await preview(deps, asked, { ...latest });
    const proposed = await preview(deps, asked, { ...latest, settings });
    const itemsMax = limit ?? ITEMS_DEFAULT;
    const body: ScenarioPreviewAnswer = {
      data: {
        current: comparedWith(proposed, current, itemsMax).map(presentCompared),
        proposed: comparedWith(current, proposed, itemsMax).map(presentCompared),
      },
      meta: { scenario: name, type: latest.type, version: latest.version },
    };
    ctx.body = body;
  });
}

async function feedPreview(
  deps: HttpApiDependencies,
  asked: Asked,
  scenario: Scenario,
): Promise<readonly RankedPreview[]> {
  const preview = await deps.feed.preview({
    ...asked,
    scenario,
    limit: FEED_LIMIT_MAX,
    areaNames: [],
    includeBody: false,
    bodyFormat: "markdown",
  });
  if (preview.kind === "ambiguous-area") throw ambiguousArea(preview.names);
  return preview.items;
}

async function pushPreview(
  deps: HttpApiDependencies,
  asked: Asked,
  scenario: Scenario,
): Promise<readonly RankedPreview[]> {
  const { tenant, nowMs } = asked;
  const candidatesPerUser = PUSH_CANDIDATES_PER_USER_MAX;
  const chosen = await deps.push.preview({ ...asked, scenario, candidatesPerUser });
  const items: RankedPreview[] = [];
  for (const { contentId, score, explanation } of chosen) {
    const found = await deps.feed.findInCatalogue({ tenant, contentId, nowMs });
    if (found === undefined) continue;
    const { content_body: _body, body_format: _format, ...content } = found.item;
    items.push({ content, score, explanation });
  }
  return items;
}

function presentCompared({
  content,
  score,
  explanation,
  position,
  positionInOther,
}: ComparedPreview): ScenarioPreviewAnswer["data"]["current"][number] {
  return {
    content: presentContentItem(content),
    score,
    explanation: presentExplanation(explanation),
    position,
    position_in_other: positionInOther,
  };
}
