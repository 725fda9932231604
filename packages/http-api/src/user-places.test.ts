import { randomBytes } from "node:crypto";
import { asId } from "@feed/domain/ids";
import type { TenantId, UserId } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { ReadStateUnavailable } from "@feed/read-state/port";
import type { ReadState } from "@feed/read-state/port";
import { systemClock } from "@feed/runtime";
import { openKeyring, userPartition } from "@feed/signing";
import { temporaryDirectory } from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserPlaces } from "./user-places.ts";

const keyring = openKeyring({ root: randomBytes(32), clock: systemClock });
const { pseudonyms } = keyring;
const tenant = asId<TenantId>("tenant");
const opened = new AsyncDisposableStack();
let readState: ReadState;

beforeAll(async () => {
  const { path } = opened.use(await temporaryDirectory());
  readState = opened.use(await openEmbeddedReadState({ directory: path }));
});
afterAll(() => opened.disposeAsync());

async function deleteUser(userId: UserId, generation: number): Promise<void> {
  const userRef = pseudonyms.userRef(tenant, userId);
  const key = { tenantId: tenant, subjectId: pseudonyms.subjectOfUser(tenant, userId, generation) };
  const nextGeneration = generation + 1;
  const change = { kind: "forget-user", key, userRef, nextGeneration, offset: 1 } as const;
  await readState.apply("users", [change], new Map());
}

const placeOf = async (places: UserPlaces, userId: UserId, tenantId = tenant) =>
  (await places.of(tenantId, [userId])).get(userId);

describe("Where the events of a user go", () => {
  it("is its own place in each generation, whatever was remembered of the one before", async () => {
    const places = new UserPlaces({ readState, keyring });
    const userId = asId<UserId>("returning");
    const partition = userPartition(pseudonyms.userRef(tenant, userId), USER_PARTITIONS);
    for (const generation of [0, 1, 2]) {
      const subjectId = pseudonyms.subjectOfUser(tenant, userId, generation);
      for (const _ of ["first", "remembered"])
        expect(await placeOf(places, userId)).toMatchObject({ partition, subjectId });
      await deleteUser(userId, generation);
    }
  });

  it("is that of the last generation known here, while the read state is away", async () => {
    let isAway = false;
    const generations: ReadState["generations"] = (...asked) =>
      isAway ? Promise.reject(new ReadStateUnavailable("away")) : readState.generations(...asked);
    const places = new UserPlaces({ readState: withMethods(readState, { generations }), keyring });
    const [known, unknown] = [asId<UserId>("known"), asId<UserId>("unknown")];
    await deleteUser(known, 0);
    await placeOf(places, known);
    isAway = true;
    const found = await places.of(tenant, [unknown, known, unknown]);
    expect(found.get(known)?.subjectId).toBe(pseudonyms.subjectOfUser(tenant, known, 1));
    expect(found.get(unknown)?.subjectId).toBe(pseudonyms.subjectOfUser(tenant, unknown, 0));
  });

  it("is never another user's, however tenants and users are spelled", async () => {
    const places = new UserPlaces({ readState, keyring });
    const names = [
      ["a", "1b"],
      ["a1", "b"],
      ["1", "1:ab"],
      ["", "a1b"],
    ] as const;
    for (const [tenantName, userName] of names) {
      const tenantId = asId<TenantId>(tenantName);
      const userId = asId<UserId>(userName);
      const subjectId = pseudonyms.subjectOfUser(tenantId, userId, 0);
      expect(await placeOf(places, userId, tenantId)).toMatchObject({ subjectId });
    }
  });
});
