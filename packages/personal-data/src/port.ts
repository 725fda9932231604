import type { Opened, Sealed, SealedUserFact, UserFact } from "@feed/domain/facts";
import type { PlacedSubject } from "@feed/domain/user";
import type { PartitionBatch } from "@feed/event-log";

/** Personal fields before they are sealed. */
export interface SealItem extends PlacedSubject {
  /** Whatever JSON can hold. */
  readonly personal: object;
}

export interface OpenItem extends PlacedSubject {
  readonly sealed: Sealed;
}

/** A fact of `users` with personal fields, before they are opened. */
export type SealedPersonalFact = Exclude<SealedUserFact, { readonly type: "user.deleted" }>;

export type OpenOutcome<Fields> =
  /** Null: the subject was deleted. */
  | { readonly fields: Opened<Fields> }
  /** Not what was sealed for this subject: a dead letter. */
  | { readonly unreadable: string };

/** One record of `users`: its fact, or why there is none to be had from it. */
export type OpenedRecord = { readonly partition: number; readonly offset: number } & (
  | { readonly fact: UserFact }
  | { readonly unreadable: string }
);

/**
 * Personal fields in the log: sealed under keys of their subject that deletion destroys (architecture rule
 * 7).
 *
 * Keys     a subject has one data key, or two where two processes saw it first at the same time; all are
 *          valid.
 * Deleted  once `forgetAll` has resolved, nothing of the subject opens here; other processes follow within
 *          moments.
 * Errors   methods reject with the log's errors; bytes that can't be opened are outcomes, never rejections.
 * Closed   disposal finishes the calls in progress; nothing is to be called afterwards.
 */
export interface PersonalData extends AsyncDisposable {
  /**
   * In the order given. Makes the keys that are missing, all in one append, and resolves when it is durable.
   * A subject that is known to be forgotten gets no key: its fields are left out, and open as a deleted
   * subject's.
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
   * Destroys every key of the subjects, and any that is made for them later; resolves when it is durable. Those
   * that are forgotten already cost no append.
   */
  forgetAll(subjects: readonly PlacedSubject[]): Promise<void>;
  /** Rejects when `user-keys` can't be followed any more: stop the process. */
  readonly failed: Promise<void>;
}
