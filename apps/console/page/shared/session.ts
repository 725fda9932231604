import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Permission } from "../openapi.generated.ts";
import type { Answer, Api, Me } from "./api.ts";

export type TenantSummary = Answer<"adminListTenants">["data"][number];

/** Who is signed in, and what of. */
export interface Session {
  readonly api: Api;
  readonly me: Me;
  /** Those the person may see; for others than operators their own alone. */
  readonly tenants: readonly TenantSummary[];
  /** Whose screens are shown; undefined where the installation has none. */
  readonly tenant: TenantSummary | undefined;
  /** After the person's own record changed. */
  readonly renew: (me: Me) => void;
  /** Says that something was done, to eyes and to screen readers. */
  readonly announce: (text: string) => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** @throws Error outside of the shell, which is a mistake of the caller. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("there is no session outside of the shell");
  return session;
}

/** The tenant whose screen this is. @throws Error on a screen of the installation. */
export function useTenantId(): string {
  const { tenant } = useSession();
  if (tenant === undefined) throw new Error("this screen belongs to no tenant");
  return tenant.tenant_id;
}

export function useMay(permission: Permission): boolean {
  return useSession().me.permissions.includes(permission);
}
