import type { Answer } from "../../shared/api.ts";
import type { Tone } from "../../shared/notice.tsx";

export type Job = Answer<"adminGetPushJob">;

export const TONES: Readonly<Record<Job["status"], Tone>> = {
  queued: "plain",
  processing: "warning",
  completed: "good",
  failed: "bad",
};

/** Whether a job goes on by itself. */
export function isMoving({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "processing";
}

const EXCLUSIONS = [
  "excluded_due_to_null_last_active",
  "excluded_due_to_last_active_days",
  "excluded_due_to_registered_range",
] as const;

export interface FunnelStep {
  readonly name: "total_audience" | (typeof EXCLUSIONS)[number] | "target";
  readonly users: number;
  /** Of all users, 0 to 1. */
  readonly share: number;
}

/**
 * From all users, by the reasons some were left out, to the audience; undefined where a job has no such numbers. Reasons
 * that left nobody out are not shown.
 */
export function funnelOf(
  job: Pick<Job, "filter_stats" | "target_user_count">,
): readonly FunnelStep[] | undefined {
  const { filter_stats: stats, target_user_count: target } = job;
  if (stats === null || target === null) return undefined;
  const total = stats.total_audience;
  const step = (name: FunnelStep["name"], users: number) => ({
    name,
    users,
    share: total === 0 ? 0 : users / total,
  });
  const excluded = EXCLUSIONS.filter((name) => stats[name] > 0);
  return [
    step("total_audience", total),
    ...excluded.map((name) => step(name, stats[name])),
    step("target", target),
  ];
}
