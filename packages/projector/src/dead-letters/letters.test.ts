import type { StoredFact } from "@feed/domain/facts";
import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import { withSchemaId } from "@feed/event-codec";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runProjector } from "../projector.ts";
import { projectionTargets } from "../targets/all.ts";
import { clock, codec, log, openInstallation, recordOf } from "../testing/installation.ts";
import type { Installation } from "../testing/installation.ts";
import { olderCodec } from "../testing/older-codec.ts";
import { originalOf, readLetters, settleLetter } from "./letters.ts";
import { projectionsOf, recordOf as recordOfLetter, replayRecord } from "./replay-letter.ts";

/**
 * Goal: a record that an older build could not read takes effect once, when a newer one is told to. Method: a projector
 * whose codec does not know articles served alone; then the same with one that does. Each test has a tenant of its own.
 */
const MONTH = "2026-11";
const NEVER = new AbortController().signal;
const settlement = { outcome: "discarded", note: "a test", actor: "me", atMs: 1 } as const;

const stack = new AsyncDisposableStack();
let installation: Installation;
let tenants = 0;
let tenantId: TenantId;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  installation = stack.use(await openInstallation(path));
});
beforeEach(() => {
  tenants += 1;
  tenantId = asId<TenantId>(`tenant-${tenants}`);
});
afterAll(() => stack.disposeAsync());

/** Appends deliveries of one partition and has them projected by an older build. */
async function project(...types: ("feed" | "content")[]): Promise<void> {
  const served = { tenantId, requestId: "request", servedAtMs: Date.UTC(2026, 10, 1) };
  const facts = types.map((type) =>
    type === "feed"
      ? ({ type: "feed.delivered", ...served, scenario: "main", items: [] } as const)
      : ({ type: "content.delivered", ...served, contentId: asId<ContentId>("content") } as const),
  );
  const { eventLog, readState } = installation;
  const positions = await eventLog.append(
    facts.map((fact) => recordOf("deliveries", tenants, { ...fact, creditsTenths: 10 })),
  );
  await using _projector = await runProjector({ ...installation, codec: olderCodec, clock, log });
  const end = (positions.at(-1)?.offset ?? 0) + 1;
  await waitFor(async () => (await readState.positions("deliveries")).get(tenants) === end);
}

async function letters() {
  const all = await readLetters({ eventLog: installation.eventLog, codec });
  return all.filter(({ partition }) => partition === tenants);
}

async function replayFirst() {
  const [letter] = await letters();
  const original = await originalOf({ eventLog: installation.eventLog, codec }, letter!);
  const record = await recordOfLetter(installation.eventLog, letter!, original);
  const all = projectionTargets({ readState: installation.readState }, { ...installation, codec });
  const names: readonly string[] = projectionsOf(letter!);
  const own = all.filter(({ name }) => names.includes(name));
  return replayRecord(own, { clock, log }, record, NEVER);
}

async function usedTenths(): Promise<number | undefined> {
  return (await installation.readState.usage(tenantId, MONTH, tenants))?.tenths;
}

describe("a dead letter", () => {
  it("names its record, who gave it up and why", async () => {
    await project("feed", "content");
    const place = { topic: "deliveries", partition: tenants, offset: 1, stage: "decode" };
    const reason = "schema 23 is not registered";
    expect(await letters()).toEqual([
      { id: expect.any(Number), bytes: 37, atMs: clock.nowMs(), ...place, reason },
    ]);
  });

  it("takes effect once when it is replayed, however often that is", async () => {
    await project("feed", "content");
    expect(await usedTenths()).toBe(10);
    expect(await replayFirst()).toEqual({ outcome: "effective" });
    expect(await usedTenths()).toBe(20);
    await replayFirst();
    expect(await usedTenths()).toBe(20);
  });

  it("is told to be overtaken where later facts stand in its place", async () => {
    await project("content", "feed");
    const projection = "read-state.deliveries";
    expect(await replayFirst()).toEqual({ outcome: "overtaken", projection });
    expect(await usedTenths()).toBe(10);
  });

  it("is open until it is settled, and once it is, the next one of its record is another", async () => {
    await project("content");
    const own = { eventLog: installation.eventLog, codec };
    const again = async () => {
      const { records } = await own.eventLog.read("dead-letters", 0, (await letters())[0]!.id, 1);
      await own.eventLog.append(records);
    };
    await again();
    const [first] = await letters();
    expect(await letters()).toEqual([first]);
    await settleLetter(own, first!, settlement);
    expect(await letters()).toEqual([{ ...first, settled: settlement }]);
    await again();
    const [, second] = await letters();
    expect(second).toEqual({ ...first, id: first!.id + 3 });
  });

  it("is settled when each of its projections has said that it took it, whichever replay that was", async () => {
    await project("content");
    const own = { eventLog: installation.eventLog, codec };
    const [first] = await letters();
    const { id: letterOffset, topic, partition, offset, stage } = first!;
    const place = {
      sourceTopic: topic,
      sourcePartition: partition,
      sourceOffset: offset,
      stage,
    } as const;
    const append = async (fact: StoredFact) =>
      (await own.eventLog.append([recordOf("dead-letters", 0, fact)]))[0]?.offset ?? 0;
    const ask = (atMs: number) =>
      append({ type: "dead-letter.replay-requested", ...place, letterOffset, actor: "me", atMs });
    const answer = (requestOffset: number, projection: string) => {
      const said = {
        requestOffset,
        projection,
        outcome: "effective",
        reason: "",
        atMs: 9,
      } as const;
      return append({ type: "dead-letter.replay-answered", ...place, ...said });
    };
    const [one, another] = projectionsOf(first!);
    await answer(await ask(1), one!);
    await answer(await ask(2), one!);
    expect(await letters()).toEqual([{ ...first, takenBy: [one] }]);
    const last = await ask(3);
    await answer(last, another!);
    const settled = { outcome: "replayed", note: "", actor: "me", atMs: 3 } as const;
    expect(await letters()).toEqual([{ ...first, takenBy: [one, another], settled }]);
    // It is given up once more before who asked has said so too.
    const { records } = await own.eventLog.read("dead-letters", 0, letterOffset, 1);
    await own.eventLog.append(records);
    await settleLetter(own, first!, settled);
    expect((await letters())[1]).toMatchObject({ stage, offset });
    expect((await letters())[1]?.settled).toBeUndefined();
  });

  it("of a copied log is the record that lies there, under the schema id that holds there", async () => {
    await project("content");
    const [letter] = await letters();
    const original = await originalOf({ eventLog: installation.eventLog, codec }, letter!);
    const elsewhere = withSchemaId(original, 4_711);
    const { records } = await recordOfLetter(installation.eventLog, letter!, elsewhere);
    expect(records[0]?.value).toEqual(original);
    const other = Buffer.from("another record");
    const kept = await recordOfLetter(installation.eventLog, letter!, other);
    expect(kept.records[0]?.value).toEqual(other);
  });
});
