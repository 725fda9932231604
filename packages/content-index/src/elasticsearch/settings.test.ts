import { describe, expect, it } from "vitest";
import { parseElasticsearchUrl } from "./settings.ts";

describe("The URL of an Elasticsearch cluster", () => {
  it("names a node, a prefix, and how indexes are made", () => {
    expect(parseElasticsearchUrl("elasticsearch+http://localhost:9200")).toEqual({
      node: "http://localhost:9200",
      prefix: "",
      shards: 1,
    });
    const url = "elasticsearch+https://feed:p%40ss@search:9243/prod-?shards=3&replicas=2";
    expect(parseElasticsearchUrl(url)).toEqual({
      node: "https://search:9243",
      auth: { username: "feed", password: "p@ss" },
      prefix: "prod-",
      shards: 3,
      replicas: 2,
    });
  });

  it.each([
    ["http://localhost:9200", "must look like"],
    ["elasticsearch+ftp://localhost", "must look like"],
    ["elasticsearch+http://", "must look like"],
    ["elasticsearch+http://secret:secret@a/Upper", "prefix"],
    ["elasticsearch+http://a/with*", "prefix"],
    ["elasticsearch+http://a/x?nodes=2", "knows no parameter nodes"],
    ["elasticsearch+http://a?shards=0", "shards that are not 1 to 64"],
    ["elasticsearch+http://a?replicas=-1", "replicas that are not 0 to 64"],
  ])("is refused in words: %s", (url, words) => {
    expect(() => parseElasticsearchUrl(url)).toThrow(words);
    expect(() => parseElasticsearchUrl(url)).not.toThrow(/secret/);
  });
});
