import { expect, it } from "vitest";
import { funnelOf, isMoving } from "./jobs.ts";

const STATS = {
  total_audience: 200,
  excluded_due_to_null_last_active: 50,
  excluded_due_to_last_active_days: 0,
  excluded_due_to_registered_range: 60,
};

it("goes from all users, by the reasons that left somebody out, to the audience", () => {
  expect(funnelOf({ filter_stats: STATS, target_user_count: 100 })).toEqual([
    { name: "total_audience", users: 200, share: 1 },
    { name: "excluded_due_to_null_last_active", users: 50, share: 0.25 },
    { name: "excluded_due_to_registered_range", users: 60, share: 0.3 },
    { name: "target", users: 100, share: 0.5 },
  ]);
});

it("has no shares of nobody, and no funnel of a job without numbers", () => {
  const nobody = { ...STATS, total_audience: 0, excluded_due_to_null_last_active: 0 };
  const steps = funnelOf({ filter_stats: nobody, target_user_count: 0 }) ?? [];
  expect(steps.map(({ share }) => share)).toEqual([0, 0, 0]);
  expect(funnelOf({ filter_stats: null, target_user_count: 3 })).toBeUndefined();
});

it("moves until it is completed or has failed", () => {
  const statuses = ["queued", "processing", "completed", "failed"] as const;
  expect(statuses.map((status) => isMoving({ status }))).toEqual([true, true, false, false]);
});
