import avro from "avsc";
import type { Schema, Type } from "avsc";

/** An Avro type whose optional fields are plain values or null, and whose records are plain data. */
export function avroType(schema: unknown): Type {
  return avro.Type.forSchema(schema as Schema, {
    registry: {},
    wrapUnions: "never",
    omitRecordMethods: true,
  });
}
