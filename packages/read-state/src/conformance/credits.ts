import { expect } from "vitest";
import type { ReadState } from "../port.ts";
import { MONTH, NO_POSITIONS, OTHER_TENANT, putCap, putUsage, TENANT } from "./harness.ts";
import type { Check } from "./harness.ts";

async function usedTenths(state: ReadState): Promise<number> {
  return (await state.creditStanding(TENANT, MONTH)).usedTenths;
}

export const creditChecks: readonly Check[] = [
  {
    name: "keeps usage by partition, ignores stale sums, and adds the partitions up",
    run: async ({ state }) => {
      const changes = [putUsage(4, 10), putUsage(2, 30, { partition: 5 })];
      await state.apply("deliveries", changes, NO_POSITIONS);
      await state.apply("deliveries", [putUsage(4, 99), putUsage(3, 99)], NO_POSITIONS);
      expect(await state.usage(TENANT, MONTH, 0)).toEqual({ tenths: 10, offset: 4 });
      expect(await state.usage(TENANT, MONTH, 1)).toBeUndefined();
      expect(await usedTenths(state)).toBe(40);
      await state.apply("deliveries", [putUsage(5, 15)], NO_POSITIONS);
      expect(await usedTenths(state)).toBe(45);
    },
  },
  {
    name: "counts usage of one tenant and month for no other",
    run: async ({ state }) => {
      await state.apply("deliveries", [putUsage(0, 10)], NO_POSITIONS);
      await state.apply("credits", [putCap(0, 10)], NO_POSITIONS);
      const unlimited = { usedTenths: 0, reservedTenths: 0, capTenths: null };
      expect(await state.creditStanding(OTHER_TENANT, MONTH)).toEqual(unlimited);
      expect((await state.creditStanding(TENANT, "2026-12")).usedTenths).toBe(0);
      expect((await state.takeCredits(OTHER_TENANT, MONTH, 10)).kind).toBe("granted");
      expect(await usedTenths(state)).toBe(10);
      expect(await state.usage(OTHER_TENANT, MONTH, 0)).toBeUndefined();
    },
  },
  {
    name: "grants without a cap, and counts what is taken",
    run: async ({ state }) => {
      expect(await state.takeCredits(TENANT, MONTH, 10)).toEqual({
        kind: "granted",
        usedTenths: 10,
      });
      expect(await state.takeCredits(TENANT, MONTH, 1)).toEqual({
        kind: "granted",
        usedTenths: 11,
      });
      expect(await state.creditStanding(TENANT, MONTH)).toEqual({
        usedTenths: 11,
        reservedTenths: 0,
        capTenths: null,
      });
    },
  },
  {
    name: "grants until the cap is reached, the last one beyond it, then refuses",
    run: async ({ state }) => {
      await state.apply("credits", [putCap(0, 15)], NO_POSITIONS);
      expect((await state.takeCredits(TENANT, MONTH, 10)).kind).toBe("granted");
      expect(await state.takeCredits(TENANT, MONTH, 10)).toEqual({
        kind: "granted",
        usedTenths: 20,
      });
      const refused = { kind: "cap-reached", capTenths: 15 };
      expect(await state.takeCredits(TENANT, MONTH, 1)).toEqual(refused);
      expect(await usedTenths(state)).toBe(20);
      expect((await state.takeCredits(TENANT, "2026-12", 10)).kind).toBe("granted");
    },
  },
  {
    name: "follows the newest cap: raised, lifted, nothing at all",
    run: async ({ state }) => {
      await state.apply("credits", [putCap(3, 10)], NO_POSITIONS);
      await state.apply("credits", [putCap(2, 99)], NO_POSITIONS);
      await state.takeCredits(TENANT, MONTH, 10);
      expect((await state.takeCredits(TENANT, MONTH, 1)).kind).toBe("cap-reached");
      await state.apply("credits", [putCap(4, 20)], NO_POSITIONS);
      expect((await state.takeCredits(TENANT, MONTH, 1)).kind).toBe("granted");
      await state.apply("credits", [putCap(5, 0)], NO_POSITIONS);
      expect((await state.takeCredits(TENANT, MONTH, 1)).kind).toBe("cap-reached");
      await state.apply("credits", [putCap(6, null)], NO_POSITIONS);
      expect((await state.takeCredits(TENANT, MONTH, 1)).kind).toBe("granted");
    },
  },
  {
    name: "loses no credit of those taken at once, and grants exactly what the cap allows",
    run: async ({ state }) => {
      await state.apply("credits", [putCap(0, 500)], NO_POSITIONS);
      const taking = Array.from({ length: 80 }, () => state.takeCredits(TENANT, MONTH, 10));
      const granted = (await Promise.all(taking)).filter(({ kind }) => kind === "granted");
      expect(granted).toHaveLength(50);
      expect(await usedTenths(state)).toBe(500);
    },
  },
  {
    name: "gives back what was taken for an answer that was not charged",
    run: async ({ state }) => {
      await state.apply("credits", [putCap(0, 10)], NO_POSITIONS);
      await state.takeCredits(TENANT, MONTH, 10);
      await state.returnCredits(TENANT, MONTH, 10);
      expect(await usedTenths(state)).toBe(0);
      expect((await state.takeCredits(TENANT, MONTH, 10)).kind).toBe("granted");
    },
  },
  {
    name: "counts a credit once, taken and then projected",
    run: async ({ state }) => {
      await state.apply("deliveries", [putUsage(0, 100)], NO_POSITIONS);
      await state.takeCredits(TENANT, MONTH, 10);
      expect(await usedTenths(state)).toBe(110);
      await state.apply("deliveries", [putUsage(1, 110)], NO_POSITIONS);
      expect(await usedTenths(state)).toBe(110);
      await state.takeCredits(TENANT, MONTH, 10);
      expect(await usedTenths(state)).toBe(120);
    },
  },
  {
    name: "catches up with deliveries that were on their way when it was opened",
    run: async ({ state }) => {
      await state.apply("deliveries", [putUsage(0, 100)], NO_POSITIONS);
      await state.takeCredits(TENANT, MONTH, 10);
      // 40 of an earlier process, and the 10 taken here.
      await state.apply("deliveries", [putUsage(1, 140), putUsage(2, 150)], NO_POSITIONS);
      expect(await usedTenths(state)).toBe(150);
    },
  },
  {
    name: "stands after a restart at what was delivered",
    run: async ({ state, openAnother }) => {
      await state.takeCredits(TENANT, MONTH, 10);
      await state.takeCredits(TENANT, MONTH, 10);
      await state.apply("deliveries", [putUsage(0, 20)], NO_POSITIONS);
      await state[Symbol.asyncDispose]();
      const reopened = await openAnother();
      expect(await usedTenths(reopened)).toBe(20);
      expect(await reopened.takeCredits(TENANT, MONTH, 10)).toMatchObject({ usedTenths: 30 });
    },
  },
];
