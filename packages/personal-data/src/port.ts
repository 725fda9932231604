import type { Opened, Sealed, SealedUserFact, UserFact } from "@feed/domain/facts";
import type { LogPosition } from "@feed/domain/topics";
import type { SubjectKey } from "@feed/domain/user";
import type { PartitionBatch } from "@feed/event-log";

/** Personal fields before they are sealed. */
export interface SealItem extends SubjectKey {
  /** In `users`, and so in `user-keys`, of everything about the subject. */
  readonly partition: number;
  /** Whatever JSON can hold. */
  readonly personal: object;
}

export interface OpenItem extends SubjectKey {
  readonly partition: number;
  readonly sealed: Sealed;
}

/** A fact of `users` with personal fields, before they are opened. */
export type SealedPersonalFact = Exclude<SealedUserFact, { readonly type: "user.deleted" }>;

export type OpenOutcome<Fields> =
  /** Null: the subject was deleted. */
  | { readonly fields: Opened<Fields> }
  /** Not what was sealed for this subject: a dead letter. */
  | { readonly unreadable: string };

export type OpenedRecord =
  | { readonly position: LogPosition; readonly fact: UserFact }
  | { readonly position: LogPosition; readonly unreadable: string };

/**
 * Personal fields in the log: sealed under keys of their subject that deletion destroys (architecture rule
 * 7).
 *
 * Keys     a subject has one data key, or two where two processes saw it first at the same time; all are
 *          valid.
 * Deleted  once `forget` has resolved, nothing of the subject opens here; other processes follow within
 *          moments.
 * Errors   methods reject with the log's errors; bytes that can't be opened are outcomes, never rejections.
 */
export interface PersonalData extends AsyncDisposable {
  /**
   * In the order given. Makes the keys that are missing, all in one append, and resolves when it is durable.
   */
  sealAll(items: readonly SealItem[]): Promise<readonly Sealed[]>;
  /**
   * Opens without waiting; undefined when this process has not yet read `user-keys` up to the key: use
   * openAll.
   * @throws UnreadableRecord
   */
  open<Fields>(item: OpenItem): Opened<Fields> | undefined;
  /** In the order given. Reads `user-keys` as far as the items' keys need it. */
  openAll<Fields>(items: readonly OpenItem[]): Promise<readonly OpenOutcome<Fields>[]>;
  /**
   * Decodes and opens a batch of `users`: one outcome for each record, in order. Facts that `isNeeded` turns down
   * are not opened: their personal fields are null, as a deleted subject's are.
   */
  openUserFacts(
    batch: PartitionBatch,
    isNeeded?: (fact: SealedPersonalFact) => boolean,
  ): Promise<readonly OpenedRecord[]>;
  /**
   * Destroys every key of a subject; resolves when it is durable. Again, or for an unknown one: nothing
   * happens.
   */
  forget(subject: SubjectKey, partition: number): Promise<void>;
  /** Rejects when `user-keys` can't be followed any more: stop the process. */
  readonly failed: Promise<void>;
}
