import { ObjectStoreUnavailable } from "@feed/object-store";
import { waitFor } from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPush } from "./run.ts";
import {
  contentId,
  openInstallation,
  openShared,
  userIds,
} from "./testing/installation.fixture.ts";

let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("A push job that runs", () => {
  it("keeps its scenario and its pool, whichever worker makes the rest", async () => {
    await using installation = await openInstallation({ shared, role: null });
    const { deps } = installation;
    await installation.publish({ contentId: contentId("old"), title: "A story" });
    await installation.tell(...userIds(2).map((userId) => ({ userId, properties: {} })));
    // A worker takes partitions in turn: either part can be the first. The other one is under way until the worker ends.
    let firstPart: string | undefined;
    const ending = Promise.withResolvers<void>();
    const put: typeof deps.objectStore.put = async (key, ...rest) => {
      const [part] = /\/part-\d+-/.exec(key) ?? [];
      if (part !== undefined && part !== (firstPart ??= part)) {
        await ending.promise;
        throw new ObjectStoreUnavailable("away");
      }
      return deps.objectStore.put(key, ...rest);
    };
    const objectStore = withMethods(deps.objectStore, { put });
    const first = await runPush({ ...deps, objectStore }, { chunkUsers: 1 });
    const jobId = await installation.request();
    await waitFor(async () => (await installation.view(jobId)).progress > 0);
    await installation.saveScenario({ scoreThreshold: 1 }, 2);
    await installation.publish({
      contentId: contentId("new"),
      title: "Another story",
      duplicateGroup: "another",
      publishedAtMs: deps.clock.nowMs(),
    });
    const ended = first[Symbol.asyncDispose]();
    ending.resolve();
    await ended;
    await using _second = await runPush(deps, { chunkUsers: 1 });
    await installation.ended(jobId);
    const given = (await installation.result(jobId)).map(({ candidates }) =>
      candidates.map(({ id }) => id),
    );
    expect(given).toEqual([["old"], ["old"]]);
    const later = await installation.request();
    await installation.ended(later);
    const [line] = await installation.result(later);
    expect(line?.empty_reason).toBe("no_matching_content");
  });

  it("has the scenario of its request, also where another node saved that a moment before", async () => {
    await using installation = await openInstallation({
      shared,
      change: (deps) => {
        const { directory } = deps;
        let isBehind = true;
        const caughtUp = async () => {
          await directory.caughtUp();
          isBehind = false;
        };
        const scenario: typeof directory.scenario = (...of) =>
          isBehind ? undefined : directory.scenario(...of);
        return { ...deps, directory: withMethods(directory, { caughtUp, scenario }) };
      },
    });
    await installation.publish({ contentId: contentId("a"), title: "A story" });
    await installation.tell({ userId: userIds(1)[0]!, properties: {} });
    const { state } = await installation.ended(await installation.request());
    expect(state).toMatchObject({ status: "completed", completed: { candidates: 1 } });
  });

  it("leaves out what was taken down meanwhile", async () => {
    const hold = Promise.withResolvers<void>();
    await using installation = await openInstallation({
      shared,
      change: (deps) => ({
        ...deps,
        objectStore: withMethods(deps.objectStore, {
          get: async (key) => {
            if (key.includes("/basis-")) await hold.promise;
            return deps.objectStore.get(key);
          },
        }),
      }),
    });
    const { deps, tenantId } = installation;
    await installation.publish({ contentId: contentId("gone"), title: "A story" });
    await installation.tell({ userId: userIds(1)[0]!, properties: {} });
    const jobId = await installation.request();
    await waitFor(async () => (await installation.view(jobId)).state.audience !== null);
    const { sourceId } = (await deps.contentIndex.articles([contentId("gone")]))[0]!;
    const licence = { tenantId, sourceId, licence: "none" } as const;
    await installation.changeDirectory({ type: "licence.set", licence });
    hold.resolve();
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    expect(line?.empty_reason).toBe("no_matching_content");
  });
});
