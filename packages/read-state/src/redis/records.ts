import type { TenantId } from "@feed/domain/ids";
import { Packr } from "msgpackr";
import { script, type RedisConnection } from "./connection.ts";
import type { Keys, RecordKind } from "./keys.ts";

const PUT = script("put-record");
const OFFSET_BYTES = 8;
/** Above every time: the order of text is then newest first. */
const TIME_MS_MAX = 9_999_999_999_999;
const TIME_DIGITS = 13;

const packr = new Packr({ useRecords: false });

export interface StoredRecord<State> {
  readonly state: State;
  readonly offset: number;
}

/** A place in a list: after it come older records, and at the same time those with higher ids. */
export interface ListPlace {
  readonly atMs: number;
  readonly id: string;
}

/** Records of one kind, each with a place in its tenant's list. */
export class Records<State> {
  readonly #redis: RedisConnection;
  readonly #keys: Keys;
  readonly #kind: RecordKind;

  constructor(redis: RedisConnection, keys: Keys, kind: RecordKind) {
    this.#redis = redis;
    this.#keys = keys;
    this.#kind = kind;
  }

  /** Ignored unless its offset is above the stored one. */
  async put(tenantId: TenantId, place: ListPlace, record: StoredRecord<State>): Promise<void> {
    const header = Buffer.alloc(OFFSET_BYTES);
    header.writeDoubleLE(record.offset);
    const bytes = Buffer.concat([header, packr.pack(record.state)]);
    const keys = [
      this.#keys.record(this.#kind, tenantId, place.id),
      this.#keys.list(this.#kind, tenantId),
    ] as const;
    await this.#redis.run(PUT, keys, bytes, listMember(place));
  }

  async get(tenantId: TenantId, id: string): Promise<StoredRecord<State> | undefined> {
    const key = this.#keys.record(this.#kind, tenantId, id);
    const bytes = (await this.#redis.send(key, "GET", key)) as Buffer | null;
    if (bytes === null) return undefined;
    const state = packr.unpack(bytes.subarray(OFFSET_BYTES)) as State;
    return { state, offset: bytes.readDoubleLE() };
  }

  async list(
    tenantId: TenantId,
    after: ListPlace | null,
    limit: number,
  ): Promise<readonly StoredRecord<State>[]> {
    const key = this.#keys.list(this.#kind, tenantId);
    const from = after === null ? "-" : `(${listMember(after)}`;
    const range = [from, "+", "BYLEX", "LIMIT", "0", String(limit)];
    const members = (await this.#redis.send(key, "ZRANGE", key, ...range)) as readonly Buffer[];
    const ids = members.map((member) => member.toString().slice(TIME_DIGITS + 1));
    const records = await Promise.all(ids.map((id) => this.get(tenantId, id)));
    return records.filter((record) => record !== undefined);
  }
}

function listMember({ atMs, id }: ListPlace): string {
  return `${String(TIME_MS_MAX - atMs).padStart(TIME_DIGITS, "0")}/${id}`;
}
