import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import { buildSource } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { publisherOf, siblingsOf } from "./publisher.ts";

describe("the publisher of a source", () => {
  it.each([
    ["https://www.daily.example.co.jp/", "example.co.jp"],
    ["https://sport.harbour-daily.com/news", "harbour-daily.com"],
    ["https://alice.github.io/", "alice.github.io"],
    ["http://127.0.0.1:8790/p/", ""],
    ["http://localhost/", ""],
  ])("of %s is %j", (url, domain) => {
    expect(publisherOf(buildSource({ url }))).toBe(domain);
  });

  it("is what an operator named, before the domain", () => {
    const [one, two, three] = ["a", "b", "c"].map((name) =>
      buildSource({ sourceId: asId<SourceId>(name), url: `https://${name}.example.org/` }),
    ) as [Source, Source, Source];
    expect(siblingsOf(one, [one, two, three])).toEqual(["b", "c"]);
    expect(siblingsOf(one, [one, { ...two, publisher: "B" }, three])).toEqual(["c"]);
    const local = { ...one, url: "http://127.0.0.1/" };
    expect(siblingsOf(local, [local, { ...two, url: "http://127.0.0.1/" }])).toEqual([]);
  });
});
