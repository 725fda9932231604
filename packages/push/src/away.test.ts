import { ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import { LogUnavailable } from "@feed/event-log";
import { ObjectStoreUnavailable } from "@feed/object-store";
import { ReadStateUnavailable } from "@feed/read-state";
import { withMethods } from "@feed/test-kit/with-methods";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PushDependencies } from "./dependencies.ts";
import {
  contentId,
  openInstallation,
  openShared,
  userIds,
} from "./testing/installation.fixture.ts";

/** Users of a job; several chunks, so that a part goes away in the middle too. */
const USERS = 40;
const CHUNK_USERS = 4;
/** Of so many calls of a part the first few are refused: long enough for a chunk to get through in between. */
const CALLS = 17;
const REFUSED = 3;

let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** The part with these methods refused now and again. */
function flickering<Part extends object>(
  part: Part,
  names: readonly (keyof Part)[],
  refusal: () => Error,
): Part {
  let calls = -1;
  const replaced = names.map((name) => {
    const method = (part[name] as (...call: unknown[]) => unknown).bind(part);
    const flicker = (...call: unknown[]) => {
      calls += 1;
      return calls % CALLS < REFUSED ? Promise.reject(refusal()) : method(...call);
    };
    return [name, flicker];
  });
  return withMethods(part, Object.fromEntries(replaced) as Partial<Part>);
}

const changes: readonly (readonly [
  what: string,
  change: (deps: PushDependencies) => PushDependencies,
])[] = [
  [
    "the object store",
    (deps) => ({
      ...deps,
      objectStore: flickering(
        deps.objectStore,
        ["put", "get", "delete"],
        () => new ObjectStoreUnavailable("away"),
      ),
    }),
  ],
  [
    "the log",
    (deps) => ({
      ...deps,
      eventLog: flickering(deps.eventLog, ["append"], () => new LogUnavailable("away")),
    }),
  ],
  [
    "the read state",
    (deps) => ({
      ...deps,
      readState: flickering(
        deps.readState,
        ["pushJob", "users", "sentMarks", "readMarks", "creditStanding", "reservation"],
        () => new ReadStateUnavailable("away"),
      ),
    }),
  ],
  [
    "the content index",
    (deps) => ({
      ...deps,
      contentIndex: flickering(
        deps.contentIndex,
        ["recall", "vectors"],
        () => new ContentIndexUnavailable("away"),
      ),
    }),
  ],
  [
    "the activity store",
    (deps) => ({
      ...deps,
      activityStore: flickering(
        deps.activityStore,
        ["engagement", "positions"],
        () => new ActivityStoreUnavailable("away"),
      ),
    }),
  ],
];

describe("A push job while a part is away again and again (architecture section 2)", () => {
  it.each(changes)("ends as without that: %s", async (_, change) => {
    await using installation = await openInstallation({
      shared,
      role: {
        chunkUsers: CHUNK_USERS,
        stepRetry: { attemptsMax: 30, firstDelayMs: 2, delayMsMax: 20 },
      },
      change,
    });
    await installation.publish({ contentId: contentId("a"), title: "A story" });
    await installation.tell(...userIds(USERS).map((userId) => ({ userId, properties: {} })));
    const { state } = await installation.ended(await installation.request());
    expect(state.completed).toMatchObject({
      targetUserCount: USERS,
      usersFailed: 0,
      candidates: USERS,
      creditsTenths: USERS * 5,
    });
    const lines = await installation.result(state.request.jobId);
    expect(lines.map(({ user_id }) => user_id).toSorted()).toEqual(userIds(USERS));
    expect(await installation.standing()).toEqual({
      usedTenths: USERS * 5,
      reservedTenths: 0,
    });
    const left: string[] = [];
    for await (const { key } of installation.deps.objectStore.list("push/")) left.push(key);
    expect(left).toEqual([]);
  });
});
