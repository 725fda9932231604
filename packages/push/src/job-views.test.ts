import { asId, type TenantId } from "@feed/domain/ids";
import { evolveJob, type PushJobState } from "@feed/domain/push";
import type { PushJobFact } from "@feed/domain/push-facts";
import { buildAudienceResolved, buildPushJobRequested } from "@feed/domain/push-facts.fixture";
import { describe, expect, it } from "vitest";
import { JobViews } from "./job-views.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const COMPLETED_MS = Date.UTC(2026, 10, 1);
const base = { tenantId: asId<TenantId>("t"), jobId: "j", atMs: COMPLETED_MS };
const facts: readonly PushJobFact[] = [
  buildPushJobRequested(base),
  { type: "push-job.started", ...base },
  buildAudienceResolved({ ...base, targetUserCount: 0, chunkCount: 0 }),
  {
    type: "push-job.completed",
    ...base,
    scenario: "daily",
    targetUserCount: 0,
    usersFailed: 0,
    candidates: 0,
    creditsTenths: 0,
    filterStats: null,
    resultKey: "push-results/2026-11-01/j.jsonl",
    sent: [],
  },
];

function jobAfter(count: number): PushJobState {
  let state: PushJobState | undefined;
  facts.slice(0, count).forEach((fact, offset) => (state = evolveJob(state, fact, offset)));
  if (state === undefined) throw new Error("no job");
  return state;
}

function openViews() {
  let issued = 0;
  return new JobViews({ presignGet: async (key) => `https://${key}?${(issued += 1)}` });
}

describe("download_url (spec 2.8; decisions, Push jobs)", () => {
  it("is not there before the job is completed", async () => {
    const { download } = await openViews().of(jobAfter(3), COMPLETED_MS);
    expect(download).toBeNull();
  });

  it("is valid for an hour, and issued anew when less than 5 minutes are left", async () => {
    const views = openViews();
    const at = async (minutes: number) =>
      (await views.of(jobAfter(4), COMPLETED_MS + minutes * MINUTE_MS)).download;
    const first = await at(0);
    expect(first?.expiresAtMs).toBe(COMPLETED_MS + 60 * MINUTE_MS);
    expect(await at(55)).toEqual(first);
    const second = await at(56);
    expect(second?.url).not.toBe(first?.url);
    expect(second?.expiresAtMs).toBe(COMPLETED_MS + 116 * MINUTE_MS);
  });

  it("is null once the result's 7 days are over", async () => {
    const at = async (afterMs: number) =>
      (await openViews().of(jobAfter(4), COMPLETED_MS + afterMs)).download;
    expect(await at(7 * DAY_MS - 1)).not.toBeNull();
    expect(await at(7 * DAY_MS)).toBeNull();
  });
});
