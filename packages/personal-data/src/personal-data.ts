import type { KeyObject } from "node:crypto";
import { randomBytes } from "node:crypto";
import type { Opened, Sealed } from "@feed/domain/facts";
import { BoundedCache } from "@feed/domain/bounded-cache";
import type { SubjectId } from "@feed/domain/ids";
import type { PlacedSubject, SubjectKey } from "@feed/domain/user";
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

interface OpeningKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

interface SealingKey extends OpeningKey {
  readonly keyOffset: number;
}

/** In place of a forgotten subject's fields: under a key that never was, at an offset every reader has passed. */
const NOTHING_SEALED: Sealed = { keyId: "", keyOffset: -1, bytes: new Uint8Array() };

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
  readonly #opening = new BoundedCache<SubjectId, readonly OpeningKey[]>(SUBJECTS_CACHED_MAX);
  readonly #sealing = new BoundedCache<SubjectId, SealingKey>(SUBJECTS_CACHED_MAX);
  /** Keys on their way into the log, so that one process makes one for a subject. */
  readonly #creating = new Map<SubjectId, Promise<ReadonlyMap<SubjectId, SealingKey>>>();
  /** One at a time: two that forget the same subjects don't both append. */
  #forgetting: Promise<unknown> = Promise.resolve();
  /** Calls that read the table when what they wait for is there. */
  readonly #calls = new Set<Promise<unknown>>();
  #follower: LogConsumer | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PersonalDataOptions, table: KeyTable) {
    this.#options = options;
    this.#table = table;
    this.#fold = new KeyFold(options, table, (subjectId) => this.#dropKeys(subjectId));
  }

  async start(): Promise<void> {
    this.#follower = await this.#fold.follow();
  }

  get failed(): Promise<void> {
    return this.#follower?.failed ?? Promise.resolve();
  }

  sealAll(items: readonly SealItem[]): Promise<readonly Sealed[]> {
    return this.#finished(this.#sealAll(items));
  }

  async #sealAll(items: readonly SealItem[]): Promise<readonly Sealed[]> {
    const keys = await this.#sealingKeys(items);
    return items.map(({ tenantId, subjectId, personal }, at) => {
      const sealingKey = keys[at];
      if (sealingKey === undefined) throw new RangeError("a sealing key is missing");
      if (sealingKey === null) return NOTHING_SEALED;
      const { key, keyId, keyOffset } = sealingKey;
      const bytes = seal(key, fieldsContext(tenantId, subjectId), JSON.stringify(personal));
      return { keyId, keyOffset, bytes };
    });
  }

  open<Fields>(item: OpenItem): Opened<Fields> | undefined {
    const { tenantId, subjectId, sealed } = item;
    const key = this.#cachedKey(subjectId, sealed.keyId) ?? this.#storedKey(item);
    if (key === null || key === undefined) return key;
    try {
      const plain = unseal(key, fieldsContext(tenantId, subjectId), sealed.bytes);
      return JSON.parse(plain.toString("utf8")) as Fields;
    } catch (error) {
      throw new UnreadableRecord("its personal fields can't be opened", { cause: error });
    }
  }

  openAll<Fields>(items: readonly OpenItem[]): Promise<readonly OpenOutcome<Fields>[]> {
    return this.#finished(this.#openAll(items));
  }

  async #openAll<Fields>(items: readonly OpenItem[]): Promise<readonly OpenOutcome<Fields>[]> {
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

  async forgetAll(subjects: readonly PlacedSubject[]): Promise<void> {
    if (subjects.length === 0) return;
    const forgotten = this.#forgetting.then(() => this.#fold.forgetAll(subjects));
    this.#forgetting = forgotten.catch(() => undefined);
    await this.#finished(forgotten);
    // Where another process has folded the tombstones, this one may not have read them yet.
    for (const { subjectId } of subjects) this.#dropKeys(subjectId);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Notes a call, so that the table stays open until it has ended. */
  #finished<Result>(call: Promise<Result>): Promise<Result> {
    const noted = call.finally(() => this.#calls.delete(noted));
    this.#calls.add(noted);
    return noted;
  }

  async #close(): Promise<void> {
    await this.#follower?.[Symbol.asyncDispose]();
    await Promise.allSettled(this.#calls);
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

  #dropKeys(subjectId: SubjectId): void {
    this.#sealing.delete(subjectId);
    this.#opening.delete(subjectId);
    this.#creating.delete(subjectId);
  }

  #cachedKey(subjectId: SubjectId, keyId: string): KeyObject | undefined {
    const keys = this.#opening.get(subjectId);
    return keys?.find((known) => known.keyId === keyId)?.key;
  }

  #keepOpening(subjectId: SubjectId, opening: OpeningKey): void {
    const others = this.#opening.get(subjectId)?.filter(({ keyId }) => keyId !== opening.keyId);
    this.#opening.set(subjectId, [...(others ?? []), opening]);
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
      this.#keepOpening(subject.subjectId, { keyId, key });
      return key;
    } catch (error) {
      throw new UnreadableRecord("its key can't be unwrapped", { cause: error });
    }
  }

  /** In the order of the items. Null: the subject is forgotten. */
  async #sealingKeys(
    items: readonly SealItem[],
  ): Promise<readonly (SealingKey | null | undefined)[]> {
    const known = items.map(
      (item) => this.#sealing.get(item.subjectId) ?? this.#storedSealingKey(item),
    );
    const unknown = items.filter((_, at) => known[at] === undefined);
    if (unknown.length === 0) return known;
    const made = await this.#madeKeys(unknown);
    return items.map(({ subjectId }, at) =>
      known[at] === undefined ? made.get(subjectId) : known[at],
    );
  }

  /** Of subjects without a key: one that is on its way, else a new one. */
  async #madeKeys(items: readonly SealItem[]): Promise<ReadonlyMap<SubjectId, SealingKey>> {
    const missing = new Map<SubjectId, SealItem>();
    const waiting = new Set<Promise<ReadonlyMap<SubjectId, SealingKey>>>();
    for (const item of items) {
      const creating = this.#creating.get(item.subjectId);
      if (creating === undefined) missing.set(item.subjectId, item);
      else waiting.add(creating);
    }
    if (missing.size > 0) waiting.add(this.#createOnce(missing));
    const made = await Promise.all(waiting);
    return new Map(made.flatMap((keys) => [...keys]));
  }

  /** Null: the subject is forgotten. Undefined: it has no key yet. */
  #storedSealingKey({ partition, tenantId, subjectId }: SealItem): SealingKey | null | undefined {
    for (const { keyId, keyOffset, slot } of this.#table.keysOf(partition, subjectId)) {
      if (typeof slot === "string") continue;
      const key = this.#unwrap({ tenantId, subjectId }, keyId, slot);
      const sealingKey = { keyId, keyOffset, key };
      this.#sealing.set(subjectId, sealingKey);
      return sealingKey;
    }
    return this.#table.isForgotten(subjectId) ? null : undefined;
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
        // Not where the subject was forgotten while its key was on the way, as this process or the table knows.
        if (this.#creating.has(subjectId) && !this.#table.isForgotten(subjectId)) {
          this.#sealing.set(subjectId, sealingKey);
          this.#keepOpening(subjectId, { keyId, key });
        }
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
