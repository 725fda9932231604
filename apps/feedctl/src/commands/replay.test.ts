import { asId, type TenantId } from "@feed/domain/ids";
import { openCore, openReadState } from "@feed/engines";
import { runProjector } from "@feed/projector";
import { createLogger, systemClock } from "@feed/runtime";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockDataDirectory } from "../up/data-lock.ts";
import { replayCommand } from "./replay.ts";
import { runHere } from "./run-here.fixture.ts";

/** Goal: the command as an operator types it, on an installation whose service is stopped: three caps, all projected. */
const CAPS = 3;
const PARTITION = 2;

const stack = new AsyncDisposableStack();
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  const installation = { dataDirectory: path, embedder: "hashed:256" };
  await using core = await openCore(installation, systemClock);
  await using readState = await openReadState(installation);
  const values = Array.from({ length: CAPS }, (_, at) => {
    const set = { tenantId: asId<TenantId>(`tenant-${at}`), capTenths: at, actor: "me", atMs: 1 };
    return core.codec.encode({ type: "usage-cap.set", ...set });
  });
  const place = { topic: "credits", partition: PARTITION, key: "key", timestampMs: 1 } as const;
  await core.eventLog.append(values.map((value) => ({ ...place, value })));
  const log = createLogger({ service: "test", level: "silent" });
  await using _projector = await runProjector({ ...core, readState, clock: systemClock, log });
  const isDone = async () => (await readState.positions("credits")).get(PARTITION) === CAPS;
  await waitFor(isDone);
});
afterAll(() => stack.disposeAsync());

const replay = (...args: readonly string[]) =>
  runHere(replayCommand(path), ["replay", ...args, "--data", path], { EVENT_LOG: "" });

describe("feedctl replay", () => {
  it("says what a dry run would read, also while the service runs", async () => {
    using _running = lockDataDirectory(path);
    const { stdout, code } = await replay("read-state.credits", "--dry-run", "--from", "2:1");
    expect(stdout).toMatch(/^read-state\.credits +2 +1 +3 +2$/m);
    expect(stdout).toMatch(/^read-state\.credits: 2 records of 1 partition would be read again$/m);
    expect(code).toBe(0);
  });

  it("reads the log into one projection or all of a read model, as JSON too", async () => {
    const { stdout } = await replay("read-state", "--json");
    const { dry_run, replays } = JSON.parse(stdout) as { dry_run: boolean; replays: object[] };
    expect(dry_run).toBe(false);
    expect(replays).toHaveLength(5);
    const range = { partition: PARTITION, from_offset: 0, to_offset: CAPS, records: CAPS };
    const whole = { projection: "read-state.credits", records: CAPS, partitions: [range] };
    expect(replays).toContainEqual({ ...whole, refused: [] });
  });

  it("does nothing while the service runs, and says so", async () => {
    using _running = lockDataDirectory(path);
    const { stdout, stderr, code } = await replay("read-state.credits");
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toMatch(/in use by process \d+: .* stop the service first\n$/);
  });

  it.each([
    ["nothing", "there is no nothing here, only content-index, "],
    ["read-state --from 2:0", "offsets to begin at are for one projection"],
    ["read-state.credits --from 8:0", "credits has no partition 8"],
  ])("ends with 2 and one line for %s", async (args, line) => {
    const { stderr, code } = await replay(...args.split(" "));
    expect(stderr).toMatch(/^feedctl: .*\n$/);
    expect(stderr).toContain(line);
    expect(code).toBe(2);
  });

  it.each(["yesterday", "2026-11-01", "2:x", "2026-11-01T00:00:00"])(
    "refuses to begin at %s",
    async (from) => expect(await replay("read-state", "--from", from)).toMatchObject({ code: 2 }),
  );
});
