import { permissionsOf } from "@feed/domain/people";
import { requireSignedIn, stampOf } from "./admin-access.ts";
import { checkNewPassword } from "./admin-checks.ts";
import type { AdminCaller, ApiContext, ApiRouter } from "./api-context.ts";
import type { ClientAddress } from "./client-address.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { MeAnswer } from "./openapi.generated.ts";
import type { PeopleDesk } from "./people/people-desk.ts";
import { setSessionCookie } from "./people/session-cookie.ts";
import { csrfTokenOf, type OpenedSession, type SignIn } from "./people/sign-in.ts";
import { isoTime } from "./present-time.ts";
import { Problem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

export interface PeopleParts {
  readonly people: PeopleDesk;
  readonly signIn: SignIn;
  readonly addressOf: ClientAddress;
  /** Where callers reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
}

/** Signing in and out, and what one may do: `/admin/v1/session` and `/admin/v1/me`. */
export function adminSessionRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  parts: PeopleParts,
): void {
  const { signIn } = parts;
  const addressOf = (ctx: ApiContext) =>
    parts.addressOf(ctx.req.socket.remoteAddress, ctx.get("x-forwarded-for"));

  router.post("/admin/v1/session", async (ctx) => {
    const given = await reader.body("adminSignIn", ctx);
    const nowMs = ctx.state.receivedAtMs;
    signedIn(ctx, await signIn.byPassword(given, addressOf(ctx), nowMs), deps, parts);
  });

  router.post("/admin/v1/session/link", async (ctx) => {
    const { token } = await reader.body("adminSignInByLink", ctx);
    const nowMs = ctx.state.receivedAtMs;
    signedIn(ctx, await signIn.byLink(token, addressOf(ctx), nowMs), deps, parts);
  });

  router.delete("/admin/v1/session", async (ctx) => {
    const { session } = requireSignedIn(ctx);
    if (session !== null) {
      await signIn.end(session.token, session.personId, ctx.state.receivedAtMs);
      setSessionCookie(ctx, "", { maxAgeMs: 0, isSecure: isSecure(parts) });
    }
    ctx.status = 204;
  });

  router.get("/admin/v1/me", (ctx) => {
    ctx.body = meAnswer(requireSignedIn(ctx), deps, parts);
  });

  router.put("/admin/v1/me/password", async (ctx) => {
    const { session } = requireSignedIn(ctx);
    const written = await reader.body("adminSetPassword", ctx);
    const entry = session === null ? undefined : deps.directory.person(session.personId);
    if (entry === undefined) {
      throw new Problem("forbidden", "The admin token names nobody who could have a password.");
    }
    const { person, password } = entry;
    const nowMs = ctx.state.receivedAtMs;
    checkNewPassword(written.new_password, parts.people.profile(person));
    if (password !== null) await signIn.confirm(entry, written.current_password ?? "", nowMs);
    await parts.people.setPassword(person.personId, written.new_password, stampOf(ctx));
    signedIn(ctx, await signIn.open(person, nowMs), deps, parts);
  });
}

function signedIn(
  ctx: ApiContext,
  { token, person, expiresAtMs }: OpenedSession,
  deps: HttpApiDependencies,
  parts: PeopleParts,
): void {
  const maxAgeMs = expiresAtMs - ctx.state.receivedAtMs;
  setSessionCookie(ctx, token, { maxAgeMs, isSecure: isSecure(parts) });
  const { personId, role, tenantId } = person;
  const session = { token, personId, expiresAtMs, hasCsrfToken: true };
  ctx.body = meAnswer({ kind: "admin", actor: personId, role, tenantId, session }, deps, parts);
}

export function isSecure({ baseUrl }: Pick<PeopleParts, "baseUrl">): boolean {
  return baseUrl().startsWith("https:");
}

function meAnswer(
  { role, tenantId, session }: AdminCaller,
  { directory }: HttpApiDependencies,
  { people }: PeopleParts,
): MeAnswer {
  const entry = session === null ? undefined : directory.person(session.personId);
  const profile = entry === undefined ? undefined : people.profile(entry.person);
  return {
    data: {
      person_id: entry?.person.personId ?? null,
      email: profile?.email ?? null,
      name: profile?.name ?? null,
      role,
      tenant_id: tenantId,
      permissions: [...permissionsOf(role)],
      has_password: (entry?.password ?? null) !== null,
      csrf_token: session === null ? null : csrfTokenOf(session.token),
      session_expires_at: session === null ? null : isoTime(session.expiresAtMs),
    },
  };
}
