import type { Opened, SealedUserFact, StoredFact, UserFact } from "@feed/domain/facts";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { LogRecord, PartitionBatch } from "@feed/event-log";
import type { OpenedRecord, OpenItem, OpenOutcome, SealedPersonalFact } from "./port.ts";

type OpenAll = (items: readonly OpenItem[]) => Promise<readonly OpenOutcome<unknown>[]>;

/** One record of `users`, decoded; `sealed` is its place among the facts that have to be opened. */
type Decoded =
  | { readonly unreadable: string }
  | { readonly fact: Extract<SealedUserFact, { readonly type: "user.deleted" }> }
  | { readonly fact: SealedPersonalFact; readonly sealed: number | undefined };

export async function openUserFacts(
  batch: PartitionBatch,
  codec: FactCodec,
  openAll: OpenAll,
  isNeeded: (fact: SealedPersonalFact) => boolean = () => true,
): Promise<readonly OpenedRecord[]> {
  const { partition } = batch;
  const items: OpenItem[] = [];
  const decoded = batch.records.map((record): Decoded => {
    const read = decodeUserFact(record, codec);
    if ("unreadable" in read || read.fact.type === "user.deleted") return read as Decoded;
    if (!isNeeded(read.fact)) return { fact: read.fact, sealed: undefined };
    const { tenantId, subjectId, personal } = read.fact;
    const sealed = items.push({ partition, tenantId, subjectId, sealed: personal }) - 1;
    return { fact: read.fact, sealed };
  });
  const outcomes = await openAll(items);
  return decoded.map((read, index): OpenedRecord => {
    return { partition, offset: batch.records[index]?.offset ?? -1, ...opened(read, outcomes) };
  });
}

function decodeUserFact(
  { value }: LogRecord,
  codec: FactCodec,
): { readonly unreadable: string } | { readonly fact: SealedUserFact } {
  if (value === null) return { unreadable: "it is a tombstone" };
  try {
    const fact = codec.decode(value);
    return isUserFact(fact) ? { fact } : { unreadable: `${fact.type} is no fact about a user` };
  } catch (error) {
    if (error instanceof UnreadableRecord) return { unreadable: error.message };
    throw error;
  }
}

function isUserFact(fact: StoredFact): fact is SealedUserFact {
  switch (fact.type) {
    case "behaviour.recorded":
    case "user.properties-replaced":
    case "user.properties-merged":
    case "user.source-preference-changed":
    case "user.deleted":
      return true;
    default:
      return false;
  }
}

function opened(
  read: Decoded,
  outcomes: readonly OpenOutcome<unknown>[],
): { readonly fact: UserFact } | { readonly unreadable: string } {
  if (!("sealed" in read)) return read;
  if (read.sealed === undefined) return { fact: { ...read.fact, personal: null } };
  const outcome = outcomes[read.sealed];
  if (outcome === undefined) throw new RangeError("an outcome is missing");
  if ("unreadable" in outcome) return outcome;
  // What was sealed for a type of fact is what that type holds: the bytes are authenticated.
  return { fact: { ...read.fact, personal: outcome.fields as Opened<never> } };
}
