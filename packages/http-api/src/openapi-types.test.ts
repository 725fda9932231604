import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { GENERATED } from "./generate-types.ts";
import { compileValidation } from "./validation.ts";
import { operationsOf, readOpenapiDocument } from "./openapi-document.ts";
import { PROBLEM_TYPES } from "./problem-types.ts";

const document = readOpenapiDocument();

describe("schemas/http/openapi.yaml is the single source", () => {
  it.each(GENERATED)(
    "gives what is committed in $file.pathname; run generate-types.ts when this fails",
    async ({ file, make }) => {
      expect(await readFile(file, "utf8")).toBe(await make(document));
    },
  );

  it("gives examples that fit their own schemas", () => {
    const validation = compileValidation(document);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const examples = (schema["examples"] ?? []) as readonly unknown[];
      for (const example of examples)
        expect(validation.faultOf(name, example, name)).toBeUndefined();
    }
  });

  it("names every operation once, and says why each answer is given", () => {
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.every(({ responses }) => Object.keys(responses).length > 0)).toBe(true);
  });

  it("speaks of every problem type a caller can meet", () => {
    const text = JSON.stringify(document);
    const unmentioned = Object.keys(PROBLEM_TYPES).filter((slug) => !text.includes(`\`${slug}\``));
    expect(unmentioned).toEqual([]);
  });
});
