import { describe, expect, it } from "vitest";
import { engineUrlViolations, parseRedisUrl, type EngineUrls } from "./engine-urls.ts";

const VARIABLES = {
  eventLog: "EVENT_LOG",
  schemaRegistry: "SCHEMA_REGISTRY",
  contentIndex: "CONTENT_INDEX",
  activityStore: "ACTIVITY_STORE",
  readState: "READ_STATE",
  objectStore: "OBJECT_STORE",
};
const FINE: EngineUrls = {
  eventLog: "kafka://localhost:9092",
  schemaRegistry: "http://localhost:8081",
  contentIndex: "elasticsearch+http://localhost:9200",
  activityStore: "clickhouse+http://feed:secret@localhost:8123",
  readState: "redis-cluster://localhost:6379",
  objectStore: "s3+http://key:secret@localhost:9000/feed",
};
const violations = (urls: EngineUrls) => engineUrlViolations(urls, VARIABLES);

describe("The URLs of engines", () => {
  it("are all absent, all there, or mixed", () => {
    expect(violations({})).toEqual([]);
    expect(violations(FINE)).toEqual([]);
    expect(violations({ readState: "rediss://:secret@cache:6380/2" })).toEqual([]);
  });

  it("are each told what is wrong with them, without what may be secret", () => {
    const told = violations({
      eventLog: "amqp://user:secret@localhost",
      schemaRegistry: "localhost:8081",
      contentIndex: "http://user:secret@localhost:9200",
      activityStore: "clickhouse://user:secret@localhost",
      readState: "http://user:secret@localhost",
      objectStore: "http://user:secret@localhost/feed",
    });
    expect(told).toEqual([
      "EVENT_LOG must look like kafka://host:9092 or kafka://host-1:9092,host-2:9092/prefix",
      "SCHEMA_REGISTRY must look like http://host:8081",
      expect.stringMatching(/^CONTENT_INDEX must look like elasticsearch\+http:/),
      "ACTIVITY_STORE must look like clickhouse+http://user:password@host:8123",
      "READ_STATE must look like redis://host:6379",
      expect.stringMatching(/^OBJECT_STORE (?!.*secret@)/),
    ]);
  });

  it("have a registry with a log in Kafka, and none without", () => {
    const { schemaRegistry, ...without } = FINE;
    expect(violations(without)).toEqual(["SCHEMA_REGISTRY is not set: a log in Kafka needs it"]);
    expect(violations({ schemaRegistry: schemaRegistry! })).toEqual([
      "SCHEMA_REGISTRY is of no use without EVENT_LOG",
    ]);
  });

  it("name a Redis server or cluster, a database, and a prefix of keys", () => {
    expect(parseRedisUrl("rediss://:secret@cache:6380/2?prefix=prod:")).toEqual({
      url: "rediss://:secret@cache:6380/2",
      prefix: "prod:",
    });
    expect(() => parseRedisUrl("redis://cache?prefix={a}")).toThrow("prefix");
    expect(() => parseRedisUrl("redis://cache?db=2")).toThrow("knows no parameter db");
  });
});
