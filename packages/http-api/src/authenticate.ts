import { createHash, timingSafeEqual } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { testSpaceOf } from "@feed/domain/tenant";
import type { ApiKey, ApiScope, Tenant } from "@feed/domain/tenant";
import { sha256OfApiKey } from "@feed/tenant-directory";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { ApiContext, Caller } from "./api-context.ts";
import { Problem } from "./problem.ts";

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;
/** Longer keys are not looked up. */
const KEY_CHARS_MAX = 512;

/** The admin token does everything and names nobody. */
const ADMIN_TOKEN_CALLER: Caller = {
  kind: "admin",
  actor: "admin-api",
  role: "operator",
  tenantId: null,
  session: null,
};

export type Identify = (authorization: string, path: string, nowMs: number) => Caller;

/** Tells the caller by the Authorization header alone (spec 5): a key in the query means nothing. */
export function createIdentify(directory: TenantDirectory, adminToken: string): Identify {
  const adminSha256 = sha256(adminToken);
  return (authorization, path, nowMs) => {
    const presented = BEARER.exec(authorization)?.[1];
    if (presented === undefined || presented.length > KEY_CHARS_MAX) return { kind: "anonymous" };
    if (path.startsWith("/admin/")) {
      const isAdmin = timingSafeEqual(sha256(presented), adminSha256);
      return isAdmin ? ADMIN_TOKEN_CALLER : { kind: "anonymous" };
    }
    const key = directory.apiKey(sha256OfApiKey(presented));
    if (key === undefined || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs))
      return { kind: "anonymous" };
    const tenant = directory.tenant(spaceOf(key));
    return tenant === undefined ? { kind: "anonymous" } : { kind: "tenant", tenant, key };
  };
}

/** Whom a key's calls concern: a test key has users, events and jobs of its own. */
function spaceOf({ kind, tenantId }: ApiKey): TenantId {
  return kind === "test" ? testSpaceOf(tenantId) : tenantId;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/**
 * The tenant that asks.
 *
 * @param scope what the key must cover; null: any key will do.
 * @throws Problem 401, 403.
 */
export function requireTenant(ctx: ApiContext, scope: ApiScope | null): Tenant {
  const { caller } = ctx.state;
  if (caller.kind !== "tenant") throw unauthorized();
  if (caller.tenant.status === "suspended") {
    throw new Problem("forbidden", "The tenant is suspended.");
  }
  if (scope !== null && !caller.key.scopes.includes(scope)) {
    throw new Problem("forbidden", `The key lacks the scope "${scope}".`);
  }
  return caller.tenant;
}

/** The same for every cause, so that nobody learns which keys exist. */
export function unauthorized(): Problem {
  return new Problem("unauthorized", "There is no valid key in the Authorization header.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}
