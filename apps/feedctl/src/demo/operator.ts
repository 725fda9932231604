import { PeopleDesk, signInUrl } from "@feed/http-api/people/people-desk";
import { systemClock } from "@feed/runtime";
import type { ApiRole } from "../up/api-role.ts";

const OPERATOR = {
  email: "operator@demo.example",
  name: "Demo operator",
  role: "operator",
  tenantId: null,
} as const;

/** A fresh link by which the demo's operator signs in, once; the operator is made where there is none. */
export async function demoSignInUrl({ directory, core, http }: ApiRole): Promise<string> {
  const people = new PeopleDesk({ directory, keyring: core.keyring });
  const stamp = { actor: "demo", atMs: systemClock.nowMs() };
  const { person } = people.find(OPERATOR.email) ?? (await people.add(OPERATOR, stamp));
  const { token } = await people.makeLink(person.personId, stamp);
  return signInUrl(http.baseUrl(), token);
}
