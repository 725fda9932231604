import type { DirectoryFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import { issueApiKey } from "@feed/tenant-directory";
import { composeSources } from "../articles/compose.ts";

export const TENANT_ID = asId<TenantId>("bench");
const SCENARIO = "main";
/** The limiter works as for any tenant, and is never in the way. */
const RATE_LIMIT_PER_SECOND = 1_000_000;

/** A tenant licensed for everything, its key and scenario with default settings, and all sources. */
export function directoryFacts(atMs: number): {
  readonly apiKey: string;
  readonly facts: readonly DirectoryFact[];
} {
  const stamp = { actor: "bench", atMs };
  const { secret, key } = issueApiKey(TENANT_ID);
  const facts: DirectoryFact[] = [
    {
      type: "tenant.saved",
      tenant: {
        tenantId: TENANT_ID,
        slug: "bench",
        name: "Benchmark",
        status: "active",
        rateLimitPerSecond: RATE_LIMIT_PER_SECOND,
        plan: { includedTenths: 0, unitPrice: 1, currency: "JPY" },
        defaultLicence: "body",
        areaScope: [],
        explainAllowed: false,
        defaultScenarios: { feed: SCENARIO },
      },
      ...stamp,
    },
    { type: "api-key.issued", key, ...stamp },
    {
      type: "scenario.saved",
      tenantId: TENANT_ID,
      name: SCENARIO,
      scenarioType: "feed",
      version: 1,
      settings: DEFAULT_SCENARIO_SETTINGS,
      ...stamp,
    },
    ...composeSources().map((source): DirectoryFact => ({
      type: "source.saved",
      source,
      ...stamp,
    })),
  ];
  return { apiKey: secret, facts };
}
