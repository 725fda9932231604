import { describe, expect, it } from "vitest";
import { fieldsOf, valueAt, withChoices, withValue } from "./setting-fields.ts";

const document = {
  components: {
    schemas: {
      Rule: {
        type: "object",
        properties: {
          match: { type: "string", enum: ["source", "article"] },
          id: { type: "string" },
          factor: { type: "number", minimum: 0.05, maximum: 20 },
        },
      },
      Category: { type: "string", enum: ["politics", "sports"] },
      Settings: {
        type: "object",
        properties: {
          weights: {
            type: "object",
            description: "One is above 0.",
            properties: { relevance: { type: "number", minimum: 0, maximum: 1000 } },
          },
          age_hours_max: { type: ["number", "null"], minimum: 1 },
          window_items: { type: "integer", minimum: 1, maximum: 500 },
          mode: { type: "string", enum: ["prefer", "filter"] },
          exclude_sent: { type: "boolean" },
          categories: { type: ["array", "null"], items: { $ref: "#/components/schemas/Category" } },
          pins: { type: "array", maxItems: 20, items: { type: "string" } },
          rules: { type: "array", maxItems: 50, items: { $ref: "#/components/schemas/Rule" } },
          odd: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
        },
      },
    },
  },
};

describe("Fields of a schema", () => {
  const fields = fieldsOf(document, "Settings");

  it("are of the kinds the schema has, in its order", () => {
    expect(fields.map(({ kind, path }) => `${kind} ${path.join(".")}`)).toEqual([
      "group weights",
      "number age_hours_max",
      "number window_items",
      "choice mode",
      "flag exclude_sent",
      "list categories",
      "list pins",
      "entries rules",
    ]);
  });

  it("have the bounds, values and names of places within", () => {
    const [weights, age, window, , , categories, pins, rules] = fields;
    expect(weights).toMatchObject({
      description: "One is above 0.",
      fields: [{ kind: "number", path: ["weights", "relevance"], minimum: 0, maximum: 1000 }],
    });
    expect(age).toMatchObject({ minimum: 1, maximum: undefined, isNullable: true });
    expect(window).toMatchObject({ isInteger: true, isNullable: false });
    expect(categories).toMatchObject({ options: ["politics", "sports"], isNullable: true });
    expect(pins).toMatchObject({ options: undefined, itemsMax: 20, isNullable: false });
    expect(rules).toMatchObject({
      itemsMax: 50,
      matches: ["source", "article"],
      number: { name: "factor", minimum: 0.05, maximum: 20 },
    });
  });
});

describe("Choices of a list", () => {
  it("are those there are, and those that were chosen before; other lists stay as they were", () => {
    const fields = fieldsOf(document, "Settings");
    const [, , , , , categories, pins] = withChoices(fields, "pins", ["a", "b"], {
      pins: ["x", "a"],
    });
    expect(pins).toMatchObject({ options: ["a", "b", "x"] });
    expect(categories).toMatchObject({ options: ["politics", "sports"] });
  });
});

describe("A value", () => {
  const values = { weights: { relevance: 1, freshness: 2 }, pins: ["a"] };

  it("is found at its place", () => {
    expect(valueAt(values, ["weights", "freshness"])).toBe(2);
    expect(valueAt(values, ["caps", "source"])).toBeUndefined();
  });

  it("is changed without touching any other", () => {
    expect(withValue(values, ["weights", "relevance"], 5)).toEqual({
      weights: { relevance: 5, freshness: 2 },
      pins: ["a"],
    });
    expect(withValue(values, ["caps", "source"], 0.5)).toMatchObject({ caps: { source: 0.5 } });
    expect(values.weights.relevance).toBe(1);
  });

  it("is taken out by undefined, and kept by null", () => {
    expect(withValue(values, ["pins"], undefined)).toEqual({ weights: values.weights });
    expect(withValue(values, ["weights", "relevance"], null)).toMatchObject({
      weights: { relevance: null },
    });
  });
});
