/** A schema that records in the log were written with. */
export interface RegisteredSchema {
  /** In the wire format of every record: never given to another schema. */
  readonly id: number;
  /** Full Avro name of the record, e.g. `feed.events.BehaviourRecorded`. */
  readonly record: string;
  /** The Avro schema, parsed from JSON. */
  readonly schema: unknown;
}

/**
 * Which schema an id means, and which id to write with.
 *
 * Both answer at once: an adapter to a registry elsewhere reads it before it is handed out, and again on
 * its own.
 */
export interface SchemaRegistry {
  /** Undefined: not registered. */
  schemaById(id: number): RegisteredSchema | undefined;
  /** Id of the newest version of a record; undefined: not registered. */
  idFor(record: string): number | undefined;
}

/** Bytes that are no fact: a dead letter, never a reason to stop (architecture rule 4). */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";
}
