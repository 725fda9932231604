import { describe, expect, it } from "vitest";
import type { ReadState } from "../port.ts";
import { KEY, MONTH, NO_POSITIONS, NOW_MS, putCap, putUser, TENANT } from "./harness.ts";

/** Versions of the models of one installation, and how one of them is removed. */
export interface VersionsUnderTest extends AsyncDisposable {
  open(version: number): Promise<ReadState>;
  remove(version: number): Promise<void>;
}

const CAP_TENTHS = 50;

/** What the adapters do beyond the port: versions of the models lie side by side. */
export function describeVersions(adapter: string, fresh: () => Promise<VersionsUnderTest>): void {
  describe(`Versions of the read state: ${adapter}`, () => {
    it("hold models of their own, and share what is short-lived", async () => {
      await using subject = await fresh();
      const [first, second] = [await subject.open(1), await subject.open(2)];
      await first.apply("users", [putUser(1)], new Map([[0, 2]]));
      expect(await second.users([KEY])).toEqual([undefined]);
      expect(await second.positions("users")).toEqual(new Map());
      const answer = { status: 201, body: "{}", headers: {} };
      await first.startIdempotent(TENANT, "k", "sha", NOW_MS);
      await first.finishIdempotent(TENANT, "k", answer, NOW_MS);
      expect(await second.startIdempotent(TENANT, "k", "sha", NOW_MS)).toMatchObject(answer);
    });

    it.each([1, 2])("are removed one by one: version %i", async (removed) => {
      await using subject = await fresh();
      for (const version of [1, 2]) {
        const models = await subject.open(version);
        const cap = putCap(0, CAP_TENTHS);
        await models.apply("users", [putUser(1)], new Map([[0, 2]]));
        await models.apply("credits", [cap], NO_POSITIONS);
        await models.startIdempotent(TENANT, `k${version}`, "sha", NOW_MS);
        await models[Symbol.asyncDispose]();
      }
      await subject.remove(removed);
      const [gone, other] = [await subject.open(removed), await subject.open(3 - removed)];
      expect(await gone.users([KEY])).toEqual([undefined]);
      expect(await gone.positions("users")).toEqual(new Map());
      expect(await gone.creditStanding(TENANT, MONTH)).toMatchObject({ capTenths: null });
      expect(await other.positions("users")).toEqual(new Map([[0, 2]]));
      expect(await other.creditStanding(TENANT, MONTH)).toMatchObject({ capTenths: CAP_TENTHS });
    });
  });
}
