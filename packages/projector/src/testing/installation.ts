import { join } from "node:path";
import type { SealedUserFact, StoredFact, UserFact } from "@feed/domain/facts";
import { USER_PARTITIONS } from "@feed/domain/limits";
import type { LogPosition, Topic } from "@feed/domain/topics";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import type { EventLog, NewRecord } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openPersonalData } from "@feed/personal-data";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger } from "@feed/runtime";
import { openKeyring, userPartition } from "@feed/signing";
import { manualClock } from "@feed/test-kit";

export const codec = createFactCodec(openBundledRegistry());
export const clock = manualClock(Date.UTC(2026, 10, 1));
export const log = createLogger({ service: "test", level: "silent" });
const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });

/** Real embedded engines in one directory, as a process of an installation has them. */
export interface Installation extends AsyncDisposable {
  readonly directory: string;
  readonly eventLog: EventLog;
  readonly personalData: PersonalData;
  readonly readState: ReadState;
}

export async function openInstallation(directory: string): Promise<Installation> {
  const stack = new AsyncDisposableStack();
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(directory, "log") }));
  const keys = { eventLog, codec, keyring, directory: join(directory, "keys"), clock };
  const personalData = stack.use(await openPersonalData(keys));
  const readState = stack.use(await openEmbeddedReadState({ directory }));
  const dispose = () => stack.disposeAsync();
  return { directory, eventLog, personalData, readState, [Symbol.asyncDispose]: dispose };
}

export function partitionOf({ subjectId }: Pick<UserFact, "subjectId">): number {
  return userPartition(subjectId, USER_PARTITIONS);
}

/** Appends facts about users as an API node does: sealed, in the partition of their subject. */
export async function appendUserFacts(
  { eventLog, personalData }: Pick<Installation, "eventLog" | "personalData">,
  facts: readonly UserFact[],
): Promise<readonly LogPosition[]> {
  const sealing = facts.flatMap((fact) => {
    if (fact.type === "user.deleted" || fact.personal === null) return [];
    const { tenantId, subjectId, personal } = fact;
    return [{ tenantId, subjectId, partition: partitionOf(fact), personal }];
  });
  const sealed = [...(await personalData.sealAll(sealing))];
  const records = facts.map((fact) => {
    const stored =
      fact.type === "user.deleted"
        ? fact
        : ({ ...fact, personal: sealed.shift() } as SealedUserFact);
    return recordOf("users", partitionOf(fact), stored);
  });
  return eventLog.append(records);
}

export function recordOf(topic: Topic, partition: number, fact: StoredFact): NewRecord {
  return { topic, partition, key: "key", value: codec.encode(fact), timestampMs: clock.nowMs() };
}
