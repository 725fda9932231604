import { requireOperator, stampOf } from "./admin-access.ts";
import { recordAction } from "./admin-actions.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { ConsumerLag, DeadLetterSeen, HttpApiDependencies } from "./dependencies.ts";
import type {
  DeadLetterReplayAnswer,
  DeadLettersAnswer,
  OperationsAnswer,
} from "./openapi.generated.ts";
import { presentRebuild } from "./present-rebuild.ts";
import { isoTime } from "./present-time.ts";
import { notFound, Problem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/** Letters of one answer. */
const LETTERS_MAX = 200;

type ShownConsumer = OperationsAnswer["data"]["consumers"][number];

/** `/admin/v1/operations` and `/admin/v1/dead-letters`: whether all is well, for operators. */
export function adminOperationsRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { operations, clock } = deps;

  router.get("/admin/v1/operations", async (ctx) => {
    requireOperator(ctx);
    const body: OperationsAnswer = {
      data: {
        consumers: consumersOf(await operations.lags()),
        read_models: operations.readModels().map(({ name, live, kept, previous }) => ({
          name,
          live_version: live,
          kept_versions: [...kept],
          previous_version: previous ?? null,
        })),
        rebuilds: operations
          .rebuilds()
          .toReversed()
          .map((rebuild) => presentRebuild(rebuild, clock.nowMs())),
      },
    };
    ctx.body = body;
  });

  router.get("/admin/v1/dead-letters", async (ctx) => {
    requireOperator(ctx);
    const latest = (await operations.deadLetters()).slice(-LETTERS_MAX).toReversed();
    const body: DeadLettersAnswer = { data: latest.map(presentLetter) };
    ctx.body = body;
  });

  router.post("/admin/v1/dead-letters/:letter_id/discard", async (ctx) => {
    requireOperator(ctx);
    const { letter_id } = reader.parameters("adminDiscardDeadLetter", ctx);
    const { note } = await reader.body("adminDiscardDeadLetter", ctx);
    await assertOpen(letter_id);
    await record(ctx, "dead-letter.discarded", letter_id, { note });
    await operations.discard(letter_id, { note, ...stampOf(ctx) });
    ctx.status = 204;
  });

  router.post("/admin/v1/dead-letters/:letter_id/replay", async (ctx) => {
    requireOperator(ctx);
    const { letter_id } = reader.parameters("adminReplayDeadLetter", ctx);
    await assertOpen(letter_id);
    await record(ctx, "dead-letter.replay-requested", letter_id, {});
    const { outcome, projection, reason } = await operations.replay(letter_id, stampOf(ctx));
    const body: DeadLetterReplayAnswer = {
      data: { outcome, projection: projection ?? null, reason: reason ?? null },
    };
    ctx.body = body;
  });

  async function assertOpen(letterId: number): Promise<void> {
    const letter = (await operations.deadLetters()).find(({ id }) => id === letterId);
    if (letter === undefined) throw notFound("dead letter");
    const { settled } = letter;
    if (settled !== undefined)
      throw new Problem("conflict", `The letter was ${settled.outcome} already.`);
  }

  function record(ctx: ApiContext, action: string, letterId: number, details: object) {
    const subject = String(letterId);
    return recordAction(ctx, deps, { action, tenantId: null, subject, details: { ...details } });
  }
}

/** The partitions of each group and topic together, in the order of the first. */
function consumersOf(lags: readonly ConsumerLag[]): ShownConsumer[] {
  const consumers = new Map<string, ShownConsumer>();
  for (const { group, topic, endOffset, lagRecords, lagMs } of lags) {
    const name = `${group} ${topic}`;
    const before = consumers.get(name);
    consumers.set(name, {
      group,
      topic,
      end_records: (before?.end_records ?? 0) + endOffset,
      lag_records: (before?.lag_records ?? 0) + lagRecords,
      lag_seconds: Math.max(before?.lag_seconds ?? 0, lagMs / 1_000),
    });
  }
  return [...consumers.values()];
}

function presentLetter(letter: DeadLetterSeen): DeadLettersAnswer["data"][number] {
  const { id, topic, partition, offset, stage, reason, atMs, bytes } = letter;
  const { refusedReplay, settled } = letter;
  return {
    letter_id: id,
    topic,
    partition,
    offset,
    stage,
    reason,
    at: isoTime(atMs),
    bytes,
    refused_replay:
      refusedReplay === undefined
        ? null
        : {
            outcome: refusedReplay.outcome,
            projection: refusedReplay.projection,
            reason: refusedReplay.reason,
            at: isoTime(refusedReplay.atMs),
          },
    settled:
      settled === undefined
        ? null
        : {
            outcome: settled.outcome,
            note: settled.note,
            actor: settled.actor,
            at: isoTime(settled.atMs),
          },
  };
}
