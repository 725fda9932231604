import type { AmbiguousAreaName, Area, ResolvedAreas } from "@feed/domain/area";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import type { ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import { setCreditsUsed, usageLimitExceeded } from "./credits.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { feedAnswerJson } from "./feed-json.ts";
import type { AreasAnswer, FeedAnswer } from "./openapi.generated.ts";
import { notFound, Problem, validationProblem } from "./problem.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestReader } from "./route-tools.ts";
import type { Parameters } from "./validation.ts";

/** GET /v1/feed (spec 4.1): 1.0 credit when it answers 200. */
export function feedRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  router.get("/v1/feed", async (ctx) => {
    const tenant = requireTenant(ctx, "feed");
    const query = reader.parameters("getFeed", ctx);
    if (query.explain && !tenant.explainAllowed) {
      throw new Problem("forbidden", "This tenant is not set up for explain=true.");
    }
    const answer = await deps.feed.feed({
      tenant,
      scenario: scenarioFor(deps, tenant, query),
      requestId: ctx.state.requestId,
      ...(query.user_id !== undefined && { userId: asUserId(query.user_id) }),
      limit: query.limit,
      ...(query.cursor !== undefined && { cursor: query.cursor }),
      areaNames: query.area_names ?? [],
      ...(query.area_level !== undefined && { areaLevel: query.area_level }),
      includeBody: query.include_body,
      bodyFormat: query.body_format,
      explain: query.explain,
      nowMs: ctx.state.receivedAtMs,
    });
    switch (answer.kind) {
      case "invalid-cursor":
        throw new Problem(
          "invalid-cursor",
          "The cursor was not made for this tenant and these parameters, or is too old.",
        );
      case "ambiguous-area":
        throw ambiguousArea(answer.names);
      case "usage-limit-exceeded":
        throw usageLimitExceeded(answer.capTenths);
      case "page": {
        setCreditsUsed(ctx, answer.creditsTenths);
        ctx.type = "application/json";
        ctx.body = feedAnswerJson(answer.items, {
          next_cursor: answer.nextCursor,
          resolved_areas: presentResolvedAreas(answer.resolvedAreas),
        });
      }
    }
  });
}

/** The scenario asked for, else the tenant's default (decisions, "Feed"). */
export function scenarioFor(
  { directory }: HttpApiDependencies,
  tenant: Tenant,
  query: Pick<Parameters["getFeed"], "scenario">,
): Scenario {
  const name = query.scenario ?? tenant.defaultScenarios.feed;
  const fault = (detail: string) => validationProblem([{ pointer: "query:scenario", detail }]);
  if (name === undefined) throw fault("is missing, and the tenant has no default");
  const scenario = directory.scenario(tenant.tenantId, name);
  if (scenario === undefined) throw notFound("scenario");
  if (scenario.type !== "feed") throw fault("names a push scenario");
  return scenario;
}

function presentResolvedAreas(areas: ResolvedAreas): FeedAnswer["meta"]["resolved_areas"] {
  return {
    level: areas.level,
    from: areas.from,
    matched: areas.matched.map(({ input, area }) => ({ input, ...presentArea(area) })),
    skipped: areas.skipped.map(({ input, reason }) => ({ input, reason })),
  };
}

/** An area as every answer names it. */
export function presentArea(area: Area): AreasAnswer["data"][number] {
  const { id, name, level, prefecture } = area;
  return { area_id: id, name, level, prefecture };
}

/** @returns the problem of names that can mean areas of different levels. */
export function ambiguousArea(names: readonly AmbiguousAreaName[]): Problem {
  const inputs = names.map(({ input }) => `"${input}"`).join(", ");
  return new Problem(
    "ambiguous-area",
    `${inputs} can mean areas of different levels; send area_level, or the name with its suffix.`,
    {
      members: {
        candidates: names.map(({ input, candidates }) => ({
          input,
          areas: candidates.map(presentArea),
        })),
      },
    },
  );
}
