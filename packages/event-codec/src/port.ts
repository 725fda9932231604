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

/** A registry elsewhere, where other processes may register schemas at any time. */
export interface RemoteSchemaRegistry extends SchemaRegistry {
  /**
   * Resolves when it is known of each id what it means, or that nothing is registered under it. Rejects with
   * SchemaRegistryUnavailable.
   */
  learn(ids: Iterable<number>): Promise<void>;
  /** The id here of a schema of this repository, by its id in `registry.json`; undefined: there is none. */
  idOfBundled(bundledId: number): number | undefined;
}

/** The registry does not answer, or refuses: trying later may help. */
export class SchemaRegistryUnavailable extends Error {
  override readonly name = "SchemaRegistryUnavailable";
}
/** The registry holds schemas that those of this repository can't be registered beside. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
}

/** Bytes that are no fact: a dead letter, never a reason to stop (architecture rule 4). */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";
}
