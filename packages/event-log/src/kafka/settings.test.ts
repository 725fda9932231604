import { describe, expect, it } from "vitest";

import { parseKafkaUrl } from "./settings.ts";

describe("The URL of a Kafka cluster", () => {
  it("names brokers, a prefix, and how to connect", () => {
    expect(parseKafkaUrl("kafka://localhost:9092")).toEqual({
      brokers: ["localhost:9092"],
      prefix: "",
      tls: false,
    });
    expect(
      parseKafkaUrl(
        "kafka://feed:p%3Ass@b-1:9092,[::1]:9093/prod.?tls=true&sasl=scram-sha-512&replicas=3",
      ),
    ).toEqual({
      brokers: ["b-1:9092", "[::1]:9093"],
      prefix: "prod.",
      tls: true,
      sasl: { mechanism: "scram-sha-512", username: "feed", password: "p:ss" },
      replicas: 3,
    });
  });

  it.each([
    ["http://localhost:9092", "must look like kafka://"],
    ["kafka://localhost", "must look like kafka://"],
    ["kafka://a:9092,b", "must look like kafka://"],
    ["kafka://a:99999", "must look like kafka://"],
    ["kafka://a:9092/pre fix", "prefix"],
    ["kafka://a:9092?acks=1", "knows no parameter acks"],
    ["kafka://a:9092?tls=yes", "tls"],
    ["kafka://a:9092?sasl=plain", "no user:password@"],
    ["kafka://user@a:9092", "user:password@"],
    ["kafka://secret-user:secret@a:9092?sasl=kerberos", "not one of plain"],
    ["kafka://a:9092?replicas=0", "1 to 32"],
  ])("is refused in words: %s", (url, words) => {
    expect(() => parseKafkaUrl(url)).toThrow(words);
    expect(() => parseKafkaUrl(url)).not.toThrow(/secret/);
  });
});
