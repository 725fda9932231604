import { describe, expect, it } from "vitest";
import { encodeShiftJis } from "./shift-jis.ts";

const decode = (bytes: Uint8Array): string =>
  new TextDecoder("shift_jis", { fatal: true }).decode(bytes);

describe("encodeShiftJis", () => {
  it("is undone by a Shift_JIS decoder for kanji, kana, half-width kana, NEC and IBM characters", () => {
    const text = "渋谷駅 Abc 1～9、表示ソ能 ﾃｽﾄ ①Ⅷ㈱ 髙﨑";
    expect(decode(encodeShiftJis(text))).toBe(text);
  });

  it("writes the well-known bytes", () => {
    expect(encodeShiftJis("日本ｱ").toString("hex")).toBe("93fa967bb1");
  });

  it("writes characters outside the charset as numeric references", () => {
    expect(decode(encodeShiftJis("©と😀"))).toBe("&#169;と&#128512;");
  });
});
