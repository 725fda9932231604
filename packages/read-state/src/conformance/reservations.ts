import { expect } from "vitest";
import type { ReadState, ReadStateChange, Reservation } from "../port.ts";
import { MONTH, NO_POSITIONS, OTHER_TENANT, putCap, TENANT } from "./harness.ts";
import type { Check } from "./harness.ts";

function step(
  offset: number,
  name: Reservation["step"],
  tenths: number,
  reservationId = "job-1",
): ReadStateChange {
  const base = { kind: "put-reservation-step", tenantId: TENANT, month: MONTH } as const;
  return { ...base, reservationId, step: name, tenths, offset };
}

const apply = (state: ReadState, ...changes: readonly ReadStateChange[]) =>
  state.apply("credits", changes, NO_POSITIONS);

async function standingOf(state: ReadState): Promise<readonly number[]> {
  const { usedTenths, reservedTenths } = await state.creditStanding(TENANT, MONTH);
  return [usedTenths, reservedTenths];
}

export const reservationChecks: readonly Check[] = [
  {
    name: "holds what is granted until it is settled, and then counts what is charged",
    run: async ({ state }) => {
      await apply(state, step(0, "asked", 50));
      expect(await standingOf(state)).toEqual([0, 0]);
      await apply(state, step(1, "granted", 50));
      expect(await standingOf(state)).toEqual([0, 50]);
      await apply(state, step(2, "settled", 35));
      expect(await standingOf(state)).toEqual([35, 0]);
      expect(await state.reservation(TENANT, "job-1")).toEqual({ step: "settled", tenths: 35 });
      expect(await state.reservation(OTHER_TENANT, "job-1")).toBeUndefined();
    },
  },
  {
    name: "counts every step of a reservation once, and none that comes too late",
    run: async ({ state }) => {
      const steps = [step(0, "asked", 50), step(1, "granted", 50), step(2, "settled", 35)];
      await apply(state, ...steps);
      await apply(state, ...steps, step(3, "released", 50), step(4, "settled", 40));
      expect(await standingOf(state)).toEqual([35, 0]);
    },
  },
  {
    name: "lets go of what is released or refused",
    run: async ({ state }) => {
      await apply(state, step(0, "asked", 50), step(1, "granted", 50), step(2, "released", 50));
      await apply(state, step(3, "asked", 9, "job-2"), step(4, "refused", 9, "job-2"));
      expect(await standingOf(state)).toEqual([0, 0]);
    },
  },
  {
    name: "takes what is reserved for used under a cap",
    run: async ({ state }) => {
      await apply(state, putCap(0, 60), step(1, "asked", 55), step(2, "granted", 55));
      expect((await state.takeCredits(TENANT, MONTH, 10)).kind).toBe("granted");
      expect((await state.takeCredits(TENANT, MONTH, 10)).kind).toBe("cap-reached");
      await apply(state, step(3, "settled", 5));
      expect(await state.takeCredits(TENANT, MONTH, 10)).toEqual({
        kind: "granted",
        usedTenths: 25,
      });
    },
  },
];
