import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ActivityStore } from "@feed/activity-store";
import type { UserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { UserRef } from "@feed/domain/ids";
import type { LogPosition } from "@feed/domain/topics";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { buildBehaviourRecorded as event, temporaryDirectory, waitFor } from "@feed/test-kit";
import type { TemporaryDirectory } from "@feed/test-kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProjector } from "./projector.ts";
import { activityTargets } from "./targets/activity-store.ts";
import {
  appendUserFacts,
  clock,
  codec,
  log,
  openInstallation,
  partitionOf,
} from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { waitForProjection } from "./wait-for-projection.ts";

const SCRIPT = fileURLToPath(new URL("./testing/project-until-forgetting.ts", import.meta.url));
const TIMEOUT = { timeoutMs: 120_000 };
/** Of a process, which compiles and opens everything first. */
const CHILD_TIMEOUT_MS = 150_000;
const { tenantId, subjectId } = event();
const USER_REF = asId<UserRef>("user-ref");
const PARTITION = partitionOf({ subjectId });
/** As an API node leaves it that dies as soon as the fact is durable. */
const DELETED: UserFact = {
  type: "user.deleted",
  tenantId,
  subjectId,
  userRef: USER_REF,
  generation: 0,
  receivedAtMs: clock.nowMs(),
};

let directory: TemporaryDirectory;
let installation: Installation;

beforeEach(async () => {
  directory = await temporaryDirectory();
  installation = await openInstallation(directory.path);
});
afterEach(async () => {
  await installation[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function projectTo(
  position: LogPosition | undefined,
  readState = installation.readState,
): Promise<void> {
  if (position === undefined) throw new Error("nothing was appended");
  await using _projector = await runProjector({ ...installation, readState, codec, clock, log });
  const { signal } = new AbortController();
  const visible = waitForProjection(readState, "users", position, { ...TIMEOUT, signal });
  expect(await visible).toBe(true);
}

const usersBatch = () => installation.eventLog.read("users", PARTITION, 0, 100);

/** Personal fields of the user's facts, as they can be read now. */
async function personalFields(): Promise<readonly unknown[]> {
  const opened = await installation.personalData.openUserFacts(await usersBatch());
  return opened.flatMap((record) =>
    "fact" in record && "personal" in record.fact ? [record.fact.personal] : [],
  );
}

async function keyRecords() {
  return (await installation.eventLog.read("user-keys", PARTITION, 0, 100)).records;
}

describe("a deletion of which only the fact is in the log (architecture rule 7)", () => {
  it("has destroyed the keys by the time it is visible", async () => {
    const positions = await appendUserFacts(installation, [event(), DELETED]);
    expect(await personalFields()).toEqual([event().personal]);
    await projectTo(positions.at(-1));
    expect(await personalFields()).toEqual([null]);
    expect((await keyRecords()).map(({ value }) => value === null)).toEqual([false, true]);
  });

  it("is finished by a rebuild where the read state has passed it", async () => {
    const positions = await appendUserFacts(installation, [event(), DELETED]);
    await installation.readState.apply("users", [], new Map([[PARTITION, 2]]));
    await projectTo(positions.at(-1));
    expect(await personalFields()).toEqual([event().personal]);
    await using fresh = await openEmbeddedReadState({ directory: join(directory.path, "fresh") });
    await projectTo(positions.at(-1), fresh);
    expect(await personalFields()).toEqual([null]);
    expect(await fresh.users([{ tenantId, subjectId }])).toMatchObject([{ kind: "forgotten" }]);
  });

  it("appends nothing to user-keys when the projection is rebuilt after it", async () => {
    const positions = await appendUserFacts(installation, [event(), DELETED]);
    await projectTo(positions.at(-1));
    const records = await keyRecords();
    await using fresh = await openEmbeddedReadState({ directory: join(directory.path, "fresh") });
    await projectTo(positions.at(-1), fresh);
    expect(await keyRecords()).toEqual(records);
  });

  it.each(["before", "after"])(
    "is finished by the next projector when one is killed -9 %s it destroys the keys",

    async (moment) => {
      const positions = await appendUserFacts(installation, [event(), DELETED]);
      const child = spawn(process.execPath, [SCRIPT, directory.path, moment], {
        stdio: ["ignore", "ignore", "inherit"],
        timeout: CHILD_TIMEOUT_MS,
      });
      expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
      expect(await installation.readState.generations(tenantId, [USER_REF])).toEqual([0]);
      await projectTo(positions.at(-1));
      expect(await personalFields()).toEqual([null]);
      expect(await installation.readState.generations(tenantId, [USER_REF])).toEqual([1]);
      expect((await keyRecords()).at(-1)?.value).toBeNull();
    },
  );

  it("lets the activity store name nobody by what comes after it", async () => {
    const store: Partial<ActivityStore> = {};
    const { users } = activityTargets(store as ActivityStore, { codec, ...installation });
    await appendUserFacts(installation, [DELETED, event()]);
    const { records, ...batch } = await usersBatch();
    const named: unknown[] = [];
    for (const record of records) {
      const decoded = await users.decode({ ...batch, records: [record] });
      const facts = decoded.flatMap((each) => ("fact" in each ? [each] : []));
      const { changes } = await users.fold(facts);
      named.push(...changes.flatMap(({ identities }) => identities));
    }
    expect(records).toHaveLength(2);
    expect(named).toEqual([]);
  });
});

describe("a fact that comes for a generation long over", () => {
  it("loses the key it was sealed under where nothing told that the subject is forgotten", async () => {
    const positions = await appendUserFacts(installation, [event(), DELETED]);
    await projectTo(positions.at(-1));
    await loseKeyTableAndTombstones();
    const [late] = await appendUserFacts(installation, [event({ eventId: "late" })]);
    expect(await personalFields()).toEqual([null, event().personal]);
    await projectTo(late);
    expect(await personalFields()).toEqual([null, null]);
    expect(await installation.readState.readMarks({ tenantId, subjectId })).toEqual(new Set());
  });
});

/** What is left once compaction has come by and the key table is folded anew. */
async function loseKeyTableAndTombstones(): Promise<void> {
  const path = join(directory.path, "log");
  await using compacting = await openEmbeddedEventLog({ directory: path, compactionLagMs: 0 });
  await waitFor(async () => {
    await compacting.compact();
    return (await keyRecords()).length === 0;
  });
  await installation[Symbol.asyncDispose]();
  await rm(join(directory.path, "keys"), { recursive: true });
  installation = await openInstallation(directory.path);
}
