import { Readable } from "node:stream";
import { asId, type ContentId, type SourceId } from "@feed/domain/ids";
import { nameVersion, openActivityStore, openCore, startActivityEngine } from "@feed/engines";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { createLogger, systemClock } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runHere } from "./run-here.fixture.ts";
import { sqlCommand } from "./sql.ts";

/** Goal: the command as a data team types it, on an installation whose service is stopped, whose second version is live. */
const stack = new AsyncDisposableStack();
const ARTICLE = {
  contentId: asId<ContentId>("c1"),
  sourceId: asId<SourceId>("lantern"),
  title: "Typed, or 'untyped'?",
  category: "technology",
  language: "en",
  publishedAtMs: Date.UTC(2026, 9, 5),
  withdrawn: false,
  offset: 0,
};
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  const installation = { dataDirectory: path, embedder: "hashed:256" };
  await using _core = await openCore(installation, systemClock);
  await using engine = await startActivityEngine(installation, () => undefined);
  await using store = await openActivityStore(engine.endpoint, 2);
  await store.apply("contents", { ...NO_ROWS, contents: [ARTICLE] }, new Map());
  const surroundings = { installation, activity: engine.endpoint };
  const log = createLogger({ service: "test", level: "silent" });
  await nameVersion({ readModel: "activity-store", version: 2 }, surroundings, log);
});
afterAll(() => stack.disposeAsync());

const sql = (...args: readonly string[]) =>
  runHere(sqlCommand(path), ["sql", ...args], { EVENT_LOG: "", ACTIVITY_STORE: "" });

describe("feedctl sql", () => {
  it("prints the answer from the live version as a table", async () => {
    const { stdout, stderr, code } = await sql("SELECT source_id, category FROM contents");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/┌─source_id─┬─category───┐\n1\. │ lantern   │ technology │\n/);
  });

  it("takes a statement from standard input and values for its parameters, and prints JSON lines", async () => {
    const statement = "SELECT title FROM feed.contents WHERE title = {title:String}";
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([statement]) as never);
    const { stdout } = await sql("--json", "--param", `title=${ARTICLE.title}`);
    vi.restoreAllMocks();
    expect(JSON.parse(stdout)).toEqual({ title: ARTICLE.title });
  });

  it("prints any other format that the engine has", async () => {
    const { stdout } = await sql("--format", "CSVWithNames", "SELECT 1 AS one, 'x' AS two");
    expect(stdout).toBe('"one","two"\n1,"x"\n');
  });

  it("ends with 2 and one line for what it does not run, and for what is wrong with it", async () => {
    const refused = await sql("DROP TABLE contents");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/^feedctl: only SELECT is answered here[^\n]*\n$/);
    expect((await sql("SELECT * FROM nowhere")).stderr).toMatch(/^feedctl: Unknown table[^\n]*\n$/);
    expect((await sql(" ")).stderr).toBe("feedctl: there is no statement to run\n");
    expect((await sql("--param", "x", "SELECT 1")).code).toBe(2);
  });
});
