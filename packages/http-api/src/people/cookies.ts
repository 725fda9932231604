import type { ApiContext } from "../api-context.ts";

interface CookieOptions {
  readonly path: string;
  /** 0 takes the cookie away. */
  readonly maxAgeMs: number;
  /** `Lax`: sent along when another site leads here. */
  readonly sameSite: "Strict" | "Lax";
  readonly isSecure: boolean;
}

/** A cookie of the request; undefined where there is none of this form. */
export function cookieOf(ctx: ApiContext, wanted: string, form: RegExp): string | undefined {
  for (const pair of ctx.get("cookie").split(";")) {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    if (name === wanted && form.test(value)) return value;
  }
  return undefined;
}

/** Adds a cookie that scripts can't read. */
export function addCookie(
  ctx: ApiContext,
  name: string,
  value: string,
  { path, maxAgeMs, sameSite, isSecure }: CookieOptions,
): void {
  const lasts = `Max-Age=${Math.floor(maxAgeMs / 1_000)}`;
  const parts = [`${name}=${value}`, `Path=${path}`, lasts, "HttpOnly", `SameSite=${sameSite}`];
  ctx.append("Set-Cookie", [...parts, ...(isSecure ? ["Secure"] : [])].join("; "));
}
