import { describe, expect, it } from "vitest";
import { decodeText } from "./charset.ts";

const TEXT = "日本語の見出し";
const ENCODED = {
  shift_jis: "93fa967b8cea82cc8ca98f6f82b5",
  "euc-jp": "c6fccbdcb8eca4ceb8abbdd0a4b7",
  "iso-2022-jp": "1b2442467c4b5c386c244e382b3d5024371b2842",
  "utf-8": Buffer.from(TEXT).toString("hex"),
} as const;

const bytesOf = (charset: keyof typeof ENCODED): Buffer => Buffer.from(ENCODED[charset], "hex");
const within = (before: string, charset: keyof typeof ENCODED, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), bytesOf(charset), Buffer.from(after)]);

describe("a text is decoded by its declared charset", () => {
  it.each([
    ["text/xml; charset=Shift_JIS", "shift_jis"],
    ["text/xml; charset=cp932", "shift_jis"],
    ["text/xml; charset=Windows-31J", "shift_jis"],
    ["text/xml; charset=x-sjis", "shift_jis"],
    ['text/xml;charset="EUC-JP"', "euc-jp"],
    ["text/xml; charset=eucJP-ms", "euc-jp"],
    ["text/html; charset=ISO-2022-JP", "iso-2022-jp"],
    ["text/html; charset=csISO2022JP", "iso-2022-jp"],
    ["text/html; charset=UTF8", "utf-8"],
  ] as const)("of the Content-Type %s", (contentType, charset) => {
    const { text, charset: found } = decodeText(bytesOf(charset), contentType);
    expect([text, found]).toEqual([TEXT, charset]);
  });

  it.each([
    ['<?xml version="1.0" encoding="Shift_JIS"?><t>', "shift_jis"],
    ["<?xml version='1.0' encoding='euc-jp'?><t>", "euc-jp"],
    ["<!DOCTYPE html><meta charset=shift_jis><p>", "shift_jis"],
    ['<html><meta content="text/html; charset=EUC-JP" http-equiv="Content-Type"><p>', "euc-jp"],
    ['<meta charset="iso-2022-jp">', "iso-2022-jp"],
    // Read as single bytes, so it can't be UTF-16 whatever it says.
    ['<?xml version="1.0" encoding="UTF-16"?><t>', "utf-8"],
  ] as const)("of its own declaration %s", (declaration, charset) => {
    expect(decodeText(within(declaration, charset, "</t>"), undefined).text).toContain(TEXT);
  });

  it("of its byte order mark, before all others", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, "utf16le")]);
    expect(decodeText(utf16, "text/xml; charset=shift_jis")).toMatchObject({
      text: TEXT,
      charset: "utf-16le",
    });
  });

  it("as Windows reads Shift_JIS, with its own letters", () => {
    const bytes = Buffer.from("8740fab1", "hex");
    expect(decodeText(bytes, "text/html; charset=Shift_JIS").text).toBe("①﨑");
  });
});

describe("a text whose declaration is missing or wrong", () => {
  it.each(["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"] as const)(
    "is recognised: %s",
    (charset) => {
      expect(decodeText(bytesOf(charset), undefined)).toMatchObject({ text: TEXT, charset });
      expect(decodeText(bytesOf(charset), "text/html; charset=nonsense").text).toBe(TEXT);
    },
  );

  it("is read as what it is when it was declared UTF-8", () => {
    expect(decodeText(bytesOf("shift_jis"), "text/html; charset=utf-8").text).toBe(TEXT);
  });

  it("keeps its declaration for a stray byte or two, and says what share was lost", () => {
    const long = within("a".repeat(2_000), "utf-8", "\u00ff");
    const broken = Buffer.concat([long, Buffer.from([0xff])]);
    const { charset, replacedShare } = decodeText(broken, "text/html; charset=utf-8");
    expect(charset).toBe("utf-8");
    expect(replacedShare).toBeGreaterThan(0);
    expect(replacedShare).toBeLessThan(0.005);
  });

  it("is read as Windows-1252 when nothing else fits", () => {
    expect(decodeText(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20]), undefined).text).toBe("café ");
  });

  it("may be empty", () => {
    expect(decodeText(new Uint8Array(), "text/html; charset=utf-8").text).toBe("");
  });
});
