import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** Far above any article; a file without line breaks must not fill the memory. */
const LINE_CHARS_MAX = 32 * 1024 * 1024;

/**
 * Lines of a UTF-8 file, unpacked where its name ends in `.gz`. Only `\n` and `\r\n` end a line: JSON
 * text holds U+2028 and U+2029 as they are (RFC 8259, 7), at which `node:readline` would part it.
 *
 * Errors: those of the file, RangeError for a line of more than 32 Mi characters.
 */
export async function* linesOfFile(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file);
  // Errors of the file reach the reader of the unpacked bytes; the callback has nothing to add.
  const bytes = file.endsWith(".gz") ? pipeline(raw, createGunzip(), () => undefined) : raw;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX)
      throw new RangeError(`${file} has a line of more than ${LINE_CHARS_MAX} characters`);
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decoder.decode();
  if (rest !== "") yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
