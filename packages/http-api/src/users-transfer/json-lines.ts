import { isUtf8 } from "node:buffer";
import { inspectJson } from "../json-faults.ts";
import type { Fault } from "../problem.ts";

const NEWLINE = 0x0a;

/** A line of JSON Lines: what it holds, or what is wrong with it. */
export type JsonLine =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly fault: Fault };

/**
 * The lines of a body while it streams, numbered from 1; empty ones are left out. A line over `lineBytesMax` is thrown away
 * as it comes: never more than that is held.
 */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<JsonLine> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 1;
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  const line = (): JsonLine | undefined => {
    const text = Buffer.concat(parts);
    const isTooLong = bytes > lineBytesMax;
    const detail = `is over ${lineBytesMax} bytes`;
    const ended = isTooLong ? { number, fault: { pointer: "", detail } } : lineOf(text, number);
    parts = [];
    bytes = 0;
    number += 1;
    return ended;
  };
  for await (const chunk of body) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      const ended = line();
      if (ended !== undefined) yield ended;
    }
    take(chunk.subarray(from));
  }
  const last = line();
  if (last !== undefined) yield last;
}

/** Undefined for an empty line. */
function lineOf(bytes: Buffer, number: number): JsonLine | undefined {
  const faulty = (detail: string) => ({ number, fault: { pointer: "", detail } });
  if (!isUtf8(bytes)) return faulty("is not UTF-8");
  const text = bytes.toString("utf8").trim();
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faulty("is no JSON");
  }
  const { fault } = inspectJson(text);
  return fault === undefined ? { number, value } : { number, fault };
}
