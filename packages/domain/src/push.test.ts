import { describe, expect, it } from "vitest";
import { asId, type ContentId, type SubjectId, type TenantId } from "./ids.ts";
import { evolveJob, picksOf, progressOf, totalsOf, type PushJobState } from "./push.ts";
import { buildAudienceResolved, buildPushJobRequested } from "./push-facts.fixture.ts";
import type { PushJobFact } from "./push-facts.ts";

const base = { tenantId: asId<TenantId>("t"), jobId: "j", atMs: 1 };
const requested = buildPushJobRequested(base);
const started: PushJobFact = { type: "push-job.started", ...base };
const resolved = (targetUserCount: number, chunkCount: number) =>
  buildAudienceResolved({ ...base, targetUserCount, chunkUsers: 2, chunkCount });
const done = (chunk: number, users: number, partKey = `part-${chunk}`): PushJobFact => ({
  type: "push-job.chunk-done",
  ...base,
  chunk,
  partKey,
  users,
  usersWithCandidates: users,
  usersFailed: 0,
  candidates: users,
  contentIds: [],
  subjectIds: [],
  pickCounts: [],
  picks: [],
});
const completed: PushJobFact = {
  type: "push-job.completed",
  ...base,
  scenario: "daily",
  targetUserCount: 3,
  usersFailed: 0,
  candidates: 3,
  creditsTenths: 15,
  filterStats: null,
  resultKey: "r",
  sent: [],
};
const failed: PushJobFact = {
  type: "push-job.failed",
  ...base,
  scenario: "daily",
  code: "internal",
  message: "m",
};
const cancelled: PushJobFact = { type: "push-job.cancelled", ...base };
const closed: PushJobFact = { type: "push-job.closed", ...base };

function jobOf(...facts: readonly PushJobFact[]): PushJobState {
  let state: PushJobState | undefined;
  facts.forEach((fact, offset) => (state = evolveJob(state, fact, offset)));
  if (state === undefined) throw new Error("no job");
  return state;
}

describe("A push job (spec 3)", () => {
  it("is queued, then processing, then completed when every user has a line", () => {
    expect(jobOf(requested).status).toBe("queued");
    expect(jobOf(requested, started).status).toBe("processing");
    const open = [requested, started, resolved(3, 2), done(0, 2)] as const;
    expect(jobOf(...open, completed).status).toBe("processing");
    expect(jobOf(...open, done(1, 1), completed).status).toBe("completed");
  });

  it("is completed without any chunk where nobody matches", () => {
    expect(jobOf(requested, started, resolved(0, 0), completed).status).toBe("completed");
  });

  it("keeps its first end, whatever comes later", () => {
    const whole = [requested, started, resolved(0, 0)] as const;
    expect(jobOf(...whole, cancelled, completed)).toMatchObject({
      status: "failed",
      completed: null,
      failure: { code: "cancelled" },
    });
    expect(jobOf(...whole, completed, cancelled, failed)).toMatchObject({
      status: "completed",
      failure: null,
    });
  });

  it("counts a chunk once: its first part stands", () => {
    const job = jobOf(requested, started, resolved(3, 2), done(0, 2), done(0, 2, "again"));
    expect(job.chunks[0]?.partKey).toBe("part-0");
    expect(totalsOf(job.chunks).users).toBe(2);
  });

  it("keeps its first audience", () => {
    expect(jobOf(requested, started, resolved(3, 2), resolved(9, 5)).chunks).toHaveLength(2);
  });

  it("is closed only after its end", () => {
    expect(jobOf(requested, started, closed).closed).toBe(false);
    expect(jobOf(requested, cancelled, closed).closed).toBe(true);
  });

  it("shows progress that rises to 99 and is 100 only when completed", () => {
    const open = [requested, started, resolved(3, 2)] as const;
    const seen = [
      jobOf(requested),
      jobOf(...open),
      jobOf(...open, done(0, 2)),
      jobOf(...open, done(0, 2), done(1, 1)),
      jobOf(...open, done(0, 2), done(1, 1), completed),
    ].map(progressOf);
    expect(seen).toEqual([0, 0, 66, 99, 100]);
    expect(progressOf(jobOf(...open, done(0, 2), failed))).toBe(66);
  });

  it("ignores facts of a job it does not know", () => {
    expect(evolveJob(undefined, started, 0)).toBeUndefined();
  });
});

describe("picksOf", () => {
  it("tells who got what", () => {
    const [a, b] = [asId<ContentId>("a"), asId<ContentId>("b")];
    const subjects = ["s1", "s2"].map((id) => asId<SubjectId>(id));
    const fact = {
      contentIds: [a, b],
      subjectIds: subjects,
      pickCounts: [2, 1],
      picks: [1, 0, 1],
    };
    expect([...picksOf(fact)].map(({ contentIds }) => contentIds)).toEqual([[b, a], [b]]);
  });
});
