import { CATEGORIES } from "@feed/domain/article";
import type { ScenarioSettings, ScenarioType } from "@feed/domain/scenario";
import type { ApiKey, Tenant } from "@feed/domain/tenant";
import type { TenantDirectory } from "@feed/tenant-directory";
import { PASSWORD_CHARS_MIN } from "@feed/domain/limits";
import type { Person } from "@feed/domain/people";
import type { Profile } from "./people/people-desk.ts";
import { validationProblem } from "./problem.ts";
import type { Fault } from "./problem.ts";

/**
 * What the schema of a tenant can't say: its slug is its own, since `utm_source` tells tenants apart, and
 * its default scenarios exist and are of the type they are the default of.
 *
 * @param scenariosAt where the body has the default scenarios.
 * @throws Problem 400 with pointers into the body.
 */
export function checkTenant(
  tenant: Tenant,
  directory: TenantDirectory,
  scenariosAt = "/default_scenarios",
): void {
  const { tenantId, slug, defaultScenarios } = tenant;
  const faults: Fault[] = [];
  const isTaken = directory
    .tenants()
    .some((other) => other.slug === slug && other.tenantId !== tenantId);
  if (isTaken) faults.push({ pointer: "/slug", detail: `"${slug}" belongs to another tenant` });
  for (const [type, name] of Object.entries(defaultScenarios) as [ScenarioType, string][]) {
    if (directory.scenario(tenantId, name)?.type === type) continue;
    const detail = `must name a scenario of type ${type} that this tenant has`;
    faults.push({ pointer: `${scenariosAt}/${type}`, detail });
  }
  if (faults.length > 0) throw validationProblem(faults);
}

/** @throws Problem 400 for a key that would never be valid. */
export function checkExpiry(expiresAtMs: ApiKey["expiresAtMs"], nowMs: number): void {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw validationProblem([{ pointer: "/expires_at", detail: "must be in the future" }]);
  }
}

/**
 * What the schema of settings can't say: some weight is above 0, and each rule and cap names a thing of its own.
 *
 * @param place where the body has the settings.
 * @throws Problem 400 with pointers into the body.
 */
export function checkSettings(
  { weights, rankingRules, sourceCaps }: ScenarioSettings,
  place = "/settings",
): void {
  const faults: Fault[] = [];
  if (!Object.values(weights).some((weight) => weight > 0)) {
    const detail = "must hold at least one weight above 0, the defaults counted in";
    faults.push({ pointer: `${place}/weights`, detail });
  }
  const categories: readonly string[] = CATEGORIES;
  rankingRules.forEach(({ match, id }, at) => {
    if (match === "category" && !categories.includes(id))
      faults.push({ pointer: `${place}/ranking_rules/${at}/id`, detail: "is no category" });
  });
  const repeated = (list: readonly unknown[], at: string, detail: string) => {
    const seen = list.map((entry) => JSON.stringify(entry));
    seen.forEach((entry, index) => {
      if (seen.indexOf(entry) < index)
        faults.push({ pointer: `${place}/${at}/${index}/id`, detail });
    });
  };
  const named = rankingRules.map(({ match, id }) => [match, id]);
  repeated(named, "ranking_rules", "has a rule already");
  repeated(
    sourceCaps.map(({ id }) => id),
    "source_caps",
    "has a cap already",
  );
  if (faults.length > 0) throw validationProblem(faults);
}

/** @throws Problem 400 for an operator of a tenant, another role without one, and a tenant that is not there. */
export function checkPlace(
  { role, tenantId }: Pick<Person, "role" | "tenantId">,
  directory: TenantDirectory,
): void {
  const fault = (pointer: string, detail: string) => validationProblem([{ pointer, detail }]);
  if ((role === "operator") !== (tenantId === null)) {
    throw fault("/role", "operators belong to no tenant, and everybody else to one");
  }
  if (tenantId !== null && directory.tenant(tenantId) === undefined) {
    throw fault("/tenant_id", "is no tenant");
  }
}

/** @throws Problem 400 for a password that is guessed first. Its length is its schema's to check. */
export function checkNewPassword(password: string, { email, name }: Profile): void {
  const lower = password.toLowerCase();
  const guessed = [email, email.split("@", 1)[0] ?? "", name.toLowerCase()];
  const isGuessed = guessed.some(
    (text) => text.length >= PASSWORD_CHARS_MIN && lower.includes(text),
  );
  const isRepeated = new Set(password).size < PASSWORD_CHARS_MIN / 3;
  if (!isGuessed && !isRepeated) return;
  const detail = "must not be your name or address, nor a few characters repeated";
  throw validationProblem([{ pointer: "/new_password", detail }]);
}
