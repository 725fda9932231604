import { expect, it } from "vitest";
import { merged, type Delivery } from "./delivery-log.ts";

const delivery = (delivery_id: string, status: Delivery["status"]): Delivery => ({
  delivery_id,
  event: "webhook.test",
  job_id: null,
  status,
  created_at: "2026-11-21T00:00:00.000Z",
  next_attempt_at: null,
  attempt_count: 0,
  attempts: [],
});

it("shows a delivery once, as it is now, where it has moved from one page to the next", () => {
  const first = [delivery("c", "pending"), delivery("b", "delivered")];
  const older = [delivery("b", "pending"), delivery("a", "failed")];
  expect(merged(first, older).map(({ delivery_id, status }) => `${delivery_id} ${status}`)).toEqual(
    ["c pending", "b delivered", "a failed"],
  );
});
