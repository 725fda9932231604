import { ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import { LogUnavailable } from "@feed/event-log";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { ReadStateUnavailable } from "@feed/read-state/port";
import { describe, expect, it } from "vitest";
import { problemFrom } from "./problem-middleware.ts";

describe("A part that is away", () => {
  it.each([
    new LogUnavailable("away"),
    new ReadStateUnavailable("away"),
    new ContentIndexUnavailable("away"),
    new ActivityStoreUnavailable("away"),
    new ObjectStoreUnavailable("away"),
  ])("is 503 with Retry-After: $name", (error) => {
    const { status, headers } = problemFrom(error);
    expect({ status, headers }).toEqual({ status: 503, headers: { "Retry-After": "2" } });
  });

  it("is told from a failure of the service itself", () => {
    expect(problemFrom(new Error("unexpected")).status).toBe(500);
  });
});
