import { join } from "node:path";
import type { ContentIndex } from "@feed/content-index";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import { asId, type ContentId } from "@feed/domain/ids";
import {
  buildArticle,
  buildBehaviourRecorded as event,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectionLag } from "../lag.ts";
import { runProjector } from "../projector.ts";
import { projectionTargets, type AnyTarget } from "../targets/all.ts";
import {
  appendUserFacts,
  clock,
  codec,
  log,
  openInstallation,
  recordOf,
} from "../testing/installation.ts";
import type { Installation } from "../testing/installation.ts";
import { randomUserFacts } from "../testing/random-facts.ts";
import { differencesFrom } from "../verify/differences.ts";
import { foldUsersLog } from "../verify/expected-users.ts";
import { replayRanges, type ReplayFrom } from "./ranges.ts";
import { replayInto } from "./replay.ts";

/** Goal: what a read model has stays as it is, and what it lost is put back. Method: an index that lost two of four articles. */
const PARTITION = 5;
const MODEL = "test-4";
const HOUR_MS = 3_600_000;
const BEGINNING: ReplayFrom = { kind: "beginning" };
const IDS = ["a", "b", "c", "d"].map((id) => asId<ContentId>(id));

const stack = new AsyncDisposableStack();
let installation: Installation;
let index: ContentIndex;
let targets: readonly AnyTarget[];
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  installation = stack.use(await openInstallation(path));
  const own = { directory: join(path, "index"), model: MODEL, dimensions: 4 };
  index = stack.use(await openEmbeddedContentIndex(own));
  const { readState, eventLog } = installation;
  const contentIndex = { index, embedder: { model: MODEL, embed: async () => [] } };
  targets = projectionTargets({ readState, contentIndex }, { ...installation, codec });
  const embedding = { model: MODEL, vector: Float32Array.from([1, 0, 0, 0]) };
  const articles = IDS.map((contentId) => buildArticle({ contentId, embedding }));
  await eventLog.append(
    articles.map((article, hour) => ({
      ...recordOf("contents", PARTITION, { type: "article.published", article }),
      key: article.contentId,
      timestampMs: clock.nowMs() + hour * HOUR_MS,
    })),
  );
  const kept = articles.slice(1, 3).map((article, at) => {
    return { kind: "put", article, offset: at + 1 } as const;
  });
  await index.apply(kept, new Map([[PARTITION, articles.length]]));
});
afterAll(() => stack.disposeAsync());

function target(name: string): AnyTarget {
  const found = targets.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no target ${name}`);
  return found;
}

async function replay(name: string, from = BEGINNING, isDry = false) {
  const into = target(name);
  const { eventLog } = installation;
  const ranges = await replayRanges(eventLog, into.topic, await into.positions(), from);
  let offsets = 0;
  const onProgress = (passed: number) => void (offsets += passed);
  const { signal } = new AbortController();
  const options = { eventLog, clock, log, ranges, isDry, signal, onProgress };
  return { ...(await replayInto(into, options)), offsets };
}

async function articlesHeld(): Promise<readonly string[]> {
  return (await index.articles(IDS)).map(({ contentId }) => contentId);
}

describe("a replay", () => {
  it("that is dry says what it would read, and reads from offsets, a time or the beginning", async () => {
    const all = { partition: PARTITION, from: 0, to: 4, records: 4 };
    expect((await replay("content-index", BEGINNING, true)).ranges).toEqual([all]);
    const offsets = new Map([[PARTITION, 3]]);
    const two = await replay("content-index", { kind: "offsets", offsets }, true);
    expect(two.ranges).toEqual([{ ...all, from: 3, records: 1 }]);
    const since = async (hours: number) => {
      const atMs = clock.nowMs() + hours * HOUR_MS;
      return (await replay("content-index", { kind: "time", atMs }, true)).ranges;
    };
    expect(await since(-1)).toEqual([all]);
    expect(await since(0.5)).toEqual([{ ...all, from: 1, records: 3 }]);
    // A clock a minute behind may have dated a record of that time.
    expect(await since(2)).toEqual([{ ...all, from: 2, records: 2 }]);
    expect(await since(4)).toEqual([]);
    expect(await articlesHeld()).toEqual(["b", "c"]);
  });

  it("puts back what was lost from where it begins on, and leaves the positions", async () => {
    const offsets = new Map([[PARTITION, 1]]);
    const { failures, offsets: passed } = await replay("content-index", {
      kind: "offsets",
      offsets,
    });
    expect({ failures, passed }).toEqual({ failures: [], passed: 3 });
    expect(await articlesHeld()).toEqual(["b", "c", "d"]);
    await replay("content-index");
    expect(await articlesHeld()).toEqual(["a", "b", "c", "d"]);
    expect(await index.positions()).toEqual(new Map([[PARTITION, 4]]));
  });

  it("counts nothing a second time, and ends before what the projector has yet to do", async () => {
    const { eventLog, personalData, readState } = installation;
    const mixed = { users: 30, profileShare: 0.2, deletionShare: 0.02 };
    await appendUserFacts(installation, randomUserFacts(3, 500, mixed));
    {
      await using _projector = await runProjector({ ...installation, codec, clock, log });
      const lag = async () => projectionLag(eventLog, "users", await readState.positions("users"));
      await waitFor(async () => (await lag()) === 0);
    }
    const expected = await foldUsersLog(eventLog, personalData);
    await appendUserFacts(installation, [event({ kind: "session_start" })]);
    expect((await replay("read-state.users")).offsets).toBe(500);
    expect(await differencesFrom(expected, readState)).toEqual([]);
  });
});
