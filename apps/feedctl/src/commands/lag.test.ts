import { openLog } from "@feed/engines/open-log";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lagCommand } from "./lag.ts";
import { runHere } from "./run-here.fixture.ts";

/** Goal: the command as an operator types it, on an installation whose service is stopped: one record waits. */
const stack = new AsyncDisposableStack();
const PARTITION = 7;
const AGE_MS = 90_000;
let path: string;
/** When the records were appended, to the log's clock. */
let timestampMs: number;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  const { eventLog } = await openLog({ dataDirectory: path });
  stack.use(eventLog);
  timestampMs = Date.now() - AGE_MS;
  const record = { partition: PARTITION, key: "key", value: Buffer.from("x"), timestampMs };
  await eventLog.append([{ topic: "contents", ...record }]);
  await eventLog.append([{ topic: "contents", ...record }]);
});
afterAll(() => stack.disposeAsync());

const lag = (...args: readonly string[]) =>
  runHere(lagCommand(path), ["lag", ...args], { EVENT_LOG: "" });

interface Lag {
  readonly group: string;
  readonly partition: number;
  readonly lag_seconds: number;
}

/** That of the records when the command looked, to the tenth of a second that is printed. */
function expectAge(lagSeconds: number): void {
  expect(lagSeconds).toBeGreaterThanOrEqual(AGE_MS / 1_000);
  expect(lagSeconds).toBeLessThanOrEqual((Date.now() - timestampMs) / 1_000 + 0.1);
}

describe("feedctl lag", () => {
  it("says for each group how many records wait, in which partitions, and how long", async () => {
    const { stdout, stderr, code } = await lag();
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/^projector\.content-index +contents +- +0 +2 +2 +\d+\.\d$/m);
    const [, lagSeconds] = /^ +7 +- +2 +2 +(\d+\.\d)$/m.exec(stdout) ?? [];
    expectAge(Number(lagSeconds));
    expect(stdout).toMatch(/^push\.workers +push-chunks +- +0 +0 +0 +0\.0$/m);
  });

  it("gives every partition as JSON", async () => {
    const { groups } = JSON.parse((await lag("--json")).stdout) as { groups: Lag[] };
    const place = { group: "projector.content-index", topic: "contents", partition: PARTITION };
    const offsets = { committed_offset: null, end_offset: 2, lag_records: 2 };
    const found = groups.find((one) => one.group === place.group && one.partition === PARTITION);
    expect(found).toEqual({ ...place, ...offsets, lag_seconds: expect.any(Number) });
    expectAge(found!.lag_seconds);
  });

  it("ends with 1 where a partition lags by more than was asked for", async () => {
    expect((await lag("--max-seconds", "60")).code).toBe(1);
    expect((await lag("--max-seconds", "600")).code).toBe(0);
  });

  it("ends with 2 and one line where there is no installation, and for flags it does not have", async () => {
    const elsewhere = await lag("--data", `${path}/elsewhere`);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toMatch(
      /^feedctl: there is no installation in \S+, and EVENT_LOG.*\n$/,
    );
    expect((await lag("--max-seconds", "soon")).code).toBe(2);
    expect((await lag("--max")).code).toBe(2);
  });
});
