import type { KeyObject } from "node:crypto";
import { randomBytes } from "node:crypto";
import type { Opened, Sealed } from "@feed/domain/facts";
import { BoundedCache } from "@feed/domain/bounded-cache";
import type { SubjectId } from "@feed/domain/ids";
import type { SubjectKey } from "@feed/domain/user";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog, LogConsumer, NewRecord } from "@feed/event-log";
import type { Keyring } from "@feed/signing";
import { KeyFold } from "./key-fold.ts";
import { KeyTable } from "./key-table.ts";
import type { OpenItem, OpenOutcome, PersonalData, SealItem } from "./port.ts";
import { createDataKey, seal, unseal, unwrapDataKey } from "./sealing.ts";
import { openUserFacts } from "./user-facts.ts";

/** Subjects whose unwrapped keys are kept in memory, about 1 KiB each. */
const SUBJECTS_CACHED_MAX = 50_000;
const KEY_ID_BYTES = 9;

export interface PersonalDataOptions {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly keyring: Pick<Keyring, "wrappingKey">;
  /** Of the key table, and of nothing else. Shared by all processes of a machine. */
  readonly directory: string;
  readonly clock: { nowMs(): number };
}

interface SealingKey {
  readonly keyId: string;
  readonly keyOffset: number;
  readonly key: KeyObject;
}

/** Rejects when the directory can't be used or the log can't be read. */
export async function openPersonalData(options: PersonalDataOptions): Promise<PersonalData> {
  const table = new KeyTable(options.directory);
  try {
    const store = new SealedStore(options, table);
    await store.start();
    return store;
  } catch (error) {
    await table[Symbol.asyncDispose]();
    throw error;
  }
}

class SealedStore implements PersonalData {
  readonly #options: PersonalDataOptions;
  readonly #table: KeyTable;
  readonly #fold: KeyFold;
  /** By `<subject>:<key id>`. */
  readonly #opening = new BoundedCache<string, KeyObject>(SUBJECTS_CACHED_MAX);
  readonly #sealing = new BoundedCache<SubjectId, SealingKey>(SUBJECTS_CACHED_MAX);
  /** Keys on their way into the log, so that one process makes one for a subject. */
  readonly #creating = new Map<SubjectId, Promise<ReadonlyMap<SubjectId, SealingKey>>>();
  #follower: LogConsumer | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PersonalDataOptions, table: KeyTable) {
    this.#options = options;
    this.#table = table;
    this.#fold = new KeyFold(options, table, (subjectId, keyId) => {
      this.#sealing.delete(subjectId);
      this.#opening.delete(`${subjectId}:${keyId}`);
    });
  }

  async start(): Promise<void> {
    this.#follower = await this.#fold.follow();
  }

  get failed(): Promise<void> {
    return this.#follower?.failed ?? Promise.resolve();
  }

  async sealAll(items: readonly SealItem[]): Promise<readonly Sealed[]> {
    const keys = await this.#sealingKeys(items);
    return items.map(({ tenantId, subjectId, personal }) => {
      const sealingKey = keys.get(subjectId);
      if (sealingKey === undefined) throw new RangeError("a sealing key is missing");
      const { key, keyId, keyOffset } = sealingKey;
      const bytes = seal(key, fieldsContext(tenantId, subjectId), JSON.stringify(personal));
      return { keyId, keyOffset, bytes };
    });
  }

  open<Fields>(item: OpenItem): Opened<Fields> | undefined {
    const { tenantId, subjectId, sealed } = item;
    const key = this.#opening.get(`${subjectId}:${sealed.keyId}`) ?? this.#storedKey(item);
    if (key === null || key === undefined) return key;
    try {
      const plain = unseal(key, fieldsContext(tenantId, subjectId), sealed.bytes);
      return JSON.parse(plain.toString("utf8")) as Fields;
    } catch (error) {
      throw new UnreadableRecord("its personal fields can't be opened", { cause: error });
    }
  }

  async openAll<Fields>(items: readonly OpenItem[]): Promise<readonly OpenOutcome<Fields>[]> {
    const outcomes = items.map((item) => this.#outcome<Fields>(item));
    const waiting = items.filter((_, index) => outcomes[index] === undefined);
    if (waiting.length > 0) await this.#fold.catchUp(waiting);
    return outcomes.map((outcome, index) => {
      const item = items[index];
      const settled = outcome ?? (item === undefined ? undefined : this.#outcome<Fields>(item));
      return settled ?? { unreadable: "it names a key that is not in the log" };
    });
  }

  openUserFacts(
    ...[batch, isNeeded]: Parameters<PersonalData["openUserFacts"]>
  ): ReturnType<PersonalData["openUserFacts"]> {
    return openUserFacts(batch, this.#options.codec, (items) => this.openAll(items), isNeeded);
  }

  async forget({ subjectId }: SubjectKey, partition: number): Promise<void> {
    await this.#fold.catchUpToEnd(partition);
    const keys = this.#table.keysOf(partition, subjectId);
    if (keys.length === 0) return;
    await this.#fold.appendTombstones(
      partition,
      keys.map(({ keyId }) => ({ subjectId, keyId })),
    );
    await this.#fold.catchUpToEnd(partition);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#follower?.[Symbol.asyncDispose]();
    await this.#table[Symbol.asyncDispose]();
  }

  #outcome<Fields>(item: OpenItem): OpenOutcome<Fields> | undefined {
    try {
      const fields = this.open<Fields>(item);
      return fields === undefined ? undefined : { fields };
    } catch (error) {
      if (error instanceof UnreadableRecord) return { unreadable: error.message };
      throw error;
    }
  }

  /** Null: destroyed. Undefined: the table has not come so far. */
  #storedKey({ partition, tenantId, subjectId, sealed }: OpenItem): KeyObject | null | undefined {
    // The checkpoint first: a key that is absent after it was passed has been destroyed.
    const passed = this.#table.nextOffset(partition) > sealed.keyOffset;
    const slot = this.#table.find(partition, subjectId, sealed.keyId);
    if (slot === undefined) return passed ? null : undefined;
    if (slot === "erased") return null;
    if (slot === "damaged") throw new UnreadableRecord("its key's record can't be read");
    return this.#unwrap({ tenantId, subjectId }, sealed.keyId, slot);
  }

  #unwrap(subject: SubjectKey, keyId: string, wrapped: Uint8Array): KeyObject {
    const { wrappingKey } = this.#options.keyring;
    try {
      const key = unwrapDataKey(wrappingKey, keyContext(subject, keyId), wrapped);
      this.#opening.set(`${subject.subjectId}:${keyId}`, key);
      return key;
    } catch (error) {
      throw new UnreadableRecord("its key can't be unwrapped", { cause: error });
    }
  }

  async #sealingKeys(items: readonly SealItem[]): Promise<ReadonlyMap<SubjectId, SealingKey>> {
    const keys = new Map<SubjectId, SealingKey>();
    const missing = new Map<SubjectId, SealItem>();
    const waiting = new Set<Promise<ReadonlyMap<SubjectId, SealingKey>>>();
    for (const item of items) {
      const { subjectId } = item;
      if (keys.has(subjectId) || missing.has(subjectId)) continue;
      const known = this.#sealing.get(subjectId) ?? this.#storedSealingKey(item);
      const creating = this.#creating.get(subjectId);
      if (known !== undefined) keys.set(subjectId, known);
      else if (creating === undefined) missing.set(subjectId, item);
      else waiting.add(creating);
    }
    if (missing.size > 0) waiting.add(this.#createOnce(missing));
    for (const created of await Promise.all(waiting)) {
      for (const [subjectId, key] of created) keys.set(subjectId, key);
    }
    return keys;
  }

  #storedSealingKey({ partition, tenantId, subjectId }: SealItem): SealingKey | undefined {
    for (const { keyId, keyOffset, slot } of this.#table.keysOf(partition, subjectId)) {
      if (typeof slot === "string") continue;
      const key = this.#unwrap({ tenantId, subjectId }, keyId, slot);
      const sealingKey = { keyId, keyOffset, key };
      this.#sealing.set(subjectId, sealingKey);
      return sealingKey;
    }
    return undefined;
  }

  #createOnce(
    missing: ReadonlyMap<SubjectId, SealItem>,
  ): Promise<ReadonlyMap<SubjectId, SealingKey>> {
    const creating = this.#create([...missing.values()]).finally(() => {
      for (const subjectId of missing.keys()) this.#creating.delete(subjectId);
    });
    for (const subjectId of missing.keys()) this.#creating.set(subjectId, creating);
    return creating;
  }

  async #create(items: readonly SealItem[]): Promise<ReadonlyMap<SubjectId, SealingKey>> {
    const { codec, clock, eventLog, keyring } = this.#options;
    const createdAtMs = clock.nowMs();
    const drafts = items.map(({ tenantId, subjectId, partition }) => {
      const keyId = randomBytes(KEY_ID_BYTES).toString("base64url");
      const context = keyContext({ tenantId, subjectId }, keyId);
      const { key, wrapped } = createDataKey(keyring.wrappingKey, context);
      const fact = { tenantId, subjectId, keyId, wrapped, createdAtMs };
      const record: NewRecord = {
        topic: "user-keys",
        partition,
        key: `${subjectId}:${keyId}`,
        value: codec.encode({ type: "user-key.created", ...fact }),
        timestampMs: createdAtMs,
      };
      return { subjectId, keyId, key, record };
    });
    const positions = await eventLog.append(drafts.map(({ record }) => record));
    return new Map(
      drafts.map(({ subjectId, keyId, key }, index) => {
        const sealingKey = { keyId, key, keyOffset: positions[index]?.offset ?? -1 };
        this.#sealing.set(subjectId, sealingKey);
        this.#opening.set(`${subjectId}:${keyId}`, key);
        return [subjectId, sealingKey];
      }),
    );
  }
}

// Subjects are of one alphabet without "|", so that no two contexts are spelled alike.
function fieldsContext(tenantId: string, subjectId: string): string {
  return `${tenantId}|${subjectId}`;
}

function keyContext({ tenantId, subjectId }: SubjectKey, keyId: string): string {
  return `${tenantId}|${subjectId}|${keyId}`;
}
