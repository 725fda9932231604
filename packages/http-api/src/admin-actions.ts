import type { TenantId } from "@feed/domain/ids";
import { stampOf } from "./admin-access.ts";
import type { ApiContext } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";

interface Action {
  /** `usage-cap.set`, `content.taken-down`, … */
  readonly action: string;
  /** Null: it concerns the installation. */
  readonly tenantId: TenantId | null;
  readonly subject?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Says in the audit log what the caller does, where the change itself lies in another topic. Called before it is made:
 * nothing happens of which nobody knows who did it.
 */
export async function recordAction(
  ctx: ApiContext,
  { directory }: Pick<HttpApiDependencies, "directory">,
  { action, tenantId, subject = "", details = {} }: Action,
): Promise<void> {
  const recorded = { type: "action.recorded", action, tenantId, subject, details } as const;
  await directory.change([{ ...recorded, ...stampOf(ctx) }]);
}
