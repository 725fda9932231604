import { PUSH_BODY_BYTES_MAX, PUSH_USER_IDS_MAX } from "@feed/domain/limits";
import type { PushConditions } from "@feed/domain/push-facts";
import type { Scenario } from "@feed/domain/scenario";
import { isTestSpace } from "@feed/domain/tenant";
import type { Tenant } from "@feed/domain/tenant";
import type { PushRequest } from "@feed/push";
import { readJsonBody, type JsonBody } from "./body-reader.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { PushConditions as SentConditions } from "./openapi.generated.ts";
import { notFound, Problem, validationProblem, type Fault } from "./problem.ts";
import { parseRfc3339 } from "./rfc3339.ts";
import { asUserId, type RouteContext } from "./route-tools.ts";
import type { Bodies, RequestValidation } from "./validation.ts";

interface ReadOptions {
  readonly ctx: RouteContext;
  readonly tenant: Tenant;
  readonly validation: RequestValidation;
  readonly deps: Pick<HttpApiDependencies, "directory">;
  readonly key: string | undefined;
}

/** @throws Problem 400, 413 over 8 MiB, 415. */
export function readPushBody(ctx: RouteContext): Promise<JsonBody> {
  return readJsonBody(ctx.req, PUSH_BODY_BYTES_MAX);
}

/**
 * The request of a body (spec 4.5; decisions, "Push jobs").
 *
 * @throws Problem 400 for whatever breaks a rule, 404 for an unknown scenario.
 */
export function readPushRequest(body: JsonBody, options: ReadOptions): PushRequest {
  const { ctx, tenant, validation, key } = options;
  refuseTooMany(body.value);
  const sent = validation.body("postPushCandidates", body);
  const targetMode = sent.target_mode ?? "condition";
  const conditions = conditionsFrom(sent.conditions ?? {});
  const faults = [...modeFaults(sent, targetMode), ...rangeFaults(conditions)];
  if (faults.length > 0) throw validationProblem(faults);
  return {
    tenant,
    scenario: scenarioFor(options, sent.scenario),
    candidatesPerUser: sent.candidates_per_user ?? 1,
    targetMode,
    conditions,
    userIds: [...new Set(sent.user_ids)].map(asUserId),
    keyKind: isTestSpace(tenant.tenantId) ? "test" : "live",
    requestId: ctx.state.requestId,
    ...(key !== undefined && { idempotencyKey: key }),
    nowMs: ctx.state.receivedAtMs,
  };
}

/** Before anything else, with the words of spec 4.5: a list of so many faults would help nobody. */
function refuseTooMany(value: unknown): void {
  const userIds = (value as { readonly user_ids?: unknown } | null)?.user_ids;
  if (!Array.isArray(userIds) || userIds.length <= PUSH_USER_IDS_MAX) return;
  const detail = `must not exceed ${PUSH_USER_IDS_MAX} entries`;
  throw new Problem("validation", `user_ids ${detail}`, {
    members: { errors: [{ pointer: "/user_ids", detail }] },
  });
}

function modeFaults(
  { user_ids, conditions }: Bodies["postPushCandidates"],
  targetMode: PushRequest["targetMode"],
): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, detail: string) => faults.push({ pointer, detail });
  if (targetMode === "condition" && user_ids !== undefined) {
    fault("/user_ids", "is for target_mode manual alone");
  }
  if (targetMode === "manual" && conditions !== undefined) {
    fault("/conditions", "is for target_mode condition alone");
  }
  if (targetMode === "manual" && user_ids === undefined) {
    fault("/user_ids", "is missing, and target_mode is manual");
  }
  return faults;
}

function rangeFaults({ registeredFromMs, registeredToMs }: PushConditions): readonly Fault[] {
  if (registeredFromMs === null || registeredToMs === null) return [];
  if (registeredFromMs < registeredToMs) return [];
  return [{ pointer: "/conditions/registered_to", detail: "must be later than registered_from" }];
}

/** They have passed their schema: times are RFC 3339. */
function conditionsFrom(sent: SentConditions): PushConditions {
  const instant = (text: string | undefined) =>
    text === undefined ? null : (parseRfc3339(text) ?? null);
  return {
    lastActiveDays: sent.last_active_days ?? null,
    registeredFromMs: instant(sent.registered_from),
    registeredToMs: instant(sent.registered_to),
  };
}

function scenarioFor({ deps, tenant }: ReadOptions, name: string): Scenario {
  const scenario = deps.directory.scenario(tenant.tenantId, name);
  if (scenario === undefined) throw notFound("scenario");
  if (scenario.type === "push") return scenario;
  throw validationProblem([{ pointer: "/scenario", detail: "names a feed scenario" }]);
}
