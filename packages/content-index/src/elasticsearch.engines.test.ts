import { randomUUID } from "node:crypto";
import { Client } from "@elastic/elasticsearch";
import { buildArticle, engineUrl } from "@feed/test-kit";
import { afterAll, describe, expect, it } from "vitest";
import { CONFORMANCE_DIMENSIONS, CONFORMANCE_MODEL, describeContentIndex } from "./conformance.ts";
import {
  openElasticsearchContentIndex,
  parseElasticsearchUrl,
  removeElasticsearchIndex,
  servedAlias,
} from "./elasticsearch.ts";

const settings = parseElasticsearchUrl(engineUrl("CONTENT_INDEX"));
const run = `test-${randomUUID()}-`;

afterAll(async () => {
  const client = new Client({ node: settings.node });
  const name = `${run}*`;
  await client.indices.delete({ index: name });
  await client.indices.deleteIndexTemplate({ name });
  await client.close();
});

let rules = 0;
describeContentIndex("Elasticsearch", async () => {
  const rule = (rules += 1);
  return (name) =>
    openElasticsearchContentIndex({
      ...settings,
      prefix: `${run}${rule}-${name}-`,
      model: CONFORMANCE_MODEL,
      dimensions: CONFORMANCE_DIMENSIONS,
    });
});

describe("Versions of the content index in Elasticsearch", () => {
  it("are indexes side by side, of which the alias names one, and one is removed alone", async () => {
    const place = { ...settings, prefix: `${run}versions-` };
    const model = { model: CONFORMANCE_MODEL, dimensions: CONFORMANCE_DIMENSIONS };
    const vector = new Float32Array(CONFORMANCE_DIMENSIONS).fill(
      1 / Math.sqrt(CONFORMANCE_DIMENSIONS),
    );
    const article = buildArticle({ embedding: { model: CONFORMANCE_MODEL, vector } });
    await using first = await openElasticsearchContentIndex({ ...place, ...model });
    await using second = await openElasticsearchContentIndex({ ...place, ...model, version: 2 });
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
