import { newRequestId } from "@feed/runtime";
import type { ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import type { JsonBody } from "./body-reader.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { readEventBatch } from "./event-batch.ts";
import type { EventBatchReading } from "./event-batch.ts";
import { EventRecorder } from "./event-recorder.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import { answerOnce } from "./idempotency.ts";
import type { KeptAnswer } from "./idempotency.ts";
import type { EventsAnswer } from "./openapi.generated.ts";
import { problemDocument, validationProblem } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { PROBLEM_MEDIA_TYPE } from "./problem-middleware.ts";
import { readBody } from "./route-tools.ts";
import type { RequestReader, RouteContext } from "./route-tools.ts";
import type { RequestValidation } from "./validation.ts";

interface EventsRouteOptions {
  readonly reader: RequestReader;
  readonly validation: RequestValidation;
  readonly metrics: HttpMetrics;
  readonly problemBase: () => string;
}

/** POST /v1/events (spec 4.4, 6.1): durable when it answers 202; free. */
export function eventsRoutes(
  router: ApiRouter,
  deps: HttpApiDependencies,
  options: EventsRouteOptions,
): void {
  const { reader, metrics, validation } = options;
  const recorder = new EventRecorder(deps, metrics);

  const accept = async (
    ctx: RouteContext,
    body: JsonBody,
    { partial, "Idempotency-Key": idempotencyKey }: ReturnType<typeof parametersOf>,
  ): Promise<KeptAnswer> => {
    const { tenantId } = requireTenant(ctx, "events");
    const { receivedAtMs } = ctx.state;
    const batch = readEventBatch(body.value, {
      tenantId,
      receivedAtMs,
      idempotencyKey,
      validation,
      keyring: deps.keyring,
      freshId: () => newRequestId(deps.clock),
    });
    if (batch.faults.length > 0) metrics.eventsRejected.inc(batch.faults.length);
    const isRefused = !partial || isShapeFault(batch);
    if (batch.faults.length > 0 && isRefused) {
      return problemAnswer(validationProblem(batch.faults), options.problemBase(), ctx.path);
    }
    if (batch.drafts.length > 0) await recorder.record(tenantId, batch.drafts, receivedAtMs);
    countAccepted(metrics, batch);
    return accepted(batch, partial);
  };

  const parametersOf = (ctx: RouteContext) => reader.parameters("postEvents", ctx);

  router.post("/v1/events", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "events");
    const parameters = parametersOf(ctx);
    const key = parameters["Idempotency-Key"];
    const body = await readBody(ctx);
    const answer = await answerOnce(
      {
        readState: deps.readState,
        clock: deps.clock,
        log: deps.log,
        tenantId,
        key: key === undefined ? undefined : `events:${key}`,
        fingerprint: [`${parameters.partial}`, body.bytes],
      },
      () => accept(ctx, body, parameters),
    );
    if (answer.replayed) {
      metrics.idempotentReplays.inc();
      ctx.set("Idempotent-Replayed", "true");
    }
    ctx.status = answer.status;
    ctx.set(answer.headers);
    ctx.body = answer.body;
  });
}

/** A body that is no batch has no events to accept in part. */
function isShapeFault({ drafts, faults }: EventBatchReading): boolean {
  return drafts.length === 0 && faults.every(({ pointer }) => !pointer.startsWith("/events/"));
}

function accepted({ drafts, faults }: EventBatchReading, partial: boolean): KeptAnswer {
  const answer: EventsAnswer = {
    data: { accepted: drafts.length, ...(partial && { rejected: [...faults] }) },
  };
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  return { status: 202, body: JSON.stringify(answer), headers };
}

function problemAnswer(problem: Problem, problemBase: string, path: string): KeptAnswer {
  return {
    status: problem.status,
    body: JSON.stringify(problemDocument(problem, problemBase, path)),
    headers: { ...problem.headers, "Content-Type": PROBLEM_MEDIA_TYPE },
  };
}

function countAccepted(metrics: HttpMetrics, { drafts, expiredTokens }: EventBatchReading): void {
  const counts = new Map<(typeof drafts)[number]["kind"], number>();
  for (const { kind } of drafts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const [type, count] of counts) metrics.eventsAccepted.inc({ type }, count);
  if (expiredTokens > 0) metrics.trackingTokensExpired.inc(expiredTokens);
}
