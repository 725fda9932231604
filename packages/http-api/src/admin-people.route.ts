import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { PEOPLE_MAX } from "@feed/domain/limits";
import type { Person } from "@feed/domain/people";
import type { PersonEntry } from "@feed/tenant-directory";
import {
  forbidden,
  requireAccess,
  requireOperator,
  requireSignedIn,
  stampOf,
} from "./admin-access.ts";
import { respondCreated } from "./admin-once.ts";
import { checkPlace } from "./admin-checks.ts";
import type { PeopleParts } from "./admin-session.route.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { PersonRecord } from "./openapi.generated.ts";
import { EmailTaken, signInUrl } from "./people/people-desk.ts";
import { isoTime } from "./present-time.ts";
import { notFound, Problem } from "./problem.ts";
import type { RequestReader, RouteContext } from "./route-tools.ts";

/** `/admin/v1/people`: who signs in. A tenant's admins look after the people of their tenant. */
export function adminPeopleRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  parts: PeopleParts,
): void {
  const { directory } = deps;
  const { people } = parts;
  const path = "/admin/v1/people/:person_id";
  const present = (entry: PersonEntry) => presentPerson(entry, parts);

  router.get("/admin/v1/people", (ctx) => {
    const { role, tenantId } = requireSignedIn(ctx);
    const { tenant_id } = reader.parameters("adminListPeople", ctx);
    const only = role === "operator" ? tenant_id : tenantId;
    const all = directory.people();
    const seen = only === undefined ? all : all.filter(({ person }) => person.tenantId === only);
    ctx.body = { data: seen.map(present) };
  });

  router.post("/admin/v1/people", async (ctx) => {
    requireManager(ctx);
    const { "Idempotency-Key": key } = reader.parameters("adminAddPerson", ctx);
    const written = await reader.body("adminAddPerson", ctx);
    const { email, name, role, tenant_id } = written;
    const tenantId = tenant_id === null ? null : asId<TenantId>(tenant_id);
    mustManage(ctx, tenantId);
    checkPlace({ role, tenantId }, directory);
    if (directory.people().length >= PEOPLE_MAX) {
      throw new Problem("conflict", `There are ${PEOPLE_MAX} people already.`);
    }
    await respondCreated(ctx, deps, { key, tenantId, request: written }, async () => {
      const person = { email, name, role, tenantId };
      return present(await people.add(person, stampOf(ctx)).catch(conflictOfEmail));
    });
  });

  router.get(path, (ctx) => {
    requireSignedIn(ctx);
    const { person_id } = reader.parameters("adminGetPerson", ctx);
    ctx.body = { data: present(visible(ctx, deps, person_id)) };
  });

  router.patch(path, async (ctx) => {
    requireManager(ctx);
    const { person_id } = reader.parameters("adminChangePerson", ctx);
    const { name, role, status } = await reader.body("adminChangePerson", ctx);
    const entry = managed(ctx, deps, person_id);
    const { person } = entry;
    if (role !== undefined) checkPlace({ role, tenantId: person.tenantId }, directory);
    if (status === "disabled") mustLeaveAnOperator(person, deps);
    await people.change(entry, { name, role, status }, stampOf(ctx));
    ctx.body = { data: present(visible(ctx, deps, person_id)) };
  });

  router.delete(path, async (ctx) => {
    requireSignedIn(ctx);
    const { person_id: personId } = reader.parameters("adminRemovePerson", ctx);
    mustLeaveAnOperator(managed(ctx, deps, personId).person, deps);
    await directory.change([{ type: "person.removed", personId, ...stampOf(ctx) }]);
    ctx.status = 204;
  });

  router.post(`${path}/sign-in-link`, async (ctx) => {
    requireSignedIn(ctx);
    const { person_id, "Idempotency-Key": key } = reader.parameters("adminMakeSignInLink", ctx);
    const { personId, tenantId } = managed(ctx, deps, person_id).person;
    await respondCreated(ctx, deps, { key, tenantId, request: null }, async () => {
      const { token, expiresAtMs } = await people.makeLink(personId, stampOf(ctx));
      const url = signInUrl(parts.baseUrl(), token);
      return { url, token, expires_at: isoTime(expiresAtMs) };
    });
  });
}

/** Somebody who looks after people, before it is known which. @throws Problem 401, 403. */
function requireManager(ctx: ApiContext): void {
  const { tenantId } = requireSignedIn(ctx);
  mustManage(ctx, tenantId);
}

/** Operators are an operator's to look after, people of a tenant also its admins'. @throws Problem 403, 404. */
function mustManage(ctx: ApiContext, tenantId: TenantId | null): void {
  if (tenantId === null) requireOperator(ctx);
  else requireAccess(ctx, "settings", tenantId);
}

/** @throws Problem 404 for nobody, and for somebody of another tenant. */
function visible(ctx: RouteContext, { directory }: HttpApiDependencies, id: string): PersonEntry {
  const { role, tenantId } = requireSignedIn(ctx);
  const entry = directory.person(id);
  const isSeen = role === "operator" || entry?.person.tenantId === tenantId;
  if (entry === undefined || !isSeen) throw notFound("person");
  return entry;
}

function managed(ctx: RouteContext, deps: HttpApiDependencies, id: string): PersonEntry {
  const entry = visible(ctx, deps, id);
  const { tenantId } = entry.person;
  if (requireSignedIn(ctx).role !== "operator" && tenantId === null)
    throw forbidden("installation");
  mustManage(ctx, tenantId);
  return entry;
}

/** @throws Problem 409 where nobody would be left who can add another. */
function mustLeaveAnOperator({ personId, role }: Person, { directory }: HttpApiDependencies): void {
  if (role !== "operator") return;
  const others = directory
    .people()
    .filter(({ person }) => person.role === "operator" && person.status === "active")
    .filter(({ person }) => person.personId !== personId);
  if (others.length === 0) throw new Problem("conflict", "This is the last operator.");
}

function conflictOfEmail(error: unknown): never {
  if (!(error instanceof EmailTaken)) throw error;
  throw new Problem("conflict", "Somebody has this e-mail address already.");
}

function presentPerson(
  { person, createdAtMs, password, lastSignInAtMs, identities }: PersonEntry,
  { people }: PeopleParts,
): PersonRecord {
  const { email, name } = people.profile(person);
  return {
    person_id: person.personId,
    email,
    name,
    role: person.role,
    tenant_id: person.tenantId,
    status: person.status,
    has_password: password !== null,
    has_openid: identities.size > 0,
    created_at: isoTime(createdAtMs),
    last_signed_in_at: lastSignInAtMs === null ? null : isoTime(lastSignInAtMs),
  };
}
