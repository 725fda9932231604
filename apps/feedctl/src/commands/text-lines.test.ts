import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOfFile } from "./text-lines.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

async function linesOf(name: string, content: string | Buffer): Promise<readonly string[]> {
  const path = join(directory.path, name);
  await writeFile(path, content);
  return readAll(path);
}

async function readAll(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of linesOfFile(path)) lines.push(line);
  return lines;
}

describe("lines of a file", () => {
  it.each([
    ["end at a line feed, with or without a carriage return", "a\nb\r\nc\n", ["a", "b", "c"]],
    ["need no line feed at the end", "a\nb", ["a", "b"]],
    ["may be empty", "\n\na\n", ["", "", "a"]],
    ["are none in an empty file", "", []],
    ["are not parted at other line separators", '{"a":"\u2028\u2029\u0085\v"}\n', null],
  ])("%s", async (_, content, lines) => {
    expect(await linesOf("plain", content)).toEqual(lines ?? [content.trimEnd()]);
  });

  it("are the same whatever the chunks, unpacked from a .gz too", async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `${at} ${"記事".repeat(at % 50)}`);
    const text = lines.join("\n");
    expect(await linesOf("plain", text)).toEqual(lines);
    expect(await linesOf("packed.gz", gzipSync(text))).toEqual(lines);
  });

  it("fail where the file is missing, or is not what its name says", async () => {
    await expect(readAll(join(directory.path, "none"))).rejects.toThrow(/ENOENT/);
    await expect(readAll(join(directory.path, "none.gz"))).rejects.toThrow(/ENOENT/);
    await expect(linesOf("text.gz", "no gzip")).rejects.toThrow(/header/);
  });
});
