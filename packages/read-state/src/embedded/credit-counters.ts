import type { TenantId } from "@feed/domain/ids";
import type { CreditStanding, CreditTaking } from "../port.ts";
import type { ModelTables } from "./tables.ts";

/** Usage of feeds and contents, which this process takes, and of push jobs, which is only projected. */
interface Usage {
  readonly takenTenths: number;
  readonly pushTenths: number;
  readonly reservedTenths: number;
  readonly capTenths: number | null;
}

/** The current month and the one before, for answers that end just after midnight. */
const MONTHS_PER_TENANT_MAX = 2;

/**
 * What each tenant has used, to the last answer: projected usage and what this process took since.
 *
 * Let B be what earlier processes had charged, T what this one took and did not return; B + T is the truth. What
 * is projected, P, never exceeds it, because credits are taken before their delivery is appended. So
 *
 *     counter = max(counter, P) when it is looked at, then plus what is taken
 *
 * never exceeds B + T either: nothing is counted twice. It equals B + T from the first moment at which nothing of
 * the tenant is on its way through the projector; until then it is short by no more than what is on its way. After
 * a restart, a killed process's takings count exactly as far as their deliveries were appended.
 */
export class CreditCounters {
  readonly #tables: ModelTables;
  readonly #byTenant = new Map<TenantId, Map<string, number>>();

  constructor(tables: ModelTables) {
    this.#tables = tables;
  }

  take(tenantId: TenantId, month: string, tenths: number): CreditTaking {
    const { takenTenths, pushTenths, reservedTenths, capTenths } = this.#usage(tenantId, month);
    const usedTenths = takenTenths + pushTenths;
    if (capTenths !== null && usedTenths + reservedTenths >= capTenths) {
      return { kind: "cap-reached", capTenths };
    }
    this.#set(tenantId, month, takenTenths + tenths);
    return { kind: "granted", usedTenths: usedTenths + tenths };
  }

  giveBack(tenantId: TenantId, month: string, tenths: number): void {
    const { takenTenths } = this.#usage(tenantId, month);
    this.#set(tenantId, month, Math.max(0, takenTenths - tenths));
  }

  standing(tenantId: TenantId, month: string): CreditStanding {
    const { takenTenths, pushTenths, reservedTenths, capTenths } = this.#usage(tenantId, month);
    return { usedTenths: takenTenths + pushTenths, reservedTenths, capTenths };
  }

  #usage(tenantId: TenantId, month: string): Usage {
    const projectedTenths = this.#tables.usageTotals.get([tenantId, month]) ?? 0;
    const countedTenths = this.#byTenant.get(tenantId)?.get(month) ?? 0;
    const [reservedTenths, pushTenths] = this.#tables.reservationTotals.get([tenantId, month]) ?? [
      0, 0,
    ];
    const capTenths = this.#tables.caps.get(tenantId)?.[0] ?? null;
    const takenTenths = Math.max(projectedTenths, countedTenths);
    return { takenTenths, pushTenths, reservedTenths, capTenths };
  }

  #set(tenantId: TenantId, month: string, tenths: number): void {
    const months = this.#byTenant.get(tenantId) ?? new Map<string, number>();
    months.set(month, tenths);
    if (months.size > MONTHS_PER_TENANT_MAX) months.delete([...months.keys()].sort()[0] ?? "");
    this.#byTenant.set(tenantId, months);
  }
}
