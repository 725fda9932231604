import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readSchemaFolder } from "./bundled.ts";
import type { SchemaEntry, SchemaFolder } from "./bundled.ts";
import { checkCompatibility } from "./compatibility.ts";

const folder = readSchemaFolder();
const FILE = "behaviour-recorded.v1.avsc";
const RECORD = "feed.events.BehaviourRecorded";

interface AvroField {
  readonly name: string;
  readonly type: unknown;
  readonly default?: unknown;
}

/** The folder with a second version of BehaviourRecorded whose fields are changed. */
function withVersion2(
  change: (fields: readonly AvroField[]) => readonly AvroField[],
): SchemaFolder {
  const schema = JSON.parse(folder.texts.get(FILE) ?? "") as {
    readonly fields: readonly AvroField[];
  };
  return withFile({ ...schema, fields: change(schema.fields) }, {});
}

function withFile(schema: unknown, parts: Partial<SchemaEntry>): SchemaFolder {
  const text = JSON.stringify(schema);
  const file = parts.file ?? "behaviour-recorded.v2.avsc";
  const id = folder.entries.length + 1;
  const entry = { id, file, record: RECORD, version: 2, sha256: hash("sha256", text), ...parts };
  return { entries: [...folder.entries, entry], texts: new Map([...folder.texts, [file, text]]) };
}

const v1 = JSON.parse(folder.texts.get(FILE) ?? "") as unknown;

describe("the schemas of the repository", () => {
  it("have no violation", () => {
    expect(checkCompatibility(folder)).toEqual([]);
  });

  it("are checked by a command that fails when there is one", () => {
    const command = new URL("./check-schemas.ts", import.meta.url).pathname;
    const { status, stderr } = spawnSync(process.execPath, [command], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("document every record and every field", () => {
    const undocumented = [...folder.texts].flatMap(([file, text]) => {
      const schema = JSON.parse(text) as { doc?: string; fields: { name: string; doc?: string }[] };
      const parts = [{ name: file, doc: schema.doc }, ...schema.fields];
      return parts.filter(({ doc }) => !doc).map(({ name }) => `${file} ${name}`);
    });
    expect(undocumented).toEqual([]);
  });
});

describe("the compatibility check accepts", () => {
  it("a new field with a default", () => {
    const extra = { name: "country", type: ["null", "string"], default: null };
    expect(checkCompatibility(withVersion2((fields) => [...fields, extra]))).toEqual([]);
  });

  it("leaving out a field that had a default", () => {
    const without = withVersion2((fields) => fields.filter(({ name }) => name !== "origin"));
    expect(checkCompatibility(without)).toEqual([]);
  });
});

describe("the compatibility check refuses", () => {
  it("an edit of a released file, though it be compatible", () => {
    const text = (folder.texts.get(FILE) ?? "").replace("One of the eight", "One of eight");
    const edited = { ...folder, texts: new Map([...folder.texts, [FILE, text]]) };
    expect(checkCompatibility(edited)).toEqual([expect.stringContaining(`${FILE} was edited`)]);
  });

  it("a new field without a default: it can't read older records", () => {
    const violations = checkCompatibility(
      withVersion2((fields) => [...fields, { name: "country", type: "string" }]),
    );
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(
      "behaviour-recorded.v2.avsc can't read what behaviour-recorded.v1.avsc",
    );
  });

  it("leaving out a field without a default: older readers need it", () => {
    const violations = checkCompatibility(
      withVersion2((fields) => fields.filter(({ name }) => name !== "eventId")),
    );
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(
      "behaviour-recorded.v1.avsc can't read what behaviour-recorded.v2.avsc",
    );
  });

  it("another type of a field", () => {
    const violations = checkCompatibility(
      withVersion2((fields) =>
        fields.map((field) => (field.name === "ofUser" ? { ...field, type: "string" } : field)),
      ),
    );
    expect(violations).toHaveLength(2);
  });

  it("a new symbol of an enumeration: older readers don't know it", () => {
    const widened = JSON.parse(
      JSON.stringify(v1).replace('"dislike"', '"dislike","hide"'),
    ) as unknown;
    const violations = checkCompatibility(withFile(widened, {}));
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain("behaviour-recorded.v1.avsc can't read");
  });

  it("an id that is used twice, or one that was removed", () => {
    expect(checkCompatibility(withFile(v1, { id: 1 }))).toHaveLength(1);
    expect(
      checkCompatibility({ ...folder, entries: folder.entries.slice(1) }).length,
    ).toBeGreaterThan(0);
  });

  it("a version number that is skipped", () => {
    const violations = checkCompatibility(
      withFile(v1, { version: 3, file: "behaviour-recorded.v3.avsc" }),
    );
    expect(violations).toEqual([
      "behaviour-recorded.v3.avsc must be version 2 of feed.events.BehaviourRecorded",
    ]);
  });

  it.each([
    [
      "a file that is not listed",
      { ...folder, texts: new Map([...folder.texts, ["new.v1.avsc", "{}"]]) },
    ],
    ["a listed file that is missing", { ...folder, texts: new Map([...folder.texts].slice(1)) }],
    ["a file named for another version", withFile(v1, { file: "behaviour-recorded.v9.avsc" })],
    ["a schema of another record", withFile(v1, { record: "feed.events.Other" })],
    ["a file that is no schema", withFile({ type: "record" }, {})],
  ])("%s", (_what, planted) => {
    expect(checkCompatibility(planted)).toHaveLength(1);
  });
});
