import type { StoredFact } from "@feed/domain/facts";
import type { Resolver, Type } from "avsc";
import { avroType } from "./avro-type.ts";
import { FACT_MAPPINGS } from "./mapping.ts";
import type { FactMapping, FactType } from "./mapping.ts";
import { UnreadableRecord } from "./port.ts";
import type { SchemaRegistry } from "./port.ts";
import { structureCheck } from "./structure.ts";
import type { StructureCheck } from "./structure.ts";
import { asBuffer } from "./wire-bytes.ts";
import { HEADER_BYTES, schemaIdOf, writeHeader } from "./wire-format.ts";

/** Most facts fit; a larger one grows the buffer once and for all. */
const SCRATCH_BYTES = 64 * 1024;

export interface FactCodec {
  /** @throws when the fact does not fit its type: a bug. */
  encode(fact: StoredFact): Uint8Array;
  /**
   * Reads what any version ever written holds.
   * @throws UnreadableRecord, and nothing else, whatever the bytes.
   */
  decode(bytes: Uint8Array): StoredFact;
}

interface Writer {
  readonly id: number;
  readonly type: Type;
  readonly mapping: FactMapping;
}

interface Reader {
  readonly type: Type;
  /** Undefined: written with the newest version. */
  readonly resolver: Resolver | undefined;
  readonly check: StructureCheck | undefined;
  readonly mapping: FactMapping;
}

/**
 * Facts as Avro in the wire format of the Confluent schema registry: a zero byte, the schema's id in 4
 * bytes big endian, the record in Avro's binary encoding.
 *
 * @throws when the registry lacks the record of a fact.
 */
export function createFactCodec(registry: SchemaRegistry): FactCodec {
  const writers = openWriters(registry);
  const readers = new Map<number, Reader>();
  let scratch = Buffer.allocUnsafe(SCRATCH_BYTES);

  const readerOf = (id: number): Reader => {
    const known = readers.get(id);
    if (known !== undefined) return known;
    const reader = openReader(registry, writers, id);
    readers.set(id, reader);
    return reader;
  };

  return {
    encode: (fact) => {
      const { id, type, mapping } = writers[fact.type];
      const wire = mapping.toWire(fact);
      let end = type.encode(wire, scratch, HEADER_BYTES);
      if (end < 0) {
        // Negative: how many bytes were missing.
        scratch = Buffer.allocUnsafe(scratch.length - end);
        end = type.encode(wire, scratch, HEADER_BYTES);
      }
      writeHeader(scratch, id);
      return Buffer.from(scratch.subarray(0, end));
    },
    decode: (bytes) => {
      const buffer = asBuffer(bytes);
      const id = schemaIdOf(buffer);
      if (id === undefined)
        throw new UnreadableRecord("it does not begin with a zero byte and a schema id");
      return readFact(readerOf(id), buffer);
    },
  };
}

function openWriters(registry: SchemaRegistry): Readonly<Record<FactType, Writer>> {
  const entries = Object.entries(FACT_MAPPINGS).map(([factType, mapping]) => {
    const id = registry.idFor(mapping.record);
    const registered = id === undefined ? undefined : registry.schemaById(id);
    if (registered === undefined)
      throw new Error(`${mapping.record} is not in the schema registry`);
    return [factType, { id: registered.id, type: avroType(registered.schema), mapping }] as const;
  });
  return Object.fromEntries(entries) as Record<FactType, Writer>;
}

function openReader(
  registry: SchemaRegistry,
  writers: Readonly<Record<FactType, Writer>>,
  id: number,
): Reader {
  const written = registry.schemaById(id);
  if (written === undefined) throw new UnreadableRecord(`schema ${id} is not registered`);
  const newest = Object.values(writers).find(({ mapping }) => mapping.record === written.record);
  if (newest === undefined) throw new UnreadableRecord(`${written.record} is no fact`);
  const writtenType = newest.id === id ? newest.type : avroType(written.schema);
  return {
    type: newest.type,
    resolver: newest.id === id ? undefined : newest.type.createResolver(writtenType),
    check: structureCheck(writtenType),
    mapping: newest.mapping,
  };
}

function readFact({ type, resolver, check, mapping }: Reader, buffer: Buffer): StoredFact {
  try {
    check?.(buffer, HEADER_BYTES);
    const { value, offset } = type.decode(buffer, HEADER_BYTES, resolver);
    if (offset !== buffer.length) throw new UnreadableRecord("its length does not fit its schema");
    return mapping.fromWire(value);
  } catch (error) {
    if (error instanceof UnreadableRecord) throw error;
    throw new UnreadableRecord(`${mapping.record} can't be read`, { cause: error });
  }
}
