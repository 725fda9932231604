import type { TenantId } from "@feed/domain/ids";
import type { ScenarioVersion } from "@feed/tenant-directory";
import type { HttpApiDependencies } from "./dependencies.ts";
import { notFound } from "./problem.ts";

/** @throws Problem 404 where the tenant has no scenario of this name. */
export function latestVersionOf(
  { directory }: HttpApiDependencies,
  tenantId: TenantId,
  name: string,
): ScenarioVersion {
  const latest = directory.scenarioVersions(tenantId, name).at(-1);
  if (latest === undefined) throw notFound("scenario");
  return latest;
}

/** The version with this number, while it is kept. */
export function findVersion(
  { directory }: HttpApiDependencies,
  tenantId: TenantId,
  name: string,
  version: number,
): ScenarioVersion | undefined {
  return directory.scenarioVersions(tenantId, name).find((one) => one.version === version);
}
