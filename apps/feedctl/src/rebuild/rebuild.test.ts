import { asId, type ContentId, type SubjectId } from "@feed/domain/ids";
import type { ReadModel } from "@feed/domain/read-models";
import {
  followReadModelVersions,
  openCore,
  openLiveIndex,
  openLiveReadState,
  openReadState,
  type Core,
} from "@feed/engines";
import { embedderFromUrl } from "@feed/embedder/open";
import { appendUserFacts, recordOf } from "@feed/projector/testing/installation";
import { projectorGroup } from "@feed/projector/projections";
import { createLogger, systemClock } from "@feed/runtime";
import { buildArticle, buildBehaviourRecorded, temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepVersions } from "../roles/version-keeper.ts";
import { openRebuild, type RebuildWork } from "./rebuild-role.ts";

const SUBJECTS = Array.from({ length: 30 }, (_, at) => asId<SubjectId>(`subject-${at}`));
const CONTENTS = Array.from({ length: 20 }, (_, at) => asId<ContentId>(`content-${at}`));
const log = createLogger({ service: "test", level: "silent" });

const opened = new AsyncDisposableStack();
let directory = "";
let core: Core;
let sessions = 0;

const installation = () => ({ dataDirectory: directory, embedder: "hashed:16" });
const { tenantId } = buildBehaviourRecorded({});

/** One session more of every subject: positions in the end of their partitions. */
async function startSessions(): Promise<void> {
  sessions += 1;
  await appendUserFacts(
    core,
    SUBJECTS.map((subjectId, at) =>
      buildBehaviourRecorded({
        subjectId,
        kind: "session_start",
        eventId: `event-${sessions}-${at}`,
        sessionRef: asId(`session-${sessions}-${at}`),
      }),
    ),
  );
}

async function publish(contentId: ContentId): Promise<void> {
  const article = buildArticle({ contentId });
  await core.eventLog.append([recordOf("contents", 0, { type: "article.published", article })]);
}

async function readModelFacts() {
  const { records } = await core.eventLog.read("read-models", 0, 0, 1_000);
  return records.map(({ value }) => core.codec.decode(value ?? new Uint8Array()));
}

async function rebuild(
  readModel: ReadModel,
  work: RebuildWork,
  signal = new AbortController().signal,
) {
  const output = { write: () => undefined };
  await using role = await openRebuild({
    installation: installation(),
    readModel,
    log,
    output,
    signal,
  });
  return await role.run(work);
}

/** What a service has open that answers and projects. */
async function openService() {
  const versions = opened.use(await followReadModelVersions(core));
  const surroundings = { installation: installation() };
  const readModels = ["read-state", "content-index"] as const;
  const post = () => undefined;
  opened.use(await keepVersions({ readModels, core, surroundings, versions, log, post }));
  const embedder = opened.use(await embedderFromUrl("hashed:16", {}));
  const live = { versions, log };
  const readState = opened.use(await openLiveReadState(installation(), live));
  const { eventLog } = core;
  const options = { installation: installation(), embedder, eventLog, log };
  return { versions, readState, index: opened.use(await openLiveIndex(options, live)) };
}

let service: Awaited<ReturnType<typeof openService>>;
const sessionsOf = async (readState = service.readState) => {
  const users = await readState.users(SUBJECTS.map((subjectId) => ({ tenantId, subjectId })));
  return users.map((user) => (user?.kind === "user" ? user.state.totalSessions : 0));
};
const everywhere = (count: number) => SUBJECTS.map(() => count);

beforeAll(async () => {
  directory = opened.use(await temporaryDirectory()).path;
  core = opened.use(await openCore(installation(), systemClock));
  service = await openService();
  await startSessions();
  for (const contentId of CONTENTS) await publish(contentId);
  await waitFor(async () => (await sessionsOf()).every((count) => count === 1));
  await waitFor(async () => (await service.index.stats()).articles === CONTENTS.length);
});
afterAll(() => opened.disposeAsync());

describe("A read model that is rebuilt", () => {
  it("is built beside the live one, compared, and switched to while readers go on", async () => {
    const stopping = new AbortController();
    const answers: (readonly number[])[] = [];
    const reading = (async () => {
      while (!stopping.signal.aborted) {
        answers.push(await sessionsOf());
        await new Promise(setImmediate);
      }
    })();
    const writing = (async () => {
      for (let round = 0; round < 5; round += 1) await startSessions();
    })();
    const outcome = await rebuild("read-state", "build-and-switch");
    await writing;
    expect(outcome).toMatchObject({
      versions: { live: 2, kept: [1, 2], previous: 1 },
      built: { version: 2 },
      report: { agrees: true, comparable: true, differing: [] },
    });
    expect(outcome.report?.samples).toBe(SUBJECTS.length);
    await waitFor(() => service.versions.of("read-state").live === 2);
    await waitFor(async () => (await sessionsOf()).every((count) => count === 6));
    stopping.abort();
    await reading;
    // Whoever read once that a session was counted never reads that it was not.
    for (const [at, answer] of answers.entries())
      expect(answer.every((count, user) => count >= (answers[at - 1]?.[user] ?? 0))).toBe(true);
    await using second = await openReadState(installation(), 2);
    // What was written after the comparison may reach one version after the other.
    await waitFor(async () => (await sessionsOf(second)).every((count) => count === 6));
  });

  it("tells while it runs how far it is, and what was compared, to whoever follows the log", async () => {
    const told = (await readModelFacts()).filter(({ type }) => type === "read-model.rebuild-step");
    const steps = told.map((fact) => ("step" in fact ? fact.step : ""));
    expect([...new Set(steps)]).toEqual(["building", "comparing", "built"]);
    const [rebuilt] = service.versions.rebuilds();
    expect(rebuilt).toMatchObject({ readModel: "read-state", version: 2, step: "built" });
    expect(rebuilt?.report).toMatchObject({ agrees: true, samples: SUBJECTS.length });
    expect(rebuilt?.done).toBe(rebuilt?.total);
    expect(rebuilt?.liveAtMs).toBeGreaterThanOrEqual(rebuilt?.atMs ?? Infinity);
  });

  it("goes on in both versions, so that going back loses nothing", async () => {
    await startSessions();
    await waitFor(async () => (await sessionsOf()).every((count) => count === 7));
    const { versions } = await rebuild("read-state", "roll-back");
    expect(versions).toMatchObject({ live: 1, previous: 2 });
    await waitFor(() => service.versions.of("read-state").live === 1);
    expect(await sessionsOf()).toEqual(everywhere(7));
    await using first = await openReadState(installation(), 1);
    await waitFor(async () => (await sessionsOf(first)).every((count) => count === 7));
  });

  it("is let go of by its projectors when it is dropped, and its number is not used again", async () => {
    const { versions } = await rebuild("read-state", "drop-previous");
    expect(versions).toEqual({ live: 1, kept: [1], previous: undefined, highest: 2 });
    await using second = await openReadState(installation(), 2);
    expect(await sessionsOf(second)).toEqual(everywhere(0));
    await expect(rebuild("read-state", "roll-back")).rejects.toThrow("no version of read-state");
    const again = await rebuild("read-state", "build");
    expect(again.versions).toMatchObject({ live: 1, kept: [1, 3] });
  });

  it("stays to be seen as what it was: switched to, gone back from, removed; or interrupted", async () => {
    const stopped = AbortSignal.abort(new Error("interrupted by a test"));
    await expect(rebuild("read-state", "build", stopped)).rejects.toThrow("interrupted by a test");
    await waitFor(() => service.versions.rebuilds().at(-1)?.step === "failed");
    const [first, second, third] = service.versions.rebuilds();
    expect(first).toMatchObject({ version: 2, replaced: { by: 1 } });
    expect(first?.droppedAtMs).toBeGreaterThan(first?.replaced?.atMs ?? Infinity);
    expect(second).toMatchObject({ version: 3, step: "built" });
    expect(second).not.toHaveProperty("liveAtMs");
    expect(third).toMatchObject({ version: 4, reason: expect.stringContaining("by a test") });
  });

  it("is not built by two commands at the same time", async () => {
    const group = projectorGroup("content-index", 2);
    await using _other = await core.eventLog.consume({
      group,
      topics: ["contents"],
      onBatches: async () => undefined,
      recordsMax: 1_000,
      lingerMs: 0,
    });
    const hasBegun = async () => (await core.eventLog.committed(group, "contents")).size > 0;
    await waitFor(hasBegun);
    await expect(rebuild("content-index", "build")).rejects.toThrow("is being built");
    expect(service.versions.of("content-index").kept).toEqual([1]);
  });

  it("is not switched to while it differs from the live one, unless that is asked for", async () => {
    // Of an article that the log does not know.
    const stray = recordOf("contents", 0, {
      type: "article.published",
      article: buildArticle({ contentId: asId<ContentId>("content-0"), title: "Another title" }),
    });
    const { openVersion } = await import("@feed/engines");
    await using live = await openVersion(
      { readModel: "content-index", version: 1 },
      { installation: installation() },
    );
    const { codec, eventLog } = core;
    const fact = codec.decode(stray.value!);
    if (fact.type !== "article.published") throw new Error("not an article");
    const vector = new Float32Array(16).fill(0.25);
    const { model } = await service.index.stats();
    const article = { ...fact.article, embedding: { model, vector } };
    const [end = 0] = await eventLog.endOffsets("contents");
    const change = { kind: "put", article, offset: end - 1 } as const;
    await live.contentIndex?.index.apply([change], new Map());
    const { versions, report } = await rebuild("content-index", "build-and-switch");
    expect(report).toMatchObject({ agrees: false, differingSamples: 2 });
    expect(report?.differing).toContain("article content-0");
    expect(versions).toMatchObject({ live: 1, kept: [1, 2] });
    await rebuild("content-index", "switch");
    await waitFor(async () => {
      const [served] = await service.index.articles([CONTENTS[0]!]);
      return served !== undefined && served.title !== "Another title";
    });
  });
});
