import type { Client, estypes } from "@elastic/elasticsearch";
import { ContentRejected } from "../port.ts";
import type { IndexedModel } from "../validation.ts";
import { isStatus } from "./faults.ts";
import type { ElasticsearchSettings } from "./settings.ts";

/** Raised whenever what is stored changes its meaning: another layout is another index. */
const LAYOUT = 1;
const ALREADY_THERE = 400;
const NOT_FOUND = 404;

/** Names of what one installation has in a cluster. */
export function indexNames({ prefix }: Pick<ElasticsearchSettings, "prefix">) {
  const articles = `${prefix}articles`;
  return {
    template: `${prefix}articles-v${LAYOUT}`,
    pattern: `${articles}-v${LAYOUT}-*`,
    /** The index of a model and version: they lie side by side and are never mixed. */
    indexOf: (model: string, version: number) =>
      `${articles}-v${LAYOUT}-${slugOf(model)}${version === 1 ? "" : `-r${version}`}`,
    /** What the API serves from, for people and tools that look from outside. */
    served: `${articles}-served`,
  };
}

/** Creates template and index where they are missing; any number of processes may do so at once. */
export async function ensureIndex(
  client: Client,
  settings: ElasticsearchSettings,
  { model, dimensions, version }: IndexedModel & { readonly version: number },
): Promise<string> {
  const names = indexNames(settings);
  const index = names.indexOf(model, version);
  await client.indices.putIndexTemplate({
    name: names.template,
    index_patterns: [names.pattern],
    template: { settings: indexSettings(settings), mappings: MAPPINGS },
  });
  const vector: estypes.MappingDenseVectorProperty = {
    type: "dense_vector",
    dims: dimensions,
    index: true,
    similarity: "cosine",
    // Named, because the default differs by dimensions. Ranking multiplies what is found with whole floats anyway.
    index_options: { type: "int8_hnsw" },
  };
  try {
    await client.indices.create({
      index,
      mappings: { _meta: { model, dimensions }, properties: { vector } },
    });
  } catch (error) {
    if (!isStatus(error, ALREADY_THERE)) throw error;
    await assertDimensions(client, index, dimensions);
  }
  return index;
}

async function assertDimensions(client: Client, index: string, dimensions: number): Promise<void> {
  const found = await client.indices.getMapping({ index });
  const stored = (found[index]?.mappings._meta as IndexedModel | undefined)?.dimensions;
  if (stored !== dimensions)
    throw new ContentRejected(`${index} holds vectors of ${stored} dimensions, not ${dimensions}`);
}

/** The model whose index the alias names; undefined: it names none. */
export async function readServed(
  client: Client,
  settings: ElasticsearchSettings,
): Promise<IndexedModel | undefined> {
  try {
    const found = await client.indices.getMapping({ index: indexNames(settings).served });
    const [mapping] = Object.values(found);
    return mapping?.mappings._meta as IndexedModel | undefined;
  } catch (error) {
    if (isStatus(error, NOT_FOUND)) return undefined;
    throw error;
  }
}

/** Removes the index of a model and version; one that is not there is no error. */
export async function removeIndex(
  client: Client,
  settings: ElasticsearchSettings,
  { model, version }: { readonly model: string; readonly version: number },
): Promise<void> {
  const index = indexNames(settings).indexOf(model, version);
  await client.indices.delete({ index, ignore_unavailable: true });
}

/** Lets the alias name the index of a model and version, and no other, in one step. */
export async function writeServed(
  client: Client,
  settings: ElasticsearchSettings,
  { model, version }: { readonly model: string; readonly version: number },
): Promise<void> {
  const { served, indexOf, pattern } = indexNames(settings);
  await client.indices.updateAliases({
    actions: [
      { remove: { index: pattern, alias: served, must_exist: false } },
      { add: { index: indexOf(model, version), alias: served } },
    ],
  });
}

const NOT_SEARCHED: estypes.MappingProperty = { type: "object", enabled: false };

const MAPPINGS: estypes.MappingTypeMapping = {
  dynamic: false,
  properties: {
    contentId: { type: "keyword" },
    withdrawn: { type: "boolean" },
    sourceId: { type: "keyword" },
    language: { type: "keyword" },
    category: { type: "keyword" },
    areas: { type: "keyword" },
    publishedAtMs: { type: "long" },
    article: NOT_SEARCHED,
    body: NOT_SEARCHED,
  },
};

function indexSettings({ shards, replicas }: ElasticsearchSettings): estypes.IndicesIndexSettings {
  return {
    number_of_shards: shards,
    ...(replicas === undefined
      ? { auto_expand_replicas: "0-1" }
      : { number_of_replicas: replicas }),
    // A batch is made searchable when it is applied.
    refresh_interval: "30s",
  };
}

/** Models are named freely, indexes are not. */
function slugOf(model: string): string {
  const readable = model.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${readable.slice(0, 60)}-${Buffer.from(model).toString("hex").slice(0, 120)}`;
}
