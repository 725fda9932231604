import { creditsFromTenths, nextCycleStartMs } from "@feed/domain/credits";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { presentFilterStats, type PushJobView } from "@feed/push";
import type { UsageAlert } from "@feed/tenant-directory";

/**
 * What a delivery says (spec 6.2; decisions, "Webhook"). The counters are those of GET /v1/push-candidates/{job_id}, and
 * so is the download address: null once the result is gone.
 *
 * @param about what the event is about: a job, or an alert.
 */
export function payloadOf(
  { event, tenantId, createdAtMs }: WebhookDeliveryState,
  { job, alert }: { readonly job: PushJobView | undefined; readonly alert: UsageAlert | undefined },
): Readonly<Record<string, unknown>> {
  const base = { event, tenant_id: tenantId };
  if (event === "webhook.test") return { ...base, sent_at: isoTime(createdAtMs) };
  if (event === "usage.threshold_reached") return { ...base, ...alertPayload(alert) };
  if (job === undefined) throw new Error(`a delivery of ${event} without its job`);
  const { request, completed, failure } = job.state;
  const common = {
    event,
    job_id: request.jobId,
    tenant_id: tenantId,
    scenario_id: request.scenario,
  };
  if (completed !== null) {
    const { targetUserCount, usersFailed, candidates, creditsTenths, filterStats } = completed;
    return {
      ...common,
      status: "completed",
      target_user_count: targetUserCount,
      failed_user_count: usersFailed,
      candidates_generated: candidates,
      consumed_credits: creditsFromTenths(creditsTenths),
      download_url: job.download?.url ?? null,
      download_url_expires_at: job.download === null ? null : isoTime(job.download.expiresAtMs),
      ...(filterStats === null ? {} : { filter_stats: presentFilterStats(filterStats) }),
      completed_at: isoTime(completed.atMs),
    };
  }
  if (failure === null) throw new Error(`the job ${request.jobId} has not ended`);
  const { code, message, atMs } = failure;
  return { ...common, status: "failed", error: { code, message }, failed_at: isoTime(atMs) };
}

function alertPayload(alert: UsageAlert | undefined): Readonly<Record<string, unknown>> {
  if (alert === undefined) throw new Error("a delivery of an alert that nobody knows");
  const { month, thresholdPercent, usedTenths, capTenths, atMs } = alert;
  return {
    month,
    threshold_percent: thresholdPercent,
    used_credits: creditsFromTenths(usedTenths),
    cap_credits: creditsFromTenths(capTenths),
    reached_at: isoTime(atMs),
    resets_at: isoTime(nextCycleStartMs(atMs)),
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
