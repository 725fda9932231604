import { TOPICS } from "@feed/domain/topics";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PushDependencies } from "./dependencies.ts";
import { appendChunks, jobPartitionOf } from "./job-log.ts";
import { runPush } from "./run.ts";
import {
  contentId,
  openInstallation,
  openShared,
  userId,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";
import { withMethods } from "@feed/test-kit/with-methods";

const QUICK = { stepRetry: { attemptsMax: 2, firstDelayMs: 1, delayMsMax: 1 } };
let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

const open = (
  role: Parameters<typeof openInstallation>[0]["role"] = {},
  change: (deps: PushDependencies) => PushDependencies = (deps) => deps,
) => openInstallation({ shared, role, change });

async function fill(installation: Installation, users: number, of = installation.tenantId) {
  await installation.publish(
    ...[0, 1, 2].map((at) => ({
      contentId: contentId(`article-${at}`),
      title: `Story ${at}`,
      duplicateGroup: `group-${at}`,
    })),
  );
  await installation.tell(...userIds(users).map((id) => ({ userId: id, properties: {}, of })));
}
const linesOf = async (installation: Installation, jobId: string) =>
  (await installation.result(jobId)).map(({ user_id }) => user_id);

describe("Credits of push jobs (decisions, Push jobs)", () => {
  it("a reservation that would break the cap fails the job, and charges nothing", async () => {
    await using installation = await open();
    await fill(installation, 4);
    await installation.setCap(19);
    const { state } = await installation.ended(await installation.request());
    expect(state).toMatchObject({
      status: "failed",
      failure: { code: "usage_limit_exceeded" },
      audience: { targetUserCount: 4 },
      completed: null,
    });
    expect(await installation.standing()).toEqual({ usedTenths: 0, reservedTenths: 0 });
  });

  it("are reserved one job after the other, so that two never share the same room under a cap", async () => {
    await using installation = await open();
    await fill(installation, 4);
    await installation.setCap(30);
    const jobs = [await installation.request(), await installation.request()];
    const ends = await Promise.all(jobs.map((jobId) => installation.ended(jobId)));
    const statuses = ends.map(({ state }) => state.status).toSorted();
    expect(statuses).toEqual(["completed", "failed"]);
    expect((await installation.standing()).usedTenths).toBe(20);
  });

  it("an accepted request is refused once the cap is reached", async () => {
    await using installation = await open();
    await installation.setCap(0);
    await expect(installation.request()).rejects.toThrow("usage-limit-exceeded");
  });
});

describe("A push job that fails or is cancelled", () => {
  it("charges nothing, and its candidates do not count as sent", async () => {
    let isAway = true;
    await using installation = await open(QUICK, (deps) => ({
      ...deps,
      objectStore: withMethods(deps.objectStore, {
        put: (key, body, type) =>
          isAway && key.startsWith("push-results/")
            ? Promise.reject(new ObjectStoreUnavailable("away"))
            : deps.objectStore.put(key, body, type),
      }),
    }));
    await fill(installation, 3);
    const { state } = await installation.ended(
      await installation.request({ candidatesPerUser: 3 }),
    );
    expect(state.failure).toMatchObject({ code: "storage_unavailable" });
    expect(await installation.standing()).toEqual({ usedTenths: 0, reservedTenths: 0 });
    isAway = false;
    const jobId = await installation.request({ candidatesPerUser: 3 });
    await installation.ended(jobId);
    const lines = await installation.result(jobId);
    expect(lines.every(({ candidates }) => candidates.length === 3)).toBe(true);
  });

  it("is cancelled while it runs: it releases its credits and goes no further", async () => {
    const hold = Promise.withResolvers<void>();
    await using installation = await open({}, (deps) => ({
      ...deps,
      objectStore: withMethods(deps.objectStore, {
        get: async (key) => {
          if (key.includes("/basis-")) await hold.promise;
          return deps.objectStore.get(key);
        },
      }),
    }));
    await fill(installation, 3);
    const jobId = await installation.request();
    const reserved = async () => (await installation.standing()).reservedTenths === 15;
    await waitFor(reserved);
    const answer = await installation.cancel(jobId);
    expect(answer.kind).toBe("cancelled");
    hold.resolve();
    const { state } = await installation.ended(jobId);
    expect(state.failure?.code).toBe("cancelled");
    expect(await installation.standing()).toEqual({ usedTenths: 0, reservedTenths: 0 });
    expect((await installation.cancel(jobId)).kind).toBe("cancelled");
  });

  it("is too late to be cancelled once it is completed", async () => {
    await using installation = await open();
    await fill(installation, 1);
    const jobId = await installation.request();
    await installation.ended(jobId);
    const answer = await installation.cancel(jobId);
    expect(answer).toMatchObject({ kind: "has-ended", view: { state: { status: "completed" } } });
  });
});

describe("Users whose generation fails (spec 2.9)", () => {
  it("keep a line, count as failed and are not charged", async () => {
    await using installation = await open({}, (deps) => ({
      ...deps,
      readState: withMethods(deps.readState, {
        readMarks: (key) =>
          key.subjectId === broken
            ? Promise.reject(new Error("broken"))
            : deps.readState.readMarks(key),
      }),
    }));
    const broken = installation.subjectOf(userId("user-0001"));
    await fill(installation, 3);
    const jobId = await installation.request();
    const { state } = await installation.ended(jobId);
    expect(state.completed).toMatchObject({ usersFailed: 1, candidates: 2, creditsTenths: 10 });
    const lines = await installation.result(jobId);
    expect(lines.filter(({ empty_reason }) => empty_reason !== undefined)).toEqual([
      { user_id: "user-0001", candidates: [], empty_reason: "generation_failed" },
    ]);
  });
});

describe("Running push jobs (spec 8: 5 a tenant)", () => {
  it("are 5 at most; a further one is queued and comes next, first come, first served", async () => {
    let isBehind = true;
    await using installation = await open({}, (deps) => ({
      ...deps,
      activityStore: withMethods(deps.activityStore, {
        positions: async (topic) =>
          isBehind ? new Map<number, number>() : deps.activityStore.positions(topic),
      }),
    }));
    await fill(installation, 1);
    const jobs: string[] = [];
    for (let job = 0; job < 7; job += 1) jobs.push(await installation.request());
    const statuses = () =>
      Promise.all(jobs.map(async (jobId) => (await installation.view(jobId)).state.status));
    const running = Array.from({ length: 5 }, () => "processing");
    await waitFor(async () => (await statuses())[4] === "processing");
    expect(await statuses()).toEqual([...running, "queued", "queued"]);
    isBehind = false;
    for (const jobId of jobs)
      expect((await installation.ended(jobId)).state.status).toBe("completed");
  });

  it("fail with projection_unavailable when what was before them is not projected in time", async () => {
    await using installation = await open({ barrierTimeoutMs: 50 }, (deps) => ({
      ...deps,
      activityStore: withMethods(deps.activityStore, { positions: async () => new Map() }),
    }));
    await fill(installation, 1);
    const { state } = await installation.ended(await installation.request());
    expect(state.failure?.code).toBe("projection_unavailable");
    expect(state.audience).toBeNull();
  });
});

describe("Push workers", () => {
  it("share a job, and a chunk that two of them do counts once", async () => {
    await using installation = await open({ chunkUsers: 5 });
    await using _second = await runPush(installation.deps, { chunkUsers: 5 });
    await fill(installation, 60);
    const jobId = await installation.request();
    const { deps, tenantId } = installation;
    await waitFor(async () => (await installation.view(jobId)).state.audience !== null);
    const audienceOffset = (await installation.view(jobId)).state.audience!.offset;
    const again = Array.from({ length: 12 }, (_, chunk) => {
      const place = { jobPartition: jobPartitionOf(tenantId), audienceOffset };
      return { type: "push-chunk.queued", tenantId, jobId, atMs: 0, chunk, ...place } as const;
    });
    await appendChunks(deps, again);
    const { state } = await installation.ended(jobId);
    expect((await linesOf(installation, jobId)).toSorted()).toEqual(userIds(60));
    expect(state.completed).toMatchObject({ creditsTenths: 300, candidates: 60 });
    expect((await installation.standing()).usedTenths).toBe(300);
  });

  it("serve a small job of one tenant while a large one of another runs", async () => {
    // The worker waits in the first part of the large job until the chunk of the small one is queued behind it.
    const begun = Promise.withResolvers<void>();
    const queued = Promise.withResolvers<void>();
    const jobsOfParts: string[] = [];
    await using installation = await open({ chunkUsers: 5, tenantChunksMax: 2 }, (deps) => ({
      ...deps,
      objectStore: withMethods(deps.objectStore, {
        put: async (key, ...rest) => {
          const [, jobId] = /^push\/(\w+)\/part-/.exec(key) ?? [];
          if (jobId !== undefined) {
            jobsOfParts.push(jobId);
            begun.resolve();
            await queued.promise;
          }
          return deps.objectStore.put(key, ...rest);
        },
      }),
    }));
    const { deps, otherTenantId } = installation;
    await fill(installation, 500);
    await fill(installation, 3, otherTenantId);
    const large = await installation.request({ requestId: "large" });
    await begun.promise;
    const chunksQueued = async () =>
      (await deps.eventLog.endOffsets("push-chunks")).reduce((total, end) => total + end, 0);
    const ofLarge = await chunksQueued();
    const small = await installation.request({ of: otherTenantId, requestId: "small" });
    await waitFor(async () => (await chunksQueued()) > ofLarge);
    queued.resolve();
    await installation.ended(small, otherTenantId);
    await installation.ended(large);
    expect(jobsOfParts.filter((jobId) => jobId === large)).toHaveLength(100);
    // The worker has gone over its partitions once, at the most.
    expect(jobsOfParts).toContain(small);
    expect(jobsOfParts.indexOf(small)).toBeLessThanOrEqual(TOPICS["push-chunks"].partitions);
  });
});
