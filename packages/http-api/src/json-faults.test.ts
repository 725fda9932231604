import { processorMs } from "@feed/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inspectJson } from "./json-faults.ts";

const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

describe("fault test 24: what JSON.parse lets pass", () => {
  it.each([
    ['{"a":1,"a":2}', "/a", "is given twice"],
    ['{"a":1,"\\u0061":2}', "/a", "is given twice"],
    ['{"list":[{},{"x":{"b":1,"c":[1,2],"b":1}}]}', "/list/1/x/b", "is given twice"],
    ['{"~/":1,"~/":1}', "/~0~1", "is given twice"],
    ['{"a":{"__proto__":{}}}', "/a/__proto__", "is not a name that can be used"],
    ['{"constructor":{"prototype":1}}', "/constructor/prototype", "is not a name that can be used"],
    ['{"a":["\\ud800"]}', "/a/0", "holds a lone surrogate"],
    ['{"\\udc00":1}', "/\ufffd", "holds a lone surrogate"],
    ['{"a":"x\\u0000"}', "/a", "holds the character NUL"],
    ['{"a":[0,1e400]}', "/a/1", "is a number beyond a double"],
    [`{"a":-${"9".repeat(400)}}`, "/a", "is a number beyond a double"],
    [nested(33), "/0".repeat(32), "is nested deeper than 32"],
  ])("finds the fault of %s", (text, pointer, detail) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(inspectJson(text).fault).toEqual({ pointer, detail });
  });

  it.each([
    nested(32),
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '{"constructor":1,"prototype":2}',
    '{"text":"{\\"a\\":1,\\"a\\":2} \\\\"}',
    '{"pair":"\\ud83d\\ude00","escaped":"\\\\u0000","n":1e3}',
    ' [ true , null , -0.5 , "" ] ',
  ])("finds none in %s", (text) => {
    expect(inspectJson(text).fault).toBeUndefined();
  });

  it("finds none in what JSON.stringify makes, and counts its values", () => {
    const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        if (text.includes("__proto__") || /\\u(?:0000|d[89a-f])/.test(text)) return;
        const { fault, values } = inspectJson(text);
        expect(fault).toBeUndefined();
        expect(values).toBe(countValues(value));
      }),
    );
  });

  it("takes time in proportion to the text", () => {
    const text = JSON.stringify({ a: '\\"'.repeat(1_000_000) });
    expect(processorMs(() => void inspectJson(text))).toBeLessThan(1_000);
  });
});

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}
