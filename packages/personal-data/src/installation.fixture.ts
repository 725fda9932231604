import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BehaviourPersonal, Sealed } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { SubjectId, TenantId, UserId } from "@feed/domain/ids";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import type { EventLog, LogRecord } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openKeyring } from "@feed/signing";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { openPersonalData } from "./personal-data.ts";
import type { OpenOutcome, PersonalData } from "./port.ts";

export const clock = manualClock(Date.UTC(2026, 10, 1));
export const codec = createFactCodec(openBundledRegistry());
export const root = randomBytes(32);
export const keyring = openKeyring({ root, clock });
export const tenantId = asId<TenantId>("tenant-1");
export const alice = {
  tenantId,
  subjectId: asId<SubjectId>("alice-subject-of-22-ch"),
  partition: 3,
};
export const bob = { tenantId, subjectId: asId<SubjectId>("bob-subject-of-22-char"), partition: 3 };
export const personal: BehaviourPersonal = {
  userId: asId<UserId>("alice@example.com"),
  sessionId: "session-of-alice-4711",
  deviceInfo: { model: "telephone-of-alice" },
};

/** An installation on embedded engines in a directory of its own. */
export interface Installation extends AsyncDisposable {
  readonly directory: string;
  readonly eventLog: EventLog;
  /** As another process of the same machine would (`table` the same), or of another machine. */
  start(table?: string, parts?: StartParts): Promise<PersonalData>;
  /** Records of `user-keys` in the partition of alice and bob. */
  keyRecords(): Promise<readonly LogRecord[]>;
  /** Continues on an empty log. */
  replaceLog(): Promise<void>;
}

interface StartParts {
  readonly keyring?: ReturnType<typeof openKeyring>;
  /** Methods of the log that this process has in place of the real ones. */
  readonly replace?: (eventLog: EventLog) => Partial<EventLog>;
}

export async function openInstallation(): Promise<Installation> {
  const stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory()).path;
  const openLog = async (name: string) =>
    stack.use(await openEmbeddedEventLog({ directory: join(directory, name) }));
  let eventLog = await openLog("log");
  return {
    directory,
    get eventLog() {
      return eventLog;
    },
    start: async (table = "keys", { keyring: keys = keyring, replace } = {}) => {
      const log = replace === undefined ? eventLog : withMethods(eventLog, replace(eventLog));
      const own = { directory: join(directory, table), eventLog: log };
      return stack.use(await openPersonalData({ codec, clock, keyring: keys, ...own }));
    },
    keyRecords: async () => (await eventLog.read("user-keys", alice.partition, 0, 1_000)).records,
    replaceLog: async () => {
      await eventLog[Symbol.asyncDispose]();
      eventLog = await openLog("other-log");
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function withMethods(eventLog: EventLog, replaced: Partial<EventLog>): EventLog {
  return new Proxy(eventLog, {
    get: (log, name) => {
      const member: unknown = Reflect.get(name in replaced ? replaced : log, name);
      return typeof member === "function" ? member.bind(log) : member;
    },
  });
}

/** Stops whoever comes until it is let go. */
export function openGate() {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    release: released.resolve,
    pass: (): Promise<void> => {
      reached.resolve();
      return released.promise;
    },
  };
}

export async function sealOne(data: PersonalData, subject = alice): Promise<Sealed> {
  const [sealed] = await data.sealAll([{ ...subject, personal }]);
  if (sealed === undefined) throw new Error("nothing was sealed");
  return sealed;
}

export async function openOne(
  data: PersonalData,
  sealed: Sealed,
  subject = alice,
): Promise<OpenOutcome<unknown> | undefined> {
  const [outcome] = await data.openAll([{ ...subject, sealed }]);
  return outcome;
}
