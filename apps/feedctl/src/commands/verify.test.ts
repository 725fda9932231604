import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import { openActivityStore, openCore, openReadState, startActivityEngine } from "@feed/engines";
import type { Core } from "@feed/engines";
import { runProjector } from "@feed/projector";
import { createLogger, systemClock } from "@feed/runtime";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "./run-here.fixture.ts";
import { verifyCommand } from "./verify.ts";

/** Goal: the command as an operator types it, on all engines embedded. Method: deliveries of which one is then added twice. */
const TENANT = asId<TenantId>("acme");
const DELIVERIES = 5;
const NOW_MS = Date.UTC(2026, 10, 1);

const stack = new AsyncDisposableStack();
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  const installation = { dataDirectory: path, embedder: "hashed:256" };
  await using core = await openCore(installation, systemClock);
  await appendDeliveries(core);
  await using engine = await startActivityEngine(installation, () => undefined);
  await using activityStore = await openActivityStore(engine.endpoint);
  await using readState = await openReadState(installation);
  const log = createLogger({ service: "test", level: "silent" });
  const services = { clock: systemClock, log };
  await using _projector = await runProjector({ ...core, ...services, activityStore, readState });
  for (const store of [readState, activityStore])
    await waitFor(async () => (await store.positions("deliveries")).get(1) === DELIVERIES);
});
afterAll(() => stack.disposeAsync());

async function appendDeliveries({ eventLog, codec }: Core): Promise<void> {
  const values = Array.from({ length: DELIVERIES }, (_, at) =>
    codec.encode({
      type: "content.delivered",
      tenantId: TENANT,
      requestId: `request-${at}`,
      contentId: asId<ContentId>("content"),
      creditsTenths: 1,
      servedAtMs: NOW_MS,
    }),
  );
  const place = { topic: "deliveries", partition: 1, key: "key", timestampMs: NOW_MS } as const;
  await eventLog.append(values.map((value) => ({ ...place, value })));
}

const verify = (...args: readonly string[]) =>
  runHere(verifyCommand(path), ["verify", ...args, "--data", path], { EVENT_LOG: "" });

describe("feedctl verify", () => {
  it("ends with 0 where every read model is what the log makes of it", async () => {
    const { stdout, code } = await verify();
    expect(stdout).toMatch(/^read-state\.deliveries +5 +1 +0$/m);
    expect(stdout).toMatch(/^activity-store\.deliveries +5 +1 +0$/m);
    expect(code).toBe(0);
  });

  it("ends with 1 and names what differs", async () => {
    await using readState = await openReadState({ dataDirectory: path, embedder: "hashed:256" });
    const usage = { tenantId: TENANT, month: "2026-11", partition: 1, tenths: 6 };
    const change = { kind: "put-usage", ...usage, offset: DELIVERIES } as const;
    await readState.apply("deliveries", [change], new Map());
    const { stdout, code } = await verify("read-state");
    expect(stdout).toContain("read-state.deliveries differs from the log: 1 credits used\n");
    expect(code).toBe(1);
    const { projections } = JSON.parse(
      (await verify("read-state.deliveries", "--json")).stdout,
    ) as {
      readonly projections: readonly object[];
    };
    const name = "2026-11 of acme, partition 1";
    const samples = [{ kind: "credits used", name }];
    expect(projections).toEqual([
      {
        projection: "read-state.deliveries",
        records: DELIVERIES,
        compared: 1,
        differences: 1,
        by_kind: { "credits used": 1 },
        samples,
      },
    ]);
  });

  it("ends with 2 and says what there is for a projection that can't be verified", async () => {
    const { stderr, code } = await verify("activity-store.users");
    expect(stderr).toMatch(
      /^feedctl: there is no activity-store\.users here, only content-index, /,
    );
    expect(code).toBe(2);
  });
});
