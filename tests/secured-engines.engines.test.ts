import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { parseClickHouseUrl } from "@feed/activity-store/clickhouse-url";
import { parseElasticsearchUrl } from "@feed/content-index/elasticsearch/settings";
import { parseS3Url } from "@feed/object-store/s3/settings";
import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl, startFeedctl } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "./faults/client.ts";
import { enginesOf, removeTopicsAndIndexes } from "./outside-engines.ts";
import {
  makeCertificate,
  PASSWORD,
  startSecuredKafka,
  startSecuredRedis,
  tlsBefore,
  USER,
} from "./secured-engines.ts";
import { administratorOf, makeTenant } from "./tenant-and-articles.ts";

/**
 * Goal: every engine over TLS, Kafka and Redis with passwords, and what `feedctl config check` says where that fails.
 * Method: a Kafka and a Redis of the test's own with a certificate that it has made; TLS in front of the others.
 */
const PATIENCE_MS = 180_000;
const TEST_TIMEOUT_MS = 600_000;

type Engines = ReturnType<typeof enginesOf>;

const run = `t${randomUUID().slice(0, 8)}`;
const ADMIN_TOKEN = "admin-token-of-the-test";
const plain = enginesOf(run);
const opened = new AsyncDisposableStack();
let directory = "";
let ports: Readonly<Record<keyof Engines, number>>;
let secured: Engines;
/** Who trusts the certificate. */
let trusting: Readonly<Record<string, string>>;

const kafka = (password: string, sasl = "scram-sha-512") =>
  `kafka://${USER}:${password}@127.0.0.1:${ports.EVENT_LOG}/${run}.?tls=true&sasl=${sasl}`;
const redis = (password: string) => `rediss://:${password}@127.0.0.1:${ports.READ_STATE}`;

/** The address with the other port, and TLS where the scheme says so by its ending. */
function overTls(url: string, port: number): string {
  return url.replace("http://", "https://").replace(/:\d+(?=\/)/, `:${port}`);
}

beforeAll(async () => {
  directory = opened.use(await temporaryDirectory()).path;
  const certificate = await makeCertificate(directory);
  trusting = { NODE_EXTRA_CA_CERTS: certificate.certificateFile };
  const before = async (engine: string | URL) =>
    opened.use(await tlsBefore(new URL(engine), certificate)).port;
  const [log, state] = await Promise.all([
    startSecuredKafka(join(directory, "kafka"), certificate),
    startSecuredRedis(join(directory, "redis"), certificate),
  ]);
  ports = {
    EVENT_LOG: opened.use(log).port,
    READ_STATE: opened.use(state).port,
    SCHEMA_REGISTRY: await before(plain.SCHEMA_REGISTRY),
    CONTENT_INDEX: await before(parseElasticsearchUrl(plain.CONTENT_INDEX).node),
    ACTIVITY_STORE: await before(parseClickHouseUrl(plain.ACTIVITY_STORE).url),
    OBJECT_STORE: await before(parseS3Url(plain.OBJECT_STORE).endpoint),
  };
  secured = {
    EVENT_LOG: kafka(PASSWORD),
    READ_STATE: redis(PASSWORD),
    SCHEMA_REGISTRY: overTls(plain.SCHEMA_REGISTRY, ports.SCHEMA_REGISTRY),
    CONTENT_INDEX: overTls(plain.CONTENT_INDEX, ports.CONTENT_INDEX),
    ACTIVITY_STORE: overTls(plain.ACTIVITY_STORE, ports.ACTIVITY_STORE),
    OBJECT_STORE: overTls(plain.OBJECT_STORE, ports.OBJECT_STORE),
  };
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  await opened.disposeAsync();
  await removeTopicsAndIndexes(run);
});

/** The lines of `config check`, and how it ended. */
async function check(changed: Readonly<Record<string, string>>) {
  const environment = { ...secured, ...trusting, ...changed };
  const { code, stderr } = await runFeedctl(["config", "check"], { environment });
  return { code, lines: stderr.trim().split("\n") };
}

describe("Engines over TLS", { timeout: TEST_TIMEOUT_MS }, () => {
  it("serve an API node and a projector", async () => {
    const environment = { ...secured, ...trusting, ADMIN_TOKEN };
    const start = async (role: string) =>
      opened.use(await startFeedctl([role, "--port", "0", "--data", directory], { environment }));
    await start("projector");
    const { listening } = await start("api");
    const apiKey = await makeTenant(administratorOf(listening, ADMIN_TOKEN));
    const client = clientOf(listening, apiKey);
    await client.recordEvents([{ type: "session_start", user_id: "reader", session_id: "s" }]);
    await expect.poll(() => client.totalSessions("reader"), { timeout: PATIENCE_MS }).toBe(1);
  });

  it.each(["plain", "scram-sha-256", "scram-sha-512"])("are well with %s", async (sasl) => {
    expect(await check({ EVENT_LOG: kafka(PASSWORD, sasl) })).toEqual({ code: 0, lines: [""] });
  });
});

describe("feedctl config check says", { timeout: TEST_TIMEOUT_MS }, () => {
  it("that a password is wrong, without repeating it", async () => {
    const { code, lines } = await check({
      EVENT_LOG: kafka("wrong-secret"),
      READ_STATE: redis("wrong-secret"),
      OBJECT_STORE: secured.OBJECT_STORE.replace(/:[^:@]+@/, ":wrong-secret@"),
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/EVENT_LOG Kafka at [^:]+:\d+: .*invalid credentials/),
      expect.stringMatching(/READ_STATE Redis at [^:]+:\d+: .*invalid username-password/),
      expect.stringMatching(/OBJECT_STORE S3 at [^:]+:\d+: .+/),
    ]);
    expect(lines.join()).not.toContain("wrong-secret");
  });

  it("that nobody here knows the authority of a certificate, and what to do", async () => {
    const { code, lines } = await check({ NODE_EXTRA_CA_CERTS: "" });
    expect(code).toBe(1);
    const remedy =
      "not of an authority known here: name the authority's file in NODE_EXTRA_CA_CERTS";
    expect(lines.filter((line) => line.endsWith(remedy))).toHaveLength(Object.keys(secured).length);
  });

  it("that an address without TLS leads to an engine with TLS", async () => {
    const { code, lines } = await check({
      EVENT_LOG: kafka(PASSWORD).replace("tls=true&", ""),
      READ_STATE: redis(PASSWORD).replace("rediss:", "redis:"),
      SCHEMA_REGISTRY: secured.SCHEMA_REGISTRY.replace("https:", "http:"),
      CONTENT_INDEX: secured.CONTENT_INDEX.replace("https:", "http:"),
      ACTIVITY_STORE: secured.ACTIVITY_STORE.replace("https:", "http:"),
      OBJECT_STORE: secured.OBJECT_STORE.replace("https:", "http:"),
    });
    expect(code).toBe(1);
    const remedy = "it speaks TLS there: use the address with TLS";
    expect(lines.filter((line) => line.endsWith(remedy))).toHaveLength(Object.keys(secured).length);
  });

  it("that an address with TLS leads to an engine without", async () => {
    const { code, lines } = await check({
      EVENT_LOG: `${plain.EVENT_LOG}?tls=true`,
      READ_STATE: plain.READ_STATE.replace("redis:", "rediss:"),
      CONTENT_INDEX: plain.CONTENT_INDEX.replace("http:", "https:"),
    });
    expect(code).toBe(1);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/does not speak TLS there: use the address/);
  });

  it("that nobody listens", async () => {
    const { lines } = await check({ READ_STATE: "redis://127.0.0.1:1" });
    expect(lines).toEqual([
      expect.stringMatching(/READ_STATE Redis at 127\.0\.0\.1:1: nobody listens there$/),
    ]);
  });
});
