/** The wire format of the Confluent schema registry: a zero byte, the schema's id in 4 bytes big endian, the record. */

import { asBuffer } from "./wire-bytes.ts";

const MAGIC = 0;
const ID_AT = 1;

export const HEADER_BYTES = 5;

/** Undefined: the bytes do not begin as the format says. */
export function schemaIdOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES || bytes[0] !== MAGIC) return undefined;
  return asBuffer(bytes).readUInt32BE(ID_AT);
}

/** Writes the header over the first bytes. */
export function writeHeader(buffer: Buffer, schemaId: number): void {
  buffer.writeUInt8(MAGIC, 0);
  buffer.writeUInt32BE(schemaId, ID_AT);
}

/** The same record under another id; `bytes` are left as they are. */
export function withSchemaId(bytes: Uint8Array, schemaId: number): Uint8Array {
  const copy = Buffer.from(bytes);
  writeHeader(copy, schemaId);
  return copy;
}
