import { billingMonth } from "@feed/domain/credits";
import type { CreditFact, CreditReservationStep } from "@feed/domain/facts";
import type { CapChange, ReservationChange } from "./changes.ts";

/** The cap a tenant has from this fact on (spec 8, Credits; null lifts it), or one step of a reservation. */
export function projectCreditFact(fact: CreditFact, offset: number): CapChange | ReservationChange {
  if (fact.type === "usage-cap.set") {
    return { kind: "put-cap", tenantId: fact.tenantId, capTenths: fact.capTenths, offset };
  }
  const { tenantId, reservationId, step, tenths, postedAtMs } = fact;
  const month = billingMonth(postedAtMs);
  return { kind: "put-reservation-step", tenantId, reservationId, month, step, tenths, offset };
}

/** Where a reservation stands, and what it holds (granted) or has charged (settled). */
export interface Reservation {
  readonly step: CreditReservationStep["step"];
  readonly tenths: number;
}

/** From which steps each step follows; anything else is a repeat or too late, and changes nothing. */
const FOLLOWS: Readonly<
  Record<CreditReservationStep["step"], readonly (CreditReservationStep["step"] | null)[]>
> = {
  asked: [null],
  granted: ["asked"],
  refused: ["asked"],
  settled: ["granted"],
  released: ["asked", "granted"],
};

/** The reservation after one more step; undefined: the step changes nothing. */
export function reservationAfter(
  stored: Reservation | undefined,
  { step, tenths }: Reservation,
): Reservation | undefined {
  return FOLLOWS[step].includes(stored?.step ?? null) ? { step, tenths } : undefined;
}
