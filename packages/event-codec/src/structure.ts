import avro from "avsc";
import type { Type } from "avsc";
import { UnreadableRecord } from "./port.ts";

const { types } = avro;

/** Walks over encoded bytes; `offset` may pass the end only to be refused. */
interface Walk {
  readonly bytes: Uint8Array;
  offset: number;
}
type Skip = (walk: Walk) => void;

/**
 * Checks that the bytes from `offset` on are one value of a type, to the last byte.
 *
 * The decoder allocates and loops by the counts it reads. In a corrupt record a count can be anything, so
 * each is held against the bytes that are left before the decoder sees it.
 *
 * @throws UnreadableRecord
 */
export type StructureCheck = (bytes: Uint8Array, offset: number) => void;

/** Undefined where the type has neither arrays nor maps: the decoder's own checks do. */
export function structureCheck(type: Type): StructureCheck | undefined {
  if (!hasCounts(type)) return undefined;
  const skip = skipOf(type);
  return (bytes, offset) => {
    const walk = { bytes, offset };
    skip(walk);
    if (walk.offset !== bytes.length)
      throw new UnreadableRecord("its length does not fit its schema");
  };
}

function hasCounts(type: Type): boolean {
  if (type instanceof types.ArrayType || type instanceof types.MapType) return true;
  if (type instanceof types.RecordType) return type.fields.some((field) => hasCounts(field.type));
  if (type instanceof types.UnwrappedUnionType) return type.types.some(hasCounts);
  return false;
}

function skipOf(type: Type): Skip {
  if (type instanceof types.RecordType) {
    const fields = type.fields.map((field) => skipOf(field.type));
    return (walk) => fields.forEach((skip) => skip(walk));
  }
  if (type instanceof types.UnwrappedUnionType) {
    const branches = type.types.map(skipOf);
    return (walk) => {
      const branch = branches[readCount(walk)];
      if (branch === undefined) throw new UnreadableRecord("a union has no such branch");
      branch(walk);
    };
  }
  if (type instanceof types.ArrayType) return skipBlocks(skipOf(type.itemsType));
  if (type instanceof types.MapType) {
    const value = skipOf(type.valuesType);
    return skipBlocks((walk) => {
      skipSized(walk);
      value(walk);
    });
  }
  return skipOfPrimitive(type);
}

function skipOfPrimitive(type: Type): Skip {
  switch (type.typeName) {
    case "null":
      return () => undefined;
    case "boolean":
      return (walk) => forward(walk, 1);
    case "float":
      return (walk) => forward(walk, 4);
    case "double":
      return (walk) => forward(walk, 8);
    case "string":
    case "bytes":
      return skipSized;
    case "int":
    case "long":
    case "enum":
      return (walk) => void readCount(walk);
    default:
      throw new Error(`schemas of facts have no ${type.typeName}`);
  }
}

/** Blocks of items up to one of none; a negative count has the block's length in bytes behind it. */
function skipBlocks(item: Skip): Skip {
  return (walk) => {
    for (let count = readCount(walk); count !== 0; count = readCount(walk)) {
      if (count < 0) readCount(walk);
      const items = Math.abs(count);
      // Every item of ours takes at least one byte.
      if (items > walk.bytes.length - walk.offset)
        throw new UnreadableRecord("a count exceeds its bytes");
      for (let index = 0; index < items; index += 1) item(walk);
    }
  };
}

function skipSized(walk: Walk): void {
  forward(walk, readCount(walk));
}

function forward(walk: Walk, byteCount: number): void {
  const end = walk.offset + byteCount;
  if (byteCount < 0 || end > walk.bytes.length) throw new UnreadableRecord("it ends too early");
  walk.offset = end;
}

/** A zigzag varint of up to 10 bytes (Avro 1.12, "Binary Encoding"), exact below 2^53. */
function readCount(walk: Walk): number {
  let value = 0;
  let factor = 1;
  for (let length = 0; length < 10; length += 1) {
    const byte = walk.bytes[walk.offset];
    if (byte === undefined) throw new UnreadableRecord("it ends too early");
    walk.offset += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    factor *= 128;
  }
  throw new UnreadableRecord("a number is too long");
}
