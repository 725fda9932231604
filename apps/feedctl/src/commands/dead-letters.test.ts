import { userInfo } from "node:os";
import type { SealedUserFact } from "@feed/domain/facts";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { openCore, openLog, openReadState, type Core } from "@feed/engines";
import { createFactCodec } from "@feed/event-codec";
import { runProjector } from "@feed/projector";
import { createLogger, systemClock } from "@feed/runtime";
import { userPartition } from "@feed/signing";
import { buildBehaviourRecorded, temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockDataDirectory } from "../up/data-lock.ts";
import { deadLettersCommand } from "./dead-letters.ts";
import { runHere } from "./run-here.fixture.ts";

/**
 * Goal: the commands as an operator types them, on an installation whose service is stopped. Method: letters of three
 * records: a click that a newer build can read, bytes that nobody can, and a click whose user was deleted.
 */
const AT_MS = Date.UTC(2026, 10, 1);
const STAGE = "read-state.users";
const CLICK = { id: 0, offset: 0 };
const GARBAGE = { id: 1, offset: 1 };
const DELETED = { id: 2, offset: 2 };
const fact = buildBehaviourRecorded({ kind: "session_start" });
const { tenantId, subjectId } = fact;
const partition = userPartition(subjectId, USER_PARTITIONS);
const gone = { tenantId, subjectId: buildBehaviourRecorded({}).subjectId.replace(/^.{3}/, "xyz") };

const stack = new AsyncDisposableStack();
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  await using core = await openCore({ dataDirectory: path, embedder: "hashed:256" }, systemClock);
  const values = [await sealed(core, fact.subjectId), Buffer.from("garbage")];
  values.push(await sealed(core, gone.subjectId as typeof subjectId));
  const own = { tenantId, subjectId: gone.subjectId as typeof subjectId, partition };
  await core.personalData.forgetAll([own]);
  const place = { topic: "users", partition, key: "key", timestampMs: AT_MS } as const;
  await core.eventLog.append(values.map((value) => ({ ...place, value })));
  await bury(core, values, STAGE);
});
afterAll(() => stack.disposeAsync());

/** The first records of a partition, given up one after the other. */
async function bury(
  { codec, eventLog }: Pick<Core, "codec" | "eventLog">,
  originals: readonly Uint8Array[],
  stage: string,
): Promise<void> {
  const letters = originals.map((original, sourceOffset) =>
    codec.encode({
      type: "dead-letter",
      sourceTopic: "users",
      sourcePartition: partition,
      sourceOffset,
      stage,
      reason: "schema 99 is not registered",
      original,
      atMs: AT_MS,
    }),
  );
  const place = { topic: "dead-letters", partition: 0, key: "key", timestampMs: AT_MS } as const;
  await eventLog.append(letters.map((value) => ({ ...place, value })));
}

async function sealed(core: Core, ofSubject: typeof subjectId): Promise<Uint8Array> {
  const { personal: open } = fact;
  const item = { tenantId, subjectId: ofSubject, partition, personal: open ?? {} };
  const [personal] = await core.personalData.sealAll([item]);
  return core.codec.encode({ ...fact, subjectId: ofSubject, personal } as SealedUserFact);
}

const deadLetters = (...args: readonly string[]) =>
  runHere(deadLettersCommand(path), ["dead-letters", ...args, "--data", path], { EVENT_LOG: "" });
const json = async (...args: readonly string[]) =>
  JSON.parse((await deadLetters(...args, "--json")).stdout) as Record<string, unknown>;

/** Asked for again where the projectors did not come to it in the command's time. */
async function answeredReplay(id: number) {
  for (;;) {
    const outcome = await deadLetters("replay", String(id));
    if (!outcome.stdout.includes("no projector that keeps")) return outcome;
  }
}

describe("feedctl dead-letters", () => {
  it("lists open ones with their place, who gave them up, why and when, and ends with 1", async () => {
    const { stdout, code } = await deadLetters("list");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ *0 +users \d+ 0 +read-state\.users +2026-11-01T\S+ +open +schema 99 is not/m,
    );
    const { dead_letters: listed } = await json("list");
    const place = { topic: "users", partition, stage: STAGE };
    expect(listed).toMatchObject([CLICK, GARBAGE, DELETED].map((each) => ({ ...each, ...place })));
  });

  it("shows a fact with its personal fields where their key is there, and says where it is not", async () => {
    const shown = await json("show", "0");
    const { personal } = fact;
    expect(shown).toMatchObject({ personal: "opened", fact: { kind: "session_start", personal } });
    const ofDeleted = await deadLetters("show", "2");
    expect(ofDeleted.stdout).toContain("sealed: there is no key that opens it");
    expect(ofDeleted.stdout).toMatch(/"bytes": "\d+ bytes"/);
  });

  it("shows the bytes of what can't be decoded, and why", async () => {
    const { undecoded } = await json("show", "1");
    const bytes = Buffer.from("garbage").toString("base64");
    expect(undecoded).toEqual({ reason: expect.stringMatching(/zero byte/), bytes_base64: bytes });
  });

  it("replays what can be projected, once, says what can't, and records who did it and when", async () => {
    const { stdout, code } = await deadLetters("replay", "0", "1");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^0: replayed\n1: \S+ refuses it still: .*zero byte.*\n$/);
    await using readState = await openReadState({ dataDirectory: path, embedder: "hashed:256" });
    expect(await readState.users([fact])).toMatchObject([{ state: { totalSessions: 1 } }]);
    const again = await deadLetters("replay", "0");
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was replayed before"),
    });
    const [replayed] = (await json("list", "--all"))["dead_letters"] as object[];
    const actor = `feedctl, ${userInfo().username}`;
    const settled = { outcome: "replayed", note: "", actor, at: expect.stringMatching(/^20\d\d-/) };
    expect(replayed).toMatchObject({ id: 0, settled });
  });

  it("discards with a note, and ends with 0 when none is open any more", async () => {
    expect(await deadLetters("discard", "1", "2")).toMatchObject({ code: 2 });
    const { stdout } = await deadLetters("discard", "1", "2", "--note", "a bad client");
    expect(stdout).toBe("1: discarded\n2: discarded\n");
    expect(await deadLetters("list")).toMatchObject({ code: 0, stdout: "No dead letters.\n" });
    expect((await deadLetters("show", "1")).stdout).toMatch(
      /state +discarded at .*: a bad client\n/,
    );
    expect((await deadLetters("show", "7")).stderr).toBe("feedctl: there is no dead letter 7\n");
  });

  it("settles nothing that a projection of another release gave up", async () => {
    {
      const { eventLog, registry } = await openLog({ dataDirectory: path });
      await using _log = eventLog;
      const codec = createFactCodec(registry);
      await bury({ eventLog, codec }, [Buffer.from("new")], "read-state.views");
    }
    const [{ id } = { id: -1 }] = (await json("list"))["dead_letters"] as { id: number }[];
    const { stderr, code } = await deadLetters("replay", String(id));
    expect(stderr).toBe("feedctl: this release has no read-state.views of users\n");
    expect(code).toBe(2);
  });

  it("asks the projectors where a service has the read models, and prints what they say", async () => {
    using _service = lockDataDirectory(path);
    const installation = { dataDirectory: path, embedder: "hashed:256" };
    await using core = await openCore(installation, systemClock);
    await bury(core, [Buffer.from("one"), Buffer.from("garbage")], STAGE);
    const letters = (await json("list"))["dead_letters"] as { id: number; offset: number }[];
    const { id } = letters.find(({ offset }) => offset === GARBAGE.offset)!;
    await using readState = await openReadState(installation);
    const log = createLogger({ service: "test", level: "silent" });
    await using _projector = await runProjector({ ...core, readState, clock: systemClock, log });
    // Then it is its group's member that holds the partition.
    await waitFor(async () => (await readState.positions("users")).has(partition));
    const { stdout, code } = await answeredReplay(id);
    expect(stdout).toMatch(/^\d+: read-state\.users refuses it still: .*zero byte/);
    expect(code).toBe(1);
  });
});
