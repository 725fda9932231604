import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import { SENT_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import type { PushJobState } from "@feed/domain/push";
import { NO_CONDITIONS } from "@feed/domain/push-facts";
import { expect } from "vitest";
import type { ReadState, ReadStateChange } from "../port.ts";
import {
  applyUsers,
  forgetUser,
  KEY,
  keyOf,
  NO_POSITIONS,
  NOW_MS,
  OTHER_TENANT,
} from "./harness.ts";
import { putUser, TENANT } from "./harness.ts";
import type { Check } from "./harness.ts";

function jobState(
  jobId: string,
  parts: Partial<PushJobState> = {},
  place: { readonly tenantId?: TenantId; readonly atMs?: number } = {},
): PushJobState {
  const { tenantId = TENANT, atMs = NOW_MS } = place;
  return {
    request: {
      tenantId,
      jobId,
      atMs,
      scenario: "daily",
      candidatesPerUser: 1,
      targetMode: "condition",
      conditions: NO_CONDITIONS,
      userIds: null,
      usersEnds: [1, 2],
      deliveriesEnds: [3],
      keyKind: "live",
    },
    requestedOffset: 7,
    status: "queued",
    audience: null,
    chunks: [],
    completed: null,
    failure: null,
    closed: false,
    ...parts,
  };
}

const putJob = (state: PushJobState, offset = 7): ReadStateChange => ({
  kind: "put-push-job",
  state,
  partition: 3,
  offset,
});
const markSent = (jobId: string, contents: readonly string[], key = KEY): ReadStateChange => ({
  kind: "mark-sent",
  key,
  jobId,
  contentIds: contents.map((id) => asId<ContentId>(id)),
});
const apply = (state: ReadState, ...changes: readonly ReadStateChange[]) =>
  state.apply("push-jobs", changes, NO_POSITIONS);

export const pushChecks: readonly Check[] = [
  {
    name: "gives a push job back as it was put, to its tenant alone",
    run: async ({ state }) => {
      const job = jobState("job-1");
      await apply(state, putJob(job));
      expect(await state.pushJob(TENANT, "job-1")).toEqual({ state: job, offset: 7 });
      expect(await state.pushJob(OTHER_TENANT, "job-1")).toBeUndefined();
      await apply(state, putJob(jobState("job-1", { status: "processing" }), 6));
      expect((await state.pushJob(TENANT, "job-1"))?.state.status).toBe("queued");
    },
  },
  {
    name: "lists a tenant's push jobs in pages, newest first",
    run: async ({ state }) => {
      const jobs = ["a", "b", "c", "d"].map((id, at) =>
        jobState(id, {}, { atMs: NOW_MS + (at >> 1) }),
      );
      const other = jobState("e", {}, { tenantId: OTHER_TENANT });
      await apply(state, ...[...jobs, other].map((job) => putJob(job)));
      const pageAfter = async (after: Parameters<ReadState["pushJobs"]>[1]) =>
        (await state.pushJobs(TENANT, after, 3)).map((record) => record.state.request.jobId);
      expect(await pageAfter(null)).toEqual(["c", "d", "a"]);
      expect(await pageAfter({ requestedAtMs: NOW_MS, jobId: "a" })).toEqual(["b"]);
      expect(await pageAfter({ requestedAtMs: NOW_MS, jobId: "b" })).toEqual([]);
    },
  },
  {
    name: "knows the push jobs that are not closed",
    run: async ({ state }) => {
      await apply(state, putJob(jobState("a")), putJob(jobState("b")));
      await apply(state, putJob(jobState("a", { status: "failed", closed: true }), 9));
      expect(await state.openPushJobs()).toEqual([
        { tenantId: TENANT, jobId: "b", partition: 3, requestedOffset: 7 },
      ]);
    },
  },
  {
    name: "keeps what jobs chose for users, once for each job, in the order asked",
    run: async ({ state }) => {
      const other = keyOf("subject-2");
      await apply(state, markSent("job-1", ["a", "b"]), markSent("job-1", ["c"], other));
      await apply(state, markSent("job-1", ["x"]), markSent("job-2", ["d"]));
      expect(await state.sentMarks([other, keyOf("nobody"), KEY])).toEqual([
        [{ jobId: "job-1", contentIds: ["c"] }],
        [],
        [
          { jobId: "job-1", contentIds: ["a", "b"] },
          { jobId: "job-2", contentIds: ["d"] },
        ],
      ]);
    },
  },
  {
    name: "forgets what was chosen for a forgotten user, and keeps nothing of it that comes late",
    run: async ({ state }) => {
      await applyUsers(state, putUser(1));
      await apply(state, markSent("job-1", ["a"]));
      await applyUsers(state, forgetUser(2));
      await apply(state, markSent("job-2", ["b"]));
      expect(await state.sentMarks([KEY])).toEqual([[]]);
    },
  },
  {
    name: "keeps the latest sent marks, up to the limit",
    run: async ({ state }) => {
      const three = (job: number) => [0, 1, 2].map((at) => `content-${job}-${at}`);
      const jobs = Math.ceil(SENT_MARKS_PER_USER_MAX / 3) + 5;
      const marks = Array.from({ length: jobs }, (_, job) => markSent(`job-${job}`, three(job)));
      await apply(state, ...marks);
      const [kept = []] = await state.sentMarks([KEY]);
      const contents = kept.flatMap(({ contentIds }) => contentIds);
      expect(contents.length).toBeLessThanOrEqual(SENT_MARKS_PER_USER_MAX);
      expect(contents.length).toBeGreaterThan(SENT_MARKS_PER_USER_MAX - 3);
      expect(kept.at(-1)?.jobId).toBe(`job-${jobs - 1}`);
    },
  },
];
