import { describe, expect, it } from "vitest";
import { parseClickHouseUrl, parseReadingUrl } from "./clickhouse-url.ts";

describe("The address of a ClickHouse server", () => {
  it("names the server and who asks", () => {
    expect(parseClickHouseUrl("clickhouse+http://feed:p%40ss@store:8123")).toEqual({
      url: "http://store:8123",
      username: "feed",
      password: "p@ss",
      options: {},
    });
  });

  it("may name a database, how long events are kept, and TLS", () => {
    const text = "clickhouse+https://store.example/other_feed?keep-months=25";
    expect(parseClickHouseUrl(text)).toEqual({
      url: "https://store.example",
      username: "default",
      password: "",
      options: { databasePrefix: "other_feed", keepMonths: 25 },
    });
  });

  it.each([
    ["http://store:8123", "must look like clickhouse+http://"],
    ["clickhouse+http://", "must look like clickhouse+http://"],
    ["clickhouse+http://u:secret@store/Other", "has a database prefix"],
    ["clickhouse+http://u:secret@store/a;b", "has a database prefix"],
    ["clickhouse+http://u:secret@store/system", "is the name of another database"],
    ["clickhouse+http://u:secret@store/feed_v1_r2", "is the name of another database"],
    ["clickhouse+http://u:secret@store?keep=1", "knows no parameter keep"],
    ["clickhouse+http://u:secret@store?keep-months=0.5", "has keep-months"],
  ])("is refused as %s", (text, complaint) => {
    expect(() => parseClickHouseUrl(text)).toThrow(complaint);
    expect(() => parseClickHouseUrl(text)).not.toThrow("secret@");
  });
});

describe("The address at which data teams are answered", () => {
  it("names where, and as whom", () => {
    expect(
      parseReadingUrl("clickhouse+http://analyst:a%20longer%20password@127.0.0.1:8124"),
    ).toEqual({
      url: "http://127.0.0.1:8124",
      username: "analyst",
      password: "a longer password",
    });
  });

  it.each([
    ["http://analyst:sixteen-letters-@127.0.0.1:8124", "must look like clickhouse+http://"],
    ["clickhouse+http://127.0.0.1:8124", "must look like clickhouse+http://"],
    ["clickhouse+http://analyst:sixteen-letters-@127.0.0.1", "must look like clickhouse+http://"],
    ["clickhouse+http://analyst:sixteen-letters-@127.0.0.1:8124/db", "must look like"],
    ["clickhouse+http://analyst:short@127.0.0.1:8124", "needs a password of at least 16"],
  ])("is refused as %s", (text, complaint) => {
    expect(() => parseReadingUrl(text)).toThrow(complaint);
  });
});
