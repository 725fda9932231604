import { openCore } from "@feed/engines";
import { createLogger, systemClock } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { expect, it } from "vitest";
import { toldOf } from "./rebuild-diary.ts";

const REPORT = {
  agrees: true,
  totals: [],
  samples: 0,
  differing: [],
  comparable: true,
  differingSamples: 0,
};

it("A rebuild tells every step, however long the log takes to write what was told before", async () => {
  await using directory = await temporaryDirectory();
  const installation = { dataDirectory: directory.path, embedder: "hashed:16" };
  await using core = await openCore(installation, systemClock);
  const written = Promise.withResolvers<void>();
  const append: typeof core.eventLog.append = async (records) => {
    await written.promise;
    return core.eventLog.append(records);
  };
  const slow = { ...core, eventLog: withMethods(core.eventLog, { append }) };
  const log = createLogger({ service: "test", level: "silent" });
  await toldOf({ core: slow, readModel: "read-state", log }, async ({ begun, comparing }) => {
    begun(2);
    comparing();
    setImmediate(written.resolve);
    return { version: 2, records: 0, tookMs: 0, report: REPORT };
  });
  const { records } = await core.eventLog.read("read-models", 0, 0, 10);
  const told = records.map(({ value }) => core.codec.decode(value ?? new Uint8Array()));
  expect(told).toMatchObject([
    { version: 2, step: "building" },
    { version: 2, step: "comparing" },
    { version: 2, step: "built", report: { agrees: true } },
  ]);
});
