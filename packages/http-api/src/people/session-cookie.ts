import type { ApiContext } from "../api-context.ts";
import { addCookie, cookieOf } from "./cookies.ts";

/** Of an https installation: no other site, subdomain or plain-http page can set it (RFC 6265bis, 4.1.3). */
const SECURE_NAME = "__Host-cf_session";
const PLAIN_NAME = "cf_session";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session token of a request; undefined where there is none, or nothing that could be one. */
export function sessionTokenOf(ctx: ApiContext, isSecure: boolean): string | undefined {
  return cookieOf(ctx, isSecure ? SECURE_NAME : PLAIN_NAME, TOKEN);
}

/** Scripts can't read it, and other sites can't have it sent. An empty token with `maxAgeMs` 0 takes it away. */
export function setSessionCookie(
  ctx: ApiContext,
  token: string,
  { maxAgeMs, isSecure }: { readonly maxAgeMs: number; readonly isSecure: boolean },
): void {
  const name = isSecure ? SECURE_NAME : PLAIN_NAME;
  addCookie(ctx, name, token, { path: "/", maxAgeMs, sameSite: "Strict", isSecure });
}
