import type { ApiContext } from "../api-context.ts";
import { addCookie, cookieOf } from "./cookies.ts";

/** Where a sign-in through a provider begins, and below which it ends. */
export const OPENID_PATH = "/admin/v1/session/openid";

/** `__Host-` would need the path `/`. */
const SECURE_NAME = "__Secure-cf_openid";
const PLAIN_NAME = "cf_openid";
const SEALED = /^[A-Za-z0-9_-]{40,1024}$/;

/** What a browser holds of the sign-in it has begun; undefined where it has begun none. */
export function openIdCookieOf(ctx: ApiContext, isSecure: boolean): string | undefined {
  return cookieOf(ctx, isSecure ? SECURE_NAME : PLAIN_NAME, SEALED);
}

/** Sent to these paths alone, and when the provider leads the browser back. Empty with `maxAgeMs` 0 takes it away. */
export function addOpenIdCookie(
  ctx: ApiContext,
  sealed: string,
  { maxAgeMs, isSecure }: { readonly maxAgeMs: number; readonly isSecure: boolean },
): void {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  addCookie(ctx, name, sealed, { path: OPENID_PATH, maxAgeMs, sameSite: "Lax", isSecure });
}
