import { describe, expect, it } from "vitest";
import { isUnderWay, merged, type Delivery } from "./delivery-log.ts";

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

describe("The log of deliveries is asked for again", () => {
  const once = (status: Delivery["status"]) => ({ ...delivery("a", status), attempt_count: 1 });

  it("while one is pending, and no longer", () => {
    expect(isUnderWay([once("failed"), delivery("b", "pending")], undefined)).toBe(true);
    expect(isUnderWay([once("failed"), once("delivered")], undefined)).toBe(false);
  });

  it("until a test that was sent is in it", () => {
    const sent = { deliveryId: "a", attemptsBefore: 0 };
    expect(isUnderWay([], sent)).toBe(true);
    expect(isUnderWay([once("delivered")], sent)).toBe(false);
  });

  it("until a delivery that is sent once more was tried once more", () => {
    const sent = { deliveryId: "a", attemptsBefore: 1 };
    expect(isUnderWay([once("failed")], sent)).toBe(true);
    expect(isUnderWay([{ ...once("delivered"), attempt_count: 2 }], sent)).toBe(false);
    expect(isUnderWay([delivery("b", "delivered")], sent)).toBe(false);
  });
});
