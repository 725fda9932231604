import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { buildAudienceResolved, buildPushJobRequested } from "@feed/domain/push-facts.fixture";
import type { PushChunkDone, PushJobFact } from "@feed/domain/push-facts";
import { describe, expect, it } from "vitest";
import { foldPushJobs } from "./push-jobs.ts";

const base = { tenantId: asId<TenantId>("t"), jobId: "j", atMs: 1 };
const requested = buildPushJobRequested(base);
const resolved = buildAudienceResolved(base);
const done: PushChunkDone = {
  type: "push-job.chunk-done",
  ...base,
  chunk: 0,
  partKey: "p",
  users: 1,
  usersWithCandidates: 1,
  usersFailed: 0,
  candidates: 1,
  contentIds: [asId<ContentId>("c")],
  subjectIds: [asId<SubjectId>("s")],
  pickCounts: [1],
  picks: [0],
};
const running = [requested, { type: "push-job.started", ...base }, resolved] as const;
const placed = (...facts: readonly PushJobFact[]) =>
  facts.map((fact, offset) => ({ fact, partition: 5, offset }));
const sentBy = (...facts: readonly PushJobFact[]) =>
  foldPushJobs(placed(...facts), [undefined]).filter(({ kind }) => kind === "mark-sent");

describe("Push jobs in the read state (decisions, Push jobs)", () => {
  it("are one change a batch, at the offset of the last fact that changed them", () => {
    const changes = foldPushJobs(placed(...running, done, done), [undefined]);
    const [job] = changes.filter(({ kind }) => kind === "put-push-job");
    expect(changes).toHaveLength(2);
    expect(job).toMatchObject({ partition: 5, offset: 3, state: { status: "processing" } });
  });

  it("keep what the first fact of a chunk chose, and nothing of a repeat", () => {
    const other = { ...done, contentIds: [asId<ContentId>("other")] };
    expect(sentBy(...running, done, other)).toMatchObject([{ jobId: "j", contentIds: ["c"] }]);
  });

  it("keep nothing of a chunk that comes after the job was cancelled", () => {
    expect(sentBy(...running, { type: "push-job.cancelled", ...base }, done)).toEqual([]);
  });

  it("are not changed by facts that they hold already", () => {
    const [job] = foldPushJobs(placed(...running), [undefined]);
    if (job?.kind !== "put-push-job") throw new Error("no job");
    expect(foldPushJobs(placed(...running), [job])).toEqual([]);
  });
});
