import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { mayDo, type Permission } from "@feed/domain/people";
import type { Tenant } from "@feed/domain/tenant";
import type { AdminCaller, ApiContext, Caller } from "./api-context.ts";
import { unauthorized } from "./authenticate.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { Stamp } from "./people/people-desk.ts";
import { sessionTokenOf } from "./people/session-cookie.ts";
import { csrfTokenOf, type SignIn } from "./people/sign-in.ts";
import { notFound, Problem } from "./problem.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Tells the caller of `/admin/v1` by the session cookie. Errors: LogUnavailable. */
export function createIdentifySession(signIn: SignIn, isSecure: () => boolean) {
  return async (ctx: ApiContext): Promise<Caller> => {
    const token = sessionTokenOf(ctx, isSecure());
    if (token === undefined) return { kind: "anonymous" };
    const found = await signIn.find(token, ctx.state.receivedAtMs);
    if (found === undefined) return { kind: "anonymous" };
    const { personId, role, tenantId } = found.entry.person;
    const { expiresAtMs } = found.session;
    const hasCsrfToken = ctx.get("x-csrf-token") === csrfTokenOf(token);
    const session = { token, personId, expiresAtMs, hasCsrfToken };
    return { kind: "admin", actor: personId, role, tenantId, session };
  };
}

/**
 * Somebody who has signed in, or holds the admin token.
 *
 * @throws Problem 401; 403 for a change by a session without its X-CSRF-Token.
 */
export function requireSignedIn(ctx: ApiContext): AdminCaller {
  const { caller } = ctx.state;
  if (caller.kind !== "admin") throw unauthorized();
  if (caller.session?.hasCsrfToken === false && !SAFE_METHODS.has(ctx.method)) {
    throw new Problem("forbidden", "The X-CSRF-Token header is not this session's.");
  }
  return caller;
}

/**
 * Somebody who may do this to the installation.
 *
 * @throws Problem 401, 403.
 */
export function requireOperator(ctx: ApiContext): AdminCaller {
  const caller = requireSignedIn(ctx);
  if (mayDo(caller, "installation", null) !== "yes") throw forbidden("installation");
  return caller;
}

/**
 * The tenant, for somebody who may do this to it. To people of another tenant it does not exist.
 *
 * @throws Problem 401, 403, 404.
 */
export function requireTenantAccess(
  ctx: ApiContext,
  { directory }: Pick<HttpApiDependencies, "directory">,
  permission: Permission,
  tenant_id: string,
): Tenant {
  const tenantId = asId<TenantId>(tenant_id);
  requireAccess(ctx, permission, tenantId);
  const tenant = directory.tenant(tenantId);
  if (tenant === undefined) throw notFound("tenant");
  return tenant;
}

/** The same for a tenant that need not be there. @throws Problem 401, 403, 404. */
export function requireAccess(
  ctx: ApiContext,
  permission: Permission,
  tenantId: TenantId,
): AdminCaller {
  const caller = requireSignedIn(ctx);
  const answer = mayDo(caller, permission, tenantId);
  if (answer === "unknown") throw notFound("tenant");
  if (answer === "no") throw forbidden(permission);
  return caller;
}

/** Who changes something in this request, and when. */
export function stampOf(ctx: ApiContext): Stamp {
  const { caller, receivedAtMs } = ctx.state;
  return { actor: caller.kind === "admin" ? caller.actor : "", atMs: receivedAtMs };
}

export function forbidden(permission: Permission): Problem {
  return new Problem("forbidden", `This needs the permission "${permission}".`);
}
