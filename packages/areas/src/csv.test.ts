import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

describe("CSV text (RFC 4180)", () => {
  it("reads quoted fields with separators, quotes and line breaks inside", () => {
    const { records, problems } = parseCsv('a,"b,1"\r\n"say ""x""","two\nlines"\nlast,\n');
    expect(records).toEqual([
      { line: 1, fields: ["a", "b,1"] },
      { line: 2, fields: ['say "x"', "two\nlines"] },
      { line: 4, fields: ["last", ""] },
    ]);
    expect(problems).toEqual([]);
  });

  it("ignores a byte order mark and empty lines", () => {
    expect(parseCsv("\uFEFFa,b\n\nc,d").records.map((record) => record.line)).toEqual([1, 3]);
  });

  it("reports a stray quote by its line and goes on at the next", () => {
    const { records, problems } = parseCsv('a,b\nc"d,e\n"f"g,h\ni,j\n');
    expect(problems.map((problem) => problem.line)).toEqual([2, 3]);
    expect(records.map((record) => record.line)).toEqual([1, 4]);
  });

  it("reports a quote that is never closed", () => {
    const { records, problems } = parseCsv('a,b\nc,"d\ne,f\n');
    expect(problems).toEqual([{ line: 2, problem: "a quoted field is never closed" }]);
    expect(records).toHaveLength(1);
  });
});
