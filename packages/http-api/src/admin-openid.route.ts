import { isSecure, type PeopleParts } from "./admin-session.route.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { OpenIdBegunAnswer, SignInOptionsAnswer } from "./openapi.generated.ts";
import { addOpenIdCookie, OPENID_PATH, openIdCookieOf } from "./people/openid-cookie.ts";
import type { OpenIdSignIn } from "./people/openid-sign-in.ts";
import { setSessionCookie } from "./people/session-cookie.ts";
import { SignInFailed, type SignInFailure } from "./people/sign-in-failed.ts";
import { isoTime } from "./present-time.ts";
import { problemFrom } from "./problem-middleware.ts";
import { notFound } from "./problem.ts";

/** Signing in through a provider of identities: `/admin/v1/session/openid`. */
export function adminOpenIdRoutes(
  router: ApiRouter,
  parts: PeopleParts & { readonly openId: OpenIdSignIn | undefined },
): void {
  const { openId } = parts;

  router.get("/admin/v1/session/options", (ctx) => {
    const offered = openId === undefined ? null : { name: openId.name };
    const body: SignInOptionsAnswer = { data: { openid: offered } };
    ctx.body = body;
  });

  router.post(OPENID_PATH, async (ctx) => {
    const { url, sealed, expiresAtMs } = await configured(openId).begin(
      parts.addressOf(ctx.req.socket.remoteAddress, ctx.get("x-forwarded-for")),
      ctx.state.receivedAtMs,
    );
    const maxAgeMs = expiresAtMs - ctx.state.receivedAtMs;
    addOpenIdCookie(ctx, sealed, { maxAgeMs, isSecure: isSecure(parts) });
    const body: OpenIdBegunAnswer = { data: { url, expires_at: isoTime(expiresAtMs) } };
    ctx.body = body;
  });

  router.get(`${OPENID_PATH}/callback`, async (ctx) => {
    const failure = await finish(ctx, configured(openId), parts);
    // Another sign-in of this browser may be the one that is on its way.
    if (failure !== "expired") addOpenIdCookie(ctx, "", { maxAgeMs: 0, isSecure: isSecure(parts) });
    const place = failure === undefined ? "" : `#/sign-in-failed/${failure}`;
    ctx.status = 303;
    ctx.set("Location", `${parts.baseUrl()}/console/${place}`);
    // The address holds the provider's code.
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.body = "";
  });
}

/** Begins a session where the provider says whose; otherwise says why there is none. */
async function finish(
  ctx: ApiContext,
  openId: OpenIdSignIn,
  parts: PeopleParts,
): Promise<SignInFailure | undefined> {
  const secure = isSecure(parts);
  const nowMs = ctx.state.receivedAtMs;
  try {
    const sealed = openIdCookieOf(ctx, secure);
    const { token, expiresAtMs } = await openId.finish(ctx.querystring, sealed, nowMs);
    setSessionCookie(ctx, token, { maxAgeMs: expiresAtMs - nowMs, isSecure: secure });
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

/** A browser is here: what it shows next is a page, so that nothing but a fault of the service is a problem document. */
function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailed) return error.reason;
  if (problemFrom(error).slug === "unavailable") return "away";
  throw error;
}

/** @throws Problem 404. */
function configured(openId: OpenIdSignIn | undefined): OpenIdSignIn {
  if (openId === undefined) throw notFound("identity provider");
  return openId;
}
