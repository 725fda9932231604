import { parseClickHouseUrl } from "@feed/activity-store/clickhouse-url";
import { parseElasticsearchUrl } from "@feed/content-index/elasticsearch/settings";
import { parseKafkaUrl } from "@feed/event-log/kafka/settings";
import { parseS3Url } from "@feed/object-store/s3/settings";

/** Where the engines of an installation are: one URL for each port. A port without one is embedded. */
export interface EngineUrls {
  /** `kafka://host:9092[,host:9092][/prefix]` */
  readonly eventLog?: string;
  /** `http://host:8081/path` of a registry that speaks Confluent's API; belongs to Kafka. */
  readonly schemaRegistry?: string;
  /** `elasticsearch+http://host:9200[/prefix]` */
  readonly contentIndex?: string;
  /** `clickhouse+http://user:password@host:8123[/prefix][?keep-months=25]` */
  readonly activityStore?: string;
  /** `redis://host:6379[?prefix=name:]`, `redis-cluster://host:6379`, or with `rediss` */
  readonly readState?: string;
  /** `s3+http://key:secret@host:9000/bucket[/prefix]` */
  readonly objectStore?: string;
}

/** Without braces, which decide where a cluster keeps a key. */
const KEY_PREFIX = /^[\w.:-]{0,60}$/;
const REDIS_SCHEMES = ["redis:", "rediss:", "redis-cluster:", "rediss-cluster:"];

/** The settings that take a URL, by the name of their variable, and what each must look like. */
const CHECKS: Readonly<Record<keyof EngineUrls, (url: string) => unknown>> = {
  eventLog: parseKafkaUrl,
  schemaRegistry: (url) => assertUrl(url, ["http:", "https:"], "http://host:8081"),
  contentIndex: parseElasticsearchUrl,
  activityStore: parseClickHouseUrl,
  readState: parseRedisUrl,
  objectStore: parseS3Url,
};

/** What is wrong with the URLs, a line each that begins with the variable and does not repeat the URL. */
export function engineUrlViolations(
  urls: EngineUrls,
  variables: Readonly<Record<keyof EngineUrls, string>>,
): readonly string[] {
  const names = Object.keys(CHECKS) as (keyof EngineUrls)[];
  const violations = names.flatMap((name) => {
    const url = urls[name];
    const reason = url === undefined ? undefined : reasonAgainst(() => CHECKS[name](url));
    return reason === undefined ? [] : [`${variables[name]} ${reason}`];
  });
  // The ids of this repository's schemas are another's in a registry, and tools beside Kafka look them up there.
  if (urls.eventLog !== undefined && urls.schemaRegistry === undefined)
    violations.push(`${variables.schemaRegistry} is not set: a log in Kafka needs it`);
  if (urls.eventLog === undefined && urls.schemaRegistry !== undefined)
    violations.push(`${variables.schemaRegistry} is of no use without ${variables.eventLog}`);
  return violations;
}

/** The keys of one installation on a Redis server or cluster. */
export interface ReadStateAddress {
  /** Without parameters. */
  readonly url: string;
  /** In front of every key; empty: none. */
  readonly prefix: string;
}

/** Reads `redis[s][-cluster]://[user:password@]host:port[/database][?prefix=name:]`; throws Error in words. */
export function parseRedisUrl(text: string): ReadStateAddress {
  assertUrl(text, REDIS_SCHEMES, "redis://host:6379");
  const url = new URL(text);
  for (const name of url.searchParams.keys())
    if (name !== "prefix") throw new Error(`knows no parameter ${name}, only prefix`);
  const prefix = url.searchParams.get("prefix") ?? "";
  if (!KEY_PREFIX.test(prefix))
    throw new Error("has a prefix that is not up to 60 letters, digits or ._:-");
  url.search = "";
  return { url: url.href, prefix };
}

function assertUrl(text: string, schemes: readonly string[], example: string): void {
  const url = URL.parse(text);
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "")
    throw new Error(`must look like ${example}`);
}

function reasonAgainst(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
