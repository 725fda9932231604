import { hasEnded } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { LogConsumer, LogRecord } from "@feed/event-log";
import { waitForProjection } from "@feed/projector";
import { isPartAway } from "@feed/push";
import { retry } from "@feed/runtime";
import { appendDeliveryFact, deliveryIdOfJob } from "./delivery-log.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { WEBHOOK_GROUP } from "./groups.ts";

const RECORDS_PER_CALL_MAX = 200;
const PROJECTION_TIMEOUT_MS = 5_000;
const RETRY = { attemptsMax: Infinity, firstDelayMs: 100, delayMsMax: 5_000 };
const ENDS: ReadonlySet<PushJobFact["type"]> = new Set([
  "push-job.completed",
  "push-job.failed",
  "push-job.cancelled",
]);

/** The read state is behind the record in hand. */
class NotYetProjected extends Error {
  override readonly name = "NotYetProjected";
}

/**
 * Follows `push-jobs` and queues a delivery for each end of a job whose tenant has a webhook. A record is committed
 * after its delivery is in the log; queued twice it is one delivery, because its id comes from the job.
 */
export function runAnnouncer(deps: WebhookDependencies): Promise<LogConsumer> {
  return deps.eventLog.consume({
    group: WEBHOOK_GROUP.group,
    topics: [WEBHOOK_GROUP.topic],
    recordsMax: RECORDS_PER_CALL_MAX,
    lingerMs: 0,
    onBatches: async (batches, signal) => {
      for (const { partition, records } of batches) {
        for (const record of records) {
          const end = endIn(deps, record);
          if (end === undefined) continue;
          await retry(() => announce(deps, end, { partition, offset: record.offset }, signal), {
            ...RETRY,
            isTransient: (error) => isPartAway(error) || error instanceof NotYetProjected,
            signal,
          });
        }
      }
    },
  });
}

function endIn({ codec }: WebhookDependencies, { value }: LogRecord): PushJobFact | undefined {
  if (value === null) return undefined;
  try {
    const fact = codec.decode(value) as PushJobFact;
    return ENDS.has(fact.type) ? fact : undefined;
  } catch (error) {
    // What nobody can read is reported by the projector.
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

async function announce(
  deps: WebhookDependencies,
  { tenantId, jobId }: PushJobFact,
  place: { readonly partition: number; readonly offset: number },
  signal: AbortSignal,
): Promise<void> {
  const { directory, readState, clock } = deps;
  // It may have been saved a moment ago on another node, and nobody looks at this end again.
  if (directory.webhook(tenantId) === undefined) await directory.caughtUp();
  if (directory.webhook(tenantId) === undefined) return;
  const wait = { timeoutMs: PROJECTION_TIMEOUT_MS, signal };
  if (!(await waitForProjection(readState, "push-jobs", place, wait))) throw new NotYetProjected();
  // The first end of a job stands: which one that was is the read state's to say.
  const job = (await readState.pushJob(tenantId, jobId))?.state;
  if (job === undefined || !hasEnded(job)) return;
  const deliveryId = deliveryIdOfJob(tenantId, jobId);
  if ((await readState.webhookDelivery(tenantId, deliveryId)) !== undefined) return;
  await appendDeliveryFact(deps, {
    type: "webhook-delivery.queued",
    tenantId,
    deliveryId,
    atMs: clock.nowMs(),
    event: job.completed === null ? "push_job.failed" : "push_job.completed",
    jobId,
    isResend: false,
  });
}
