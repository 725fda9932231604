import { asId, type ContentId } from "@feed/domain/ids";
import { openCore } from "@feed/engines";
import { recordOf } from "@feed/projector/testing/installation";
import { systemClock } from "@feed/runtime";
import { buildArticle, temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logCommand } from "./log.ts";
import { rebuildCommand } from "./rebuild.ts";
import { runHere, type Outcome } from "./run-here.fixture.ts";

const opened = new AsyncDisposableStack();
let directory = "";
const installation = () => ({ dataDirectory: directory, embedder: "hashed:16" });
const rebuild = (...flags: string[]): Promise<Outcome> =>
  runHere(rebuildCommand(directory), ["rebuild", ...flags], { EMBEDDER: "hashed:16" });
const copy = (...flags: string[]): Promise<Outcome> =>
  runHere(logCommand(directory), ["log", "copy", ...flags]);

beforeAll(async () => {
  directory = opened.use(await temporaryDirectory()).path;
  await using _core = await openCore(installation(), systemClock);
});
afterAll(() => opened.disposeAsync());

/** The service stands still: nobody projects. */
describe("feedctl rebuild", () => {
  it("builds, compares and switches, and says so as JSON", async () => {
    const { code, stdout } = await rebuild("content-index", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      read_model: "content-index",
      live_version: 2,
      previous_version: 1,
      kept_versions: [1, 2],
      built: { version: 2, records: 0 },
      report: { agrees: true, comparable: true, totals: [{ name: "articles", live: 0, next: 0 }] },
    });
  });

  it("goes back and drops what is beside the live version", async () => {
    expect(await rebuild("content-index", "--roll-back")).toMatchObject({
      code: 0,
      stdout: "live: version 1 (before: 2); kept beside it: 2\n",
    });
    const dropped = await rebuild("content-index", "--drop-previous");
    expect(dropped).toMatchObject({ code: 0, stdout: "live: version 1\n" });
    const again = await rebuild("content-index", "--roll-back");
    expect(again.code).toBe(2);
    expect(again.stderr).toBe(
      "feedctl: there is no version of content-index beside the live one\n",
    );
  });

  it("ends with 1 where the live version is behind, and says what to do", async () => {
    {
      await using core = await openCore(installation(), systemClock);
      const article = buildArticle({ contentId: asId<ContentId>("a") });
      await core.eventLog.append([recordOf("contents", 0, { type: "article.published", article })]);
    }
    const { code, stdout } = await rebuild("content-index");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^articles +0 +1 +differs$/m);
    expect(stdout).toContain("no projector keeps it up: start one");
    expect(stdout).toContain("live: version 1; kept beside it: 3");
    expect(stdout).toContain("not switched; --switch does it all the same");
    const switched = await rebuild("content-index", "--switch", "--json");
    expect(JSON.parse(switched.stdout)).toMatchObject({ live_version: 3, built: null });
  });

  it("ends with 2 for a read model that there is not", async () => {
    expect((await rebuild("feeds")).code).toBe(2);
  });
});

describe("feedctl log copy", () => {
  it("says which flag is wrong, and copies no log but an embedded one", async () => {
    const wrong = await copy("--to", "localhost:9092", "--schema-registry", "http://localhost");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(/^feedctl: --to must look like kafka:/);
    const there = await runHere(
      logCommand(directory),
      ["log", "copy", "--to", "kafka://a:9092", "--schema-registry", "http://a"],
      { EVENT_LOG: "kafka://b:9092", SCHEMA_REGISTRY: "http://b" },
    );
    expect(there).toMatchObject({ code: 2 });
    expect(there.stderr).toContain("EVENT_LOG is set");
  });
});
