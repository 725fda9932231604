import type { Client, estypes } from "@elastic/elasticsearch";
import { ContentIndexUnavailable, ContentRejected } from "../port.ts";
import type { ContentChange } from "../port.ts";
import { documentOf } from "./documents.ts";
import type { ArticleDocument, StoredDocument, WithdrawnDocument } from "./documents.ts";

/** One request holds about this much: Elasticsearch takes 100 MB at most. */
const REQUEST_BYTES_MAX = 8 * 1024 * 1024;
const REQUEST_CHANGES_MAX = 500;
/** A document of that version or a newer one is there: the change is a repetition, or late. */
const CONFLICT = 409;
const BAD_REQUEST = 400;

interface Operation {
  readonly id: string;
  readonly version: number;
  /** Made into JSON once, for its size and for the request. */
  readonly json: string;
}

/** Writes the changes in order, each under its offset as external version; how many took effect. */
export async function writeChanges(
  client: Client,
  index: string,
  changes: readonly ContentChange[],
): Promise<number> {
  const vectors = await heldVectors(client, index, changes);
  const operations = changes.map((change): Operation => {
    const document = documentFor(change, vectors);
    if ("vector" in document) vectors.set(document.contentId, document.vectorBytes);
    const version = versionOf(change.offset);
    return { id: document.contentId, version, json: JSON.stringify(document) };
  });
  let effective = 0;
  for (const part of partsOf(operations)) effective += await writePart(client, index, part);
  return effective;
}

/** External versions begin at 1, offsets at 0. */
export function versionOf(offset: number): number {
  return offset + 1;
}

function documentFor(
  change: ContentChange,
  vectors: ReadonlyMap<string, string>,
): ArticleDocument | WithdrawnDocument {
  if (change.kind === "put") return documentOf(change.article);
  const { contentId } = change;
  const vectorBytes = vectors.get(contentId);
  return { contentId, withdrawn: true, ...(vectorBytes === undefined ? {} : { vectorBytes }) };
}

/** Vectors of the articles that are withdrawn: those stay. */
async function heldVectors(
  client: Client,
  index: string,
  changes: readonly ContentChange[],
): Promise<Map<string, string>> {
  const ids = changes.flatMap((change) => (change.kind === "withdraw" ? [change.contentId] : []));
  const held = new Map<string, string>();
  for (let from = 0; from < ids.length; from += REQUEST_CHANGES_MAX) {
    const part = ids.slice(from, from + REQUEST_CHANGES_MAX);
    const request = { index, ids: part, _source_includes: ["vectorBytes"] };
    const { docs } = await client.mget<Pick<StoredDocument, "vectorBytes">>(request);
    for (const doc of docs) {
      const bytes = "_source" in doc ? doc._source?.vectorBytes : undefined;
      if (bytes !== undefined) held.set(doc._id, bytes);
    }
  }
  return held;
}

function* partsOf(operations: readonly Operation[]): Generator<readonly Operation[]> {
  let part: Operation[] = [];
  let bytes = 0;
  for (const operation of operations) {
    if (
      part.length === REQUEST_CHANGES_MAX ||
      (part.length > 0 && bytes + operation.json.length > REQUEST_BYTES_MAX)
    ) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(operation);
    bytes += operation.json.length;
  }
  if (part.length > 0) yield part;
}

async function writePart(
  client: Client,
  index: string,
  operations: readonly Operation[],
): Promise<number> {
  const lines = operations.flatMap(({ id, version, json }) => [
    JSON.stringify({ index: { _id: id, version, version_type: "external" } }),
    json,
  ]);
  // Not repeated by the client: what the first request had written would look like a change without effect.
  const { items } = await client.bulk({ index, operations: lines }, { maxRetries: 0 });
  let effective = 0;
  for (const { index: item } of items) {
    if (item === undefined || item.status === CONFLICT) continue;
    if (item.error !== undefined) throw refusalOf(item);
    effective += 1;
  }
  return effective;
}

function refusalOf({ status, error, _id }: estypes.BulkResponseItem): Error {
  const reason = `${_id}: ${error?.reason ?? error?.type ?? `status ${status}`}`;
  return status === BAD_REQUEST
    ? new ContentRejected(reason)
    : new ContentIndexUnavailable(`can't write ${reason}`);
}
