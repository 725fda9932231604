import { randomUUID } from "node:crypto";
import { Client } from "@elastic/elasticsearch";
import { buildArticle, engineUrl } from "@feed/test-kit";
import { afterAll, describe, expect, it } from "vitest";
import { CONFORMANCE_DIMENSIONS, CONFORMANCE_MODEL, describeContentIndex } from "./conformance.ts";
import { articleOf, put } from "./conformance/articles.ts";
import { NO_POSITIONS } from "./conformance/rule.ts";
import { indexNames } from "./elasticsearch/indexes.ts";
import { writeChanges } from "./elasticsearch/writing.ts";
import {
  openElasticsearchContentIndex,
  parseElasticsearchUrl,
  removeElasticsearchIndex,
  servedAlias,
} from "./elasticsearch.ts";

const settings = parseElasticsearchUrl(engineUrl("CONTENT_INDEX"));
const run = `test-${randomUUID()}-`;
const REMOVAL_TIMEOUT_MS = 200_000;
const OPTIONS = {
  ...settings,
  model: CONFORMANCE_MODEL,
  dimensions: CONFORMANCE_DIMENSIONS,
  // What a test asks is answered however busy the machine is.
  requestTimeoutMs: 60_000,
};

afterAll(async () => {
  // A hundred indexes at once.
  const client = new Client({ node: settings.node, requestTimeout: REMOVAL_TIMEOUT_MS });
  const name = `${run}*`;
  await client.indices.delete({ index: name });
  await client.indices.deleteIndexTemplate({ name });
  await client.close();
});

let rules = 0;
describeContentIndex("Elasticsearch", async () => {
  const rule = (rules += 1);
  return (name) => openElasticsearchContentIndex({ ...OPTIONS, prefix: `${run}${rule}-${name}-` });
});

describe("The content index in Elasticsearch", () => {
  it("tells of changes that were written by a process that ended before it told", async () => {
    const place = { ...OPTIONS, prefix: `${run}untold-` };
    const change = put(articleOf("a"));
    await using index = await openElasticsearchContentIndex(place);
    await index.apply([put(articleOf("b"))], NO_POSITIONS);
    const client = new Client({ node: settings.node });
    const name = indexNames(place).indexOf(CONFORMANCE_MODEL, 1);
    expect(await writeChanges(client, name, [change])).toBe(1);
    await client.close();
    const generation = index.generation();
    await index.positions();
    await index.apply([change], NO_POSITIONS);
    expect(index.generation()).toBe(generation + 1);
    expect((await index.stats()).articles).toBe(2);
    await index.apply([change], NO_POSITIONS);
    expect(index.generation()).toBe(generation + 1);
  });
});

describe("Versions of the content index in Elasticsearch", () => {
  it("are indexes side by side, of which the alias names one, and one is removed alone", async () => {
    const place = { ...OPTIONS, prefix: `${run}versions-` };
    const model = { model: CONFORMANCE_MODEL, dimensions: CONFORMANCE_DIMENSIONS };
    const vector = new Float32Array(CONFORMANCE_DIMENSIONS).fill(
      1 / Math.sqrt(CONFORMANCE_DIMENSIONS),
    );
    const article = buildArticle({ embedding: { model: CONFORMANCE_MODEL, vector } });
    await using first = await openElasticsearchContentIndex(place);
    await using second = await openElasticsearchContentIndex({ ...place, version: 2 });
    await first.apply([{ kind: "put", article, offset: 0 }], new Map([[0, 1]]));
    expect([await first.stats(), await second.stats()].map(({ articles }) => articles)).toEqual([
      1, 0,
    ]);
    const client = new Client({ node: settings.node });
    const named = async () =>
      Object.keys(await client.indices.getAlias({ name: `${place.prefix}articles-served` }));
    await servedAlias(place).write(model, 1);
    const [before] = await named();
    await servedAlias(place).write(model, 2);
    expect(await named()).toEqual([`${before}-r2`]);
    await servedAlias(place).write(model, 1);
    for (let times = 0; times < 2; times += 1)
      await removeElasticsearchIndex(place, { model: CONFORMANCE_MODEL, version: 2 });
    expect(await first.positions()).toEqual(new Map([[0, 1]]));
    await expect(second.stats()).rejects.toThrow("no such index");
    await client.close();
  });
});
