import type { EngineUrls } from "./engine-urls.ts";
import { parseRedisUrl } from "./engine-urls.ts";

/** Where an engine is entered, and a question that changes nothing. */
export interface Door {
  /** Told to people; without credentials. */
  readonly place: string;
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Rejects where the engine can't be reached, or refuses who asks. */
  ask(signal: AbortSignal): Promise<void>;
}

/** Below the time after which whoever asks gives up. */
const ANSWER_TIMEOUT_MS = 8_000;
const FORBIDDEN: readonly number[] = [401, 403];

/** By the setting that holds the URL, which has been found well formed. */
export const doorOf: Readonly<Record<keyof EngineUrls, (url: string) => Promise<Door>>> = {
  async eventLog(url) {
    const { parseKafkaUrl } = await import("@feed/event-log/kafka/settings");
    const { adminOf, disconnect } = await import("@feed/event-log/kafka/connection");
    const settings = parseKafkaUrl(url);
    const [broker = ""] = settings.brokers;
    return {
      ...addressed("Kafka", new URL(`${settings.tls ? "https" : "http"}://${broker}`)),
      ask: async () => {
        const admin = adminOf(settings);
        try {
          await admin.connect();
          await admin.describeCluster();
        } finally {
          await disconnect(admin);
        }
      },
    };
  },

  schemaRegistry: async (url) => {
    const ask = (signal: AbortSignal) => get(new URL(`${url}/subjects`), signal);
    return { ...addressed("the schema registry", new URL(url)), ask };
  },

  async contentIndex(url) {
    const { parseElasticsearchUrl } = await import("@feed/content-index/elasticsearch/settings");
    const { node, auth } = parseElasticsearchUrl(url);
    const ask = (signal: AbortSignal) => get(new URL(node), signal, auth);
    return { ...addressed("Elasticsearch", new URL(node)), ask };
  },

  async activityStore(url) {
    const { parseClickHouseUrl } = await import("@feed/activity-store/clickhouse-url");
    const endpoint = parseClickHouseUrl(url);
    const question = new URL("/?query=SELECT%201", endpoint.url);
    const ask = (signal: AbortSignal) => get(question, signal, endpoint);
    return { ...addressed("ClickHouse", new URL(endpoint.url)), ask };
  },

  async readState(url) {
    const { connect } = await import("@feed/read-state/redis/connection");
    const { url: server } = parseRedisUrl(url);
    const protocol = server.startsWith("rediss") ? "https" : "http";
    const place = new URL(server.replace(/^[a-z-]+:\/\/(?:[^@/]*@)?/, `${protocol}://`));
    return {
      ...addressed("Redis", place, 6379),
      ask: async () => {
        await using redis = await connect(server, ANSWER_TIMEOUT_MS);
        // Whoever is refused can say hello all the same.
        await redis.send("door", "EXISTS", "door");
      },
    };
  },

  async objectStore(url) {
    const { parseS3Url } = await import("@feed/object-store/s3/settings");
    const { agentFor, clientOf } = await import("@feed/object-store/s3/client");
    const settings = parseS3Url(url);
    return {
      ...addressed("S3", settings.endpoint),
      ask: async () => {
        const agent = agentFor(settings.endpoint);
        try {
          await clientOf(settings, settings.endpoint, agent).bucketExists(settings.bucket);
        } finally {
          agent.destroy();
        }
      },
    };
  },
};

function addressed(engine: string, { protocol, hostname, host, port }: URL, usualPort?: number) {
  const isTls = protocol === "https:";
  return {
    place: `${engine} at ${host}`,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (usualPort ?? (isTls ? 443 : 80)) : Number(port),
    isTls,
  };
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Errors: what fetch says, or that the answer is none of success. */
async function get(url: URL, signal: AbortSignal, credentials?: Credentials): Promise<void> {
  const answer = await fetch(url, { headers: basic(credentials), signal, redirect: "manual" });
  await answer.body?.cancel();
  if (answer.ok) return;
  const refused = FORBIDDEN.includes(answer.status) ? "it refuses user or password: " : "";
  throw new Error(`${refused}it answers ${answer.status}`);
}

function basic(credentials: Credentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const { username, password } = credentials;
  const encoded = Buffer.from(`${username}:${password}`).toString("base64");
  return { authorization: `Basic ${encoded}` };
}
