import type { Role } from "@feed/domain/people";
import type { MeAnswer, PersonAnswer, SignInLinkAnswer } from "../openapi.generated.ts";
import { call, type Answer } from "./client.ts";
import { ADMIN_TOKEN, type Installation } from "./installation.ts";

/** Somebody with a session, as a page in a browser has it. */
export interface SignedIn {
  readonly me: MeAnswer["data"];
  readonly cookie: string;
  /** Calls with cookie and CSRF token; `path` without `/admin/v1`. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

let people = 0;

/** Adds a person and signs in by a link. */
export async function signInAs(
  installation: Installation,
  role: Role,
  tenantId: string | null = role === "operator" ? null : "one",
): Promise<SignedIn> {
  people += 1;
  const body = { email: `${role}-${people}@example.com`, name: role, role, tenant_id: tenantId };
  const options = { key: ADMIN_TOKEN };
  const added = await call(installation, "POST", "/admin/v1/people", { ...options, body });
  const { person_id } = (added.json as PersonAnswer).data;
  const path = `/admin/v1/people/${person_id}/sign-in-link`;
  const made = await call(installation, "POST", path, options);
  const { token } = (made.json as SignInLinkAnswer).data;
  // One address for each: so many tries are allowed from one. Files that share a process go on counting.
  const headers = { "X-Forwarded-For": `198.19.${people >> 8}.${people & 255}` };
  return sessionOf(
    installation,
    await call(installation, "POST", "/admin/v1/session/link", {
      key: null,
      body: { token },
      headers,
    }),
  );
}

/** The session of an answer that signed somebody in. */
export function sessionOf(installation: Installation, answer: Answer): SignedIn {
  const me = (answer.json as MeAnswer).data;
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const headers = { Cookie: cookie, "X-CSRF-Token": me.csrf_token ?? "" };
  return {
    me,
    cookie,
    call: (method, path, body) =>
      call(installation, method, `/admin/v1${path}`, { key: null, body, headers }),
  };
}
