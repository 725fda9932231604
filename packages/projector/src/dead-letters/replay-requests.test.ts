import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import { TOPICS } from "@feed/domain/topics";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectorGroup } from "../projections.ts";
import { runProjector } from "../projector.ts";
import { clock, codec, log, openInstallation, recordOf } from "../testing/installation.ts";
import type { Installation } from "../testing/installation.ts";
import { olderCodec } from "../testing/older-codec.ts";
import { appendDeadLetters } from "./burying.ts";
import { readLetters, type Letter } from "./letters.ts";
import { askForReplay, type AskedReplay } from "./replay-requests.ts";

/**
 * Goal: projectors that run take the record of a letter once more when they are asked to. Method: a projector of an older
 * build passes over an article that was served, and gives it up; then projectors of this one run, and are asked. Each test
 * has a tenant and a partition of its own.
 */
const MONTH = "2026-11";
const STAGE = "read-state.deliveries";
const asking = { actor: "me", atMs: 1, signal: new AbortController().signal };

const stack = new AsyncDisposableStack();
let installation: Installation;
let partition = 0;
let tenantId: TenantId;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  installation = stack.use(await openInstallation(path));
});
beforeEach(async () => {
  partition += 1;
  tenantId = asId<TenantId>(`tenant-${partition}`);
  await serve("content");
  const quiet = { isLive: () => false };
  const { readState, eventLog } = installation;
  const older = await runProjector({ ...installation, ...quiet, codec: olderCodec, clock, log });
  await waitFor(async () => (await readState.positions("deliveries")).has(partition));
  await older[Symbol.asyncDispose]();
  const failure = { partition, offset: 0, stage: STAGE, reason: "schema 23 is not registered" };
  const batch = await eventLog.read("deliveries", partition, 0, 1);
  await appendDeadLetters([failure], [batch], { eventLog, codec, atMs: clock.nowMs() });
});
afterAll(() => stack.disposeAsync());

async function serve(type: "feed" | "content"): Promise<void> {
  const served = { tenantId, requestId: "request", servedAtMs: Date.UTC(2026, 10, 1) };
  const fact =
    type === "feed"
      ? ({ type: "feed.delivered", ...served, scenario: "main", items: [] } as const)
      : ({ type: "content.delivered", ...served, contentId: asId<ContentId>("content") } as const);
  const record = recordOf("deliveries", partition, { ...fact, creditsTenths: 10 });
  await installation.eventLog.append([record]);
}

const own = () => ({ eventLog: installation.eventLog, codec });
const letter = async (): Promise<Letter> =>
  (await readLetters(own())).find((each) => each.partition === partition) as Letter;
const usedTenths = async () =>
  (await installation.readState.usage(tenantId, MONTH, partition))?.tenths;
/** Asked again where the partition is on its way from one member to another. */
async function replayed(): Promise<AskedReplay> {
  for (;;) {
    const replay = await askForReplay(own(), await letter(), asking);
    if (replay.outcome !== "unanswered") return replay;
  }
}
const projector = (isLive = true) =>
  runProjector({ ...installation, codec, clock, log, isLive: () => isLive });

/** The parts of a projector that tells how many partitions of deliveries it holds. */
function countingHeld(onCount: (count: number) => void): Installation {
  const { eventLog } = installation;
  const consume: typeof eventLog.consume = (options) =>
    eventLog.consume({
      ...options,
      onAssigned: (partitions) => {
        options.onAssigned?.(partitions);
        if (options.group === projectorGroup(STAGE)) onCount(partitions.length);
      },
    });
  return { ...installation, eventLog: withMethods(eventLog, { consume }) };
}
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe("A replay that projectors are asked for", () => {
  it("has its effect once, and settles the letter with who asked", async () => {
    await using _projector = await projector();
    expect(await usedTenths()).toBeUndefined();
    expect(await replayed()).toEqual({ outcome: "effective" });
    expect(await usedTenths()).toBe(10);
    const settled = { outcome: "replayed", note: "", actor: "me", atMs: 1 };
    expect(await letter()).toMatchObject({ settled });
  });

  it("is answered by the one member of the group that holds the partition", async () => {
    const held = [0, 0];
    const member = (at: number) =>
      runProjector({ ...countingHeld((count) => (held[at] = count)), codec, clock, log });
    await using _one = await member(0);
    await using _other = await member(1);
    // A partition that moves on just as its record is handed over leaves a replay that had its effect unanswered.
    const areShared = () => !held.includes(0) && sum(held) === TOPICS.deliveries.partitions;
    await waitFor(areShared);
    expect(await replayed()).toEqual({ outcome: "effective" });
    expect(await usedTenths()).toBe(10);
  });

  it("leaves the letter open where later records are in its place, and says so", async () => {
    await serve("feed");
    await using _projector = await projector();
    await waitFor(async () => (await usedTenths()) === 10);
    const refusal = { outcome: "overtaken", projection: STAGE };
    expect(await replayed()).toEqual(refusal);
    const { settled, refusedReplay } = await letter();
    expect(settled).toBeUndefined();
    expect(refusedReplay).toEqual({ ...refusal, reason: "", atMs: clock.nowMs() });
  });

  it("is refused with the reason by a build that can't read the record either", async () => {
    await using _older = await runProjector({ ...installation, codec: olderCodec, clock, log });
    const reason = "schema 23 is not registered";
    const refusal = { outcome: "refused", projection: STAGE, reason };
    expect(await replayed()).toEqual(refusal);
    expect((await letter()).refusedReplay).toMatchObject(refusal);
  });

  it("is not answered by a version that nobody reads, and then has no effect", async () => {
    await using _next = await projector(false);
    const asked = askForReplay(own(), await letter(), { ...asking, timeoutMs: 300 });
    expect(await asked).toMatchObject({ outcome: "unanswered" });
    expect(await usedTenths()).toBeUndefined();
    expect((await letter()).settled).toBeUndefined();
  });

  it("settles the letter also where its answer comes after the asker has stopped waiting", async () => {
    const { eventLog } = installation;
    const answering = Promise.withResolvers<void>();
    const append: typeof eventLog.append = async (records) => {
      await answering.promise;
      return eventLog.append(records);
    };
    const late = { ...installation, eventLog: withMethods(eventLog, { append }) };
    await using _projector = await runProjector({ ...late, codec, clock, log });
    const before = await letter();
    await waitFor(async () => {
      const asked = await askForReplay(own(), before, { ...asking, timeoutMs: 100 });
      expect(asked).toEqual({ outcome: "unanswered", projection: STAGE });
      return (await usedTenths()) === 10;
    });
    expect((await letter()).settled).toBeUndefined();
    answering.resolve();
    await waitFor(async () => (await letter()).settled !== undefined);
    const settled = { outcome: "replayed", note: "", actor: "me", atMs: 1 };
    expect(await letter()).toEqual({ ...before, takenBy: [STAGE], settled });
    // Asked for once more all the same: it is no refusal that it has its effect already.
    expect(await replayed()).toEqual({ outcome: "effective" });
    expect(await usedTenths()).toBe(10);
  });

  it("of a projection that this release doesn't have is refused, and nobody is asked", async () => {
    const unknown = { ...(await letter()), stage: "read-state.views" };
    const [before] = await installation.eventLog.endOffsets("dead-letters");
    const replay = await askForReplay(own(), unknown, asking);
    expect(replay).toMatchObject({ outcome: "refused", projection: "read-state.views" });
    expect(await installation.eventLog.endOffsets("dead-letters")).toEqual([before]);
  });
});
