import { describe, expect, it } from "vitest";
import { boundStatement } from "./bound-statement.ts";

describe("A statement with parameters", () => {
  it("has each value in its place, with its type", () => {
    const sql = "SELECT {a:UInt8}, {names:Array(String)} LIMIT {a:UInt8}";
    expect(boundStatement(sql, { a: "7", names: "['x','it\\'s']" })).toBe(
      "SELECT _CAST('7', 'UInt8'), _CAST('[\\'x\\',\\'it\\\\\\'s\\']', 'Array(String)') LIMIT _CAST('7', 'UInt8')",
    );
  });

  it("takes values as HTTP has them, and none of them ends its literal", () => {
    const value = (text: string) => boundStatement("{v:String}", { v: text });
    expect(value("it\\'s\\n\\\\")).toBe("_CAST('it\\'s\n\\\\', 'String')");
    expect(value("', 'String') OR 1 -- ")).toBe("_CAST('\\', \\'String\\') OR 1 -- ', 'String')");
    expect(boundStatement("{v:Nullable(String)}", { v: "\\N" })).toBe(
      "_CAST(NULL, 'Nullable(String)')",
    );
  });

  it("leaves quotes, names, comments and what has no value alone", () => {
    const sql =
      "SELECT '{a:Int8}', `{a:Int8}`, 'it''s {a:Int8}' /* {a:Int8} */, {b:Int8} -- {a:Int8}";
    expect(boundStatement(sql, { a: "1" })).toBe(sql);
  });
});
