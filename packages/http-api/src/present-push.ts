import { creditsFromTenths } from "@feed/domain/credits";
import { presentFilterStats, type DryRun, type PushJobView } from "@feed/push";
import type { PushDryRun, PushJob, PushRow } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";

/**
 * A job in the words of spec 2.8: counters are final, and set, only once it is completed; `target_user_count` once the
 * audience is known.
 */
export function presentPushJob({ state, progress, download }: PushJobView): PushJob {
  const { request, status, audience, completed, failure } = state;
  return {
    job_id: request.jobId,
    status,
    progress,
    target_user_count: audience?.targetUserCount ?? null,
    failed_user_count: completed?.usersFailed ?? null,
    candidates_generated: completed?.candidates ?? null,
    consumed_credits: creditsFromTenths(completed?.creditsTenths ?? 0),
    filter_stats: presentFilterStats(completed?.filterStats ?? null),
    download_url: download?.url ?? null,
    download_url_expires_at: download === null ? null : isoTime(download.expiresAtMs),
    error: failure === null ? null : { code: failure.code, message: failure.message },
    scenario: request.scenario,
    target_mode: request.targetMode,
    created_at: isoTime(request.atMs),
    completed_at: completed === null ? null : isoTime(completed.atMs),
  };
}

export function presentDryRun({ audience, filterStats, rows }: DryRun): PushDryRun {
  return {
    target_user_count: audience,
    filter_stats: presentFilterStats(filterStats),
    // The package that writes result files has written them.
    sample: rows as PushRow[],
  };
}
