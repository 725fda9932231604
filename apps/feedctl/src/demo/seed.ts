import type { DirectoryFact } from "@feed/domain/facts";
import { asId, type SourceId, type TenantId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import type { Licence, Tenant } from "@feed/domain/tenant";
import { issueApiKey, sha256OfApiKey, type TenantDirectory } from "@feed/tenant-directory";
import type { DemoPublisher } from "@feed/demo-publishers/site";

export const DEMO_TENANT_ID = asId<TenantId>("demo");
export const DEMO_SCENARIOS = { feed: ["home", "latest"], push: ["daily-push"] } as const;
/** A person trying things out never reaches it. */
const RATE_LIMIT_PER_SECOND = 200;
const CRAWL_INTERVAL_MS = 60_000;

const TENANT: Tenant = {
  tenantId: DEMO_TENANT_ID,
  slug: "demo",
  name: "Demo tenant",
  status: "active",
  rateLimitPerSecond: RATE_LIMIT_PER_SECOND,
  plan: { includedTenths: 1_000_000, unitPrice: 0.5, currency: "JPY" },
  defaultLicence: "none",
  areaScope: [],
  explainAllowed: true,
  defaultScenarios: { feed: DEMO_SCENARIOS.feed[0], push: DEMO_SCENARIOS.push[0] },
};

/** Of every five publishers one keeps its bodies to itself and the last is not licensed at all. */
function licenceOf(index: number, count: number): Licence {
  if (index === count - 1) return "none";
  return index % 5 === 3 ? "link" : "body";
}

/**
 * Tenant, key, scenarios, sources and licences of the demo, appended where they are missing. Resolves with the
 * tenant's API key: the one given, while it is valid.
 */
export async function seedDemo(
  directory: TenantDirectory,
  publishers: readonly DemoPublisher[],
  options: { readonly apiKey: string | undefined; readonly nowMs: number },
): Promise<string> {
  const stamp = { actor: "demo", atMs: options.nowMs };
  const facts: DirectoryFact[] = sourceFacts(directory, publishers, stamp);
  if (directory.tenant(DEMO_TENANT_ID) === undefined) facts.push(...tenantFacts(publishers, stamp));
  const known =
    options.apiKey !== undefined && directory.apiKey(sha256OfApiKey(options.apiKey)) !== undefined;
  const issued = known ? undefined : issueApiKey(DEMO_TENANT_ID);
  if (issued !== undefined) facts.push({ type: "api-key.issued", key: issued.key, ...stamp });
  if (facts.length > 0) await directory.change(facts);
  return issued?.secret ?? (options.apiKey as string);
}

interface Stamp {
  readonly actor: string;
  readonly atMs: number;
}

function sourceFacts(
  directory: TenantDirectory,
  publishers: readonly DemoPublisher[],
  stamp: Stamp,
): DirectoryFact[] {
  return publishers.flatMap((publisher) => {
    const sourceId = asId<SourceId>(publisher.slug);
    if (directory.source(sourceId)?.feedUrl === publisher.feedUrl) return [];
    const { name, homeUrl: url, feedUrl, titleRewriteAllowed, language, colour } = publisher;
    const crawl = { crawlIntervalMs: CRAWL_INTERVAL_MS, paused: false };
    const source = {
      sourceId,
      name,
      url,
      feedUrl,
      titleRewriteAllowed,
      language,
      colour,
      ...crawl,
    };
    return [{ type: "source.saved", source, ...stamp }];
  });
}

function tenantFacts(publishers: readonly DemoPublisher[], stamp: Stamp): DirectoryFact[] {
  const scenario = { tenantId: DEMO_TENANT_ID, version: 1, ...stamp } as const;
  const settings = DEFAULT_SCENARIO_SETTINGS;
  const newestFirst = { relevance: 0.15, freshness: 0.7, engagement: 0.05, quality: 0.1 };
  const [home, latest] = DEMO_SCENARIOS.feed;
  const [push] = DEMO_SCENARIOS.push;
  return [
    { type: "tenant.saved", tenant: TENANT, ...stamp },
    { type: "scenario.saved", name: home, scenarioType: "feed", settings, ...scenario },
    {
      type: "scenario.saved",
      name: latest,
      scenarioType: "feed",
      settings: { ...settings, weights: newestFirst, freshnessHalfLifeHours: 12 },
      ...scenario,
    },
    { type: "scenario.saved", name: push, scenarioType: "push", settings, ...scenario },
    ...publishers.map(({ slug }, index): DirectoryFact => {
      const licence = licenceOf(index, publishers.length);
      return {
        type: "licence.set",
        licence: { tenantId: DEMO_TENANT_ID, sourceId: asId<SourceId>(slug), licence },
        ...stamp,
      };
    }),
  ];
}
