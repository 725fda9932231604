import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Rebuild } from "@feed/domain/rebuilds";
import type { DeadLetterSeen } from "./dependencies.ts";
import type { AuditAnswer, DeadLettersAnswer, OperationsAnswer } from "./openapi.generated.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const AT_MS = Date.UTC(2026, 0, 1);
const letter = (id: number) => ({
  id,
  topic: "users",
  partition: 3,
  offset: 100 + id,
  stage: "decode",
  reason: "no such schema",
  atMs: AT_MS,
  bytes: 7,
});
const lag = (partition: number, lagRecords: number, lagMs: number) => {
  return { group: "projector.users", topic: "users", partition, endOffset: 50, lagRecords, lagMs };
};

const REFUSED = 8;
const REPLAYED = 9;
const refusal = { projection: "read-state.users", reason: "no such schema" };

let letters: readonly DeadLetterSeen[] = [
  letter(0),
  letter(4),
  { ...letter(REFUSED), refusedReplay: { outcome: "refused", ...refusal, atMs: AT_MS } },
  letter(REPLAYED),
];
const rebuild = {
  readModel: "read-state",
  version: 2,
  step: "building",
  done: 300,
  total: 1_000,
  startedAtMs: AT_MS,
  report: null,
  reason: "",
  actor: "feedctl, me",
  atMs: AT_MS + 60_000,
} as const;
let rebuilds: readonly Rebuild[] = [];

let installation: Installation;
let operator: SignedIn;
beforeAll(async () => {
  installation = await openInstallation({
    change: (deps) => ({
      ...deps,
      operations: {
        lags: () => Promise.resolve([lag(0, 2, 1_500), lag(1, 0, 0), lag(2, 3, 9_000)]),
        readModels: () => [
          { name: "read-state", live: 1, kept: [1, 2], previous: undefined, highest: 2 },
        ],
        rebuilds: () => rebuilds,
        deadLetters: () => Promise.resolve(letters),
        discard: (id, settlement) => {
          const settled = { outcome: "discarded", ...settlement } as const;
          letters = letters.map((each) => (each.id === id ? { ...each, settled } : each));
          return Promise.resolve();
        },
        replay: (id, { actor, atMs }) => {
          if (id === REFUSED) return Promise.resolve({ outcome: "refused", ...refusal });
          const settled = { outcome: "replayed", note: "", actor, atMs } as const;
          letters = letters.map((each) => (each.id === id ? { ...each, settled } : each));
          return Promise.resolve({ outcome: "effective" });
        },
      },
    }),
  });
  operator = await signInAs(installation, "operator");
});
afterAll(() => installation[Symbol.asyncDispose]());

describe("Operations", () => {
  it("say for each consumer what waits in all partitions, and for how long at most", async () => {
    const { data } = (await operator.call("GET", "/operations")).json as OperationsAnswer;
    expect(data.consumers).toEqual([
      {
        group: "projector.users",
        topic: "users",
        end_records: 150,
        lag_records: 5,
        lag_seconds: 9,
      },
    ]);
  });

  it("say which version of a read model is live and which are kept beside it", async () => {
    const { data } = (await operator.call("GET", "/operations")).json as OperationsAnswer;
    expect(data.read_models).toEqual([
      { name: "read-state", live_version: 1, kept_versions: [1, 2], previous_version: null },
    ]);
  });

  const shown = async () =>
    ((await operator.call("GET", "/operations")).json as OperationsAnswer).data.rebuilds;

  it("say how far a rebuild is, how fast it goes and how long it takes yet", async () => {
    const atMs = Date.now();
    rebuilds = [{ ...rebuild, atMs, startedAtMs: atMs - 60_000 }];
    expect(await shown()).toMatchObject([
      {
        state: "building",
        done_records: 300,
        records_per_second: 5,
        seconds_left: 140,
        ended_at: null,
      },
    ]);
  });

  it("have a rebuild interrupted that has not been heard of for half a minute", async () => {
    rebuilds = [{ ...rebuild, atMs: Date.now() - 30_001 }];
    const silent = { state: "interrupted", records_per_second: null, seconds_left: null };
    expect(await shown()).toMatchObject([silent]);
  });

  it("say of a rebuild that has ended what was compared and what became of it, newest first", async () => {
    const totals = [{ name: "users", live: 5, next: 4, agrees: false }];
    const compared = { samples: 9, differing: ["user a"], differingSamples: 1, comparable: true };
    const ended = {
      ...rebuild,
      step: "built",
      report: { agrees: false, totals, ...compared },
    } as const;
    const becoming = {
      liveAtMs: AT_MS + 1,
      replaced: { atMs: AT_MS + 2, by: 1 },
      droppedAtMs: AT_MS + 3,
    };
    rebuilds = [
      { ...rebuild, step: "failed", reason: "interrupted" },
      { ...ended, ...becoming },
    ];
    const [latest, failed] = await shown();
    expect(latest).toMatchObject({
      state: "built",
      ended_at: "2026-01-01T00:01:00.000Z",
      report: { agrees: false, totals, samples: 9, differing_samples: 1, differing: ["user a"] },
      live_at: "2026-01-01T00:00:00.001Z",
      replaced_at: "2026-01-01T00:00:00.002Z",
      replaced_by: 1,
      dropped_at: "2026-01-01T00:00:00.003Z",
    });
    expect(failed).toMatchObject({ state: "failed", reason: "interrupted", report: null });
  });

  it("are shown to operators alone", async () => {
    const admin = await signInAs(installation, "tenant_admin");
    expect((await admin.call("GET", "/operations")).status).toBe(403);
    expect((await admin.call("GET", "/dead-letters")).status).toBe(403);
    const discard = await admin.call("POST", "/dead-letters/0/discard", { note: "mine" });
    expect(discard.status).toBe(403);
    expect((await admin.call("POST", "/dead-letters/0/replay")).status).toBe(403);
  });
});

describe("Dead letters", () => {
  const list = async () =>
    ((await operator.call("GET", "/dead-letters")).json as DeadLettersAnswer).data;

  it("are listed newest first", async () => {
    expect((await list()).map(({ letter_id, settled }) => [letter_id, settled])).toEqual([
      [REPLAYED, null],
      [REFUSED, null],
      [4, null],
      [0, null],
    ]);
  });

  it("are discarded once, with a reason and who it was", async () => {
    const discard = (id: number, note = "Written by a test.") =>
      operator.call("POST", `/dead-letters/${id}/discard`, { note });
    expect((await discard(4, "")).status).toBe(400);
    expect((await discard(7)).status).toBe(404);
    expect((await discard(4)).status).toBe(204);
    expect((await discard(4)).status).toBe(409);
    const actor = operator.me.person_id;
    expect((await list())[2]?.settled).toMatchObject({ note: "Written by a test.", actor });
    const audit = await operator.call("GET", "/audit?kind=dead-letter.discarded");
    expect((audit.json as AuditAnswer).data).toMatchObject([{ subject: "4" }]);
  });

  it("are replayed once, and the audit log says who asked for it", async () => {
    const replay = (id: number) => operator.call("POST", `/dead-letters/${id}/replay`);
    expect((await replay(7)).status).toBe(404);
    const { status, json } = await replay(REPLAYED);
    const taken = { data: { outcome: "effective", projection: null, reason: null } };
    expect({ status, json }).toEqual({ status: 200, json: taken });
    expect((await replay(REPLAYED)).status).toBe(409);
    const actor = operator.me.person_id;
    expect((await list())[0]?.settled).toMatchObject({ outcome: "replayed", actor });
    const audit = await operator.call("GET", "/audit?kind=dead-letter.replay-requested");
    expect((audit.json as AuditAnswer).data).toMatchObject([{ subject: String(REPLAYED), actor }]);
  });

  it("that are refused again stay open, with which projection refuses them and why", async () => {
    const { json } = await operator.call("POST", `/dead-letters/${REFUSED}/replay`);
    expect(json).toEqual({ data: { outcome: "refused", ...refusal } });
    const refused_replay = { outcome: "refused", ...refusal, at: "2026-01-01T00:00:00.000Z" };
    expect((await list())[1]).toMatchObject({ settled: null, refused_replay });
  });
});
