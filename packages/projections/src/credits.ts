import type { CreditFact } from "@feed/domain/facts";
import type { CapChange } from "./changes.ts";

/** The cap a tenant has from this fact on (spec 8, Credits); null lifts it. */
export function projectCreditFact(fact: CreditFact, offset: number): CapChange {
  return { kind: "put-cap", tenantId: fact.tenantId, capTenths: fact.capTenths, offset };
}
