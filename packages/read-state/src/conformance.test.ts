import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { describe, expect, it } from "vitest";
import { readStateChecks } from "./conformance.ts";
import { NO_POSITIONS } from "./conformance/harness.ts";
import type { ReadState } from "./port.ts";
import { openInFreshDirectory } from "./testing/under-test.ts";

/**
 * The suite is worth what it finds. Method: an embedded read state is broken in one way, by wrapping its port, and
 * the check that is meant for it must fail; the same check passes on it in the same wrapping but unbroken.
 */
interface Fault {
  readonly name: string;
  readonly foundBy: string;
  readonly breakState: (state: ReadState) => Partial<ReadState>;
}

const ONE_TENANT = asId<TenantId>("the only one");

const FAULTS: readonly Fault[] = [
  {
    name: "drops a change",
    foundBy: "gives a user back as it was put, in the order asked",
    breakState: (state) => ({
      apply: (projection, changes, moved) => state.apply(projection, changes.slice(1), moved),
    }),
  },
  {
    name: "loses positions",
    foundBy: "has everything that was applied when it is opened again",
    breakState: (state) => ({
      apply: (projection, changes) => state.apply(projection, changes, NO_POSITIONS),
    }),
  },
  {
    name: "applies changes of any offset",
    foundBy: "ignores a user whose offset is not above the stored one",
    breakState: (state) => {
      let newest = 1_000;
      return {
        apply: (projection, changes, moved) => {
          const renewed = changes.map((change) =>
            "offset" in change ? { ...change, offset: (newest += 1) } : change,
          );
          return state.apply(projection, renewed, moved);
        },
      };
    },
  },
  {
    name: "moves positions before the changes",
    foundBy: "shows every change to whoever sees the positions, in other processes too",
    breakState: (state) => ({
      apply: async (projection, changes, moved) => {
        await state.apply(projection, [], moved);
        await new Promise((resolve) => setImmediate(resolve));
        await state.apply(projection, changes, NO_POSITIONS);
      },
    }),
  },
  {
    name: "shows the changes to a subject bit by bit",
    foundBy: "shows the changes to one subject together, in other processes too",
    breakState: (state) => ({
      apply: async (projection, changes, moved) => {
        for (const change of changes) {
          await state.apply(projection, [change], NO_POSITIONS);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await state.apply(projection, [], moved);
      },
    }),
  },
  {
    name: "ignores the tenant of a user",
    foundBy: "shows nothing of one tenant to another",
    breakState: (state) => ({
      apply: (projection, changes, moved) =>
        state.apply(
          projection,
          changes.map((change) =>
            "key" in change ? { ...change, key: { ...change.key, tenantId: ONE_TENANT } } : change,
          ),
          moved,
        ),
      users: (keys) => state.users(keys.map((key) => ({ ...key, tenantId: ONE_TENANT }))),
    }),
  },
  {
    name: "ignores the tenant of credits",
    foundBy: "counts usage of one tenant and month for no other",
    breakState: (state) => ({
      takeCredits: (_tenantId, month, tenths) =>
        state.takeCredits(asId<TenantId>("tenant-1"), month, tenths),
    }),
  },
  {
    name: "loses credits taken at once",
    foundBy: "loses no credit of those taken at once, and grants exactly what the cap allows",
    breakState: (state) => ({
      takeCredits: async (tenantId, month) => {
        const { usedTenths, capTenths } = await state.creditStanding(tenantId, month);
        await new Promise((resolve) => setImmediate(resolve));
        if (capTenths !== null && usedTenths >= capTenths)
          return { kind: "cap-reached", capTenths };
        return state.takeCredits(tenantId, month, 0).then(() => ({ kind: "granted", usedTenths }));
      },
    }),
  },
  {
    name: "forgets that a key is running",
    foundBy: "lets go of an unfinished key after 30 seconds",
    breakState: (state) => ({
      startIdempotent: async (...start) => {
        await state.abandonIdempotent(start[0], start[1]);
        return state.startIdempotent(...start);
      },
    }),
  },
  {
    name: "keeps snapshots for ever",
    foundBy: "gives a snapshot back until it expires, to its tenant alone",
    breakState: (state) => ({ getSnapshot: (tenantId, id) => state.getSnapshot(tenantId, id, 0) }),
  },
  {
    name: "never begins a new window",
    foundBy: "begins a new window with the next second",
    breakState: (state) => ({ countRequest: (key, limit) => state.countRequest(key, limit, 0) }),
  },
  {
    name: "answers after it was closed",
    foundBy: "rejects every method with ReadStateClosed after disposal, which may be repeated",
    breakState: () => ({ [Symbol.asyncDispose]: async () => {} }),
  },
];

function wrap(state: ReadState, changes: Partial<ReadState>): ReadState {
  return new Proxy(state, {
    get: (target, name) => {
      const member: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Undefined when the check passes, else what it rejected with. */
async function runCheck(name: string, breakState: Fault["breakState"]): Promise<unknown> {
  const check = readStateChecks.find((candidate) => candidate.name === name);
  if (check === undefined) throw new Error(`no check is called "${name}"`);
  await using subject = await openInFreshDirectory();
  const wrapped = (state: ReadState): ReadState => wrap(state, breakState(state));
  try {
    await check.run({
      state: wrapped(subject.state),
      openAnother: async () => wrapped(await subject.openAnother()),
      [Symbol.asyncDispose]: async () => {},
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the conformance suite of the read state", () => {
  it.for(FAULTS)("finds a read state that $name", async ({ foundBy, breakState }) => {
    expect(await runCheck(foundBy, breakState), "the check passed").toBeDefined();
  });

  it("finds nothing in the same checks on one that is wrapped but not broken", async () => {
    for (const name of new Set(FAULTS.map((fault) => fault.foundBy))) {
      expect(await runCheck(name, () => ({}))).toBeUndefined();
    }
  });
});
