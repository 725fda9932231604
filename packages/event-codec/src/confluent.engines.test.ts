import { randomUUID } from "node:crypto";
import { buildBehaviourRecorded, engineUrl } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openBundledRegistry, readSchemaFolder } from "./bundled.ts";
import type { SchemaFolder } from "./bundled.ts";
import { createFactCodec } from "./codec.ts";
import { openConfluentRegistry } from "./confluent.ts";
import { SchemaRefused, SchemaRegistryUnavailable, UnreadableRecord } from "./port.ts";
import { schemaIdOf } from "./wire-format.ts";

const RECORD = "feed.events.BehaviourRecorded";
const personal = { keyId: "k1", keyOffset: 1, bytes: Buffer.from([1, 2, 3]) };
const click = { ...buildBehaviourRecorded(), personal };

/** A registry that has just started takes its time, and six that open at once ask much of it. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Subjects of its own in the registry that tests run against. */
function freshSubjects() {
  const subjectPrefix = `test-${randomUUID()}.`;
  return {
    url: engineUrl("SCHEMA_REGISTRY"),
    subjectPrefix,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  };
}

/** The repository's schemas and one more version of a record, with fields added or replaced. */
function withVersion(version: number, fields: (fields: readonly Field[]) => unknown): SchemaFolder {
  const { entries, texts } = readSchemaFolder();
  const first = entries.find(({ record }) => record === RECORD)!;
  const schema = JSON.parse(texts.get(first.file)!) as { readonly fields: readonly Field[] };
  const file = `behaviour-recorded.v${version}.avsc`;
  return {
    entries: [...entries, { ...first, id: entries.length + 1, file, version }],
    texts: new Map([
      ...texts,
      [file, JSON.stringify({ ...schema, fields: fields(schema.fields) })],
    ]),
  };
}

interface Field {
  readonly name: string;
}

describe("The schema registry of a cluster", () => {
  it("gives every schema an id of its own there, the same to every process", async () => {
    const subjects = freshSubjects();
    const registry = await openConfluentRegistry(subjects);
    const again = await openConfluentRegistry(subjects);
    for (const { id, record } of readSchemaFolder().entries) {
      const there = registry.idOfBundled(id);
      expect(again.idOfBundled(id)).toBe(there);
      expect(registry.schemaById(there!)).toMatchObject({ id: there, record });
    }
    const newest = readSchemaFolder().entries.findLast(({ record }) =>
      record.endsWith("SourceSaved"),
    );
    expect(registry.idFor("feed.events.SourceSaved")).toBe(registry.idOfBundled(newest!.id));
  });

  it("is opened by any number of processes at once, from the first day", async () => {
    const subjects = freshSubjects();
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => openConfluentRegistry(subjects)),
    );
    expect(new Set(opened.map((registry) => registry.idFor(RECORD))).size).toBe(1);
  });

  it("stamps facts with its own ids, and every process reads them", async () => {
    const subjects = freshSubjects();
    const registry = await openConfluentRegistry(subjects);
    const bytes = createFactCodec(registry).encode(click);
    expect(schemaIdOf(bytes)).toBe(registry.idFor(RECORD));
    const other = createFactCodec(await openConfluentRegistry(subjects));
    expect(other.decode(bytes)).toEqual(click);
    const bundled = createFactCodec(openBundledRegistry()).encode(click);
    expect(Buffer.from(bytes).subarray(5)).toEqual(Buffer.from(bundled).subarray(5));
  });

  it("teaches what a newer build registered since, so that an older one reads it", async () => {
    const subjects = freshSubjects();
    const older = await openConfluentRegistry(subjects);
    const added = { name: "added", type: "string", default: "" };
    const folder = withVersion(2, (fields) => [...fields, added]);
    const newer = await openConfluentRegistry({ ...subjects, folder });
    const bytes = createFactCodec(newer).encode({ ...click, added: "later" } as typeof click);
    const codec = createFactCodec(older);
    const id = schemaIdOf(bytes)!;
    expect(older.schemaById(id)).toBeUndefined();
    await older.learn([id]);
    expect(codec.decode(bytes)).toEqual(click);
    // And the older build goes on writing what it knows, which the newer one reads.
    expect(createFactCodec(newer).decode(codec.encode(click))).toMatchObject(click);
  });

  it("leaves an id that nobody registered unreadable", async () => {
    const registry = await openConfluentRegistry(freshSubjects());
    await registry.learn([999_999_999]);
    const bytes = Buffer.from(createFactCodec(registry).encode(click));
    bytes.writeUInt32BE(999_999_999, 1);
    expect(() => createFactCodec(registry).decode(bytes)).toThrow(UnreadableRecord);
  });

  it("is not opened with a version that others can't read", async () => {
    const subjects = freshSubjects();
    await openConfluentRegistry(subjects);
    const folder = withVersion(2, (fields) => [...fields, { name: "required", type: "string" }]);
    const opening = openConfluentRegistry({ ...subjects, folder });
    await expect(opening).rejects.toThrow(SchemaRefused);
    await expect(opening).rejects.toThrow(/refuses version 2 of feed.events.BehaviourRecorded/);
  });

  it("is unavailable, in one line, where nothing answers", async () => {
    const opening = openConfluentRegistry({ url: "http://user:secret@127.0.0.1:1/api" });
    await expect(opening).rejects.toThrow(SchemaRegistryUnavailable);
    await expect(opening).rejects.toThrow(
      /^the schema registry at http:\/\/127.0.0.1:1\/api [^\n]*$/,
    );
  });
});
