import type { FilterStats } from "@feed/domain/push-facts";

/** The counters of spec 2.8 in its words; null in manual mode, and until a job is completed. */
export function presentFilterStats(stats: FilterStats | null) {
  return (
    stats && {
      total_audience: stats.totalAudience,
      excluded_due_to_null_last_active: stats.excludedDueToNullLastActive,
      excluded_due_to_last_active_days: stats.excludedDueToLastActiveDays,
      excluded_due_to_registered_range: stats.excludedDueToRegisteredRange,
    }
  );
}
