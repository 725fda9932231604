import { isDeepStrictEqual } from "node:util";
import { READ_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import { mergeSessions } from "@feed/domain/session";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state";
import { differencesAmong, sameRecord } from "./check.ts";
import type { Check, Difference, Expected } from "./check.ts";
import { foldFact, noUsers } from "./expected-users.ts";
import type { ExpectedGeneration, ExpectedSubject } from "./expected-users.ts";
import { partitionsOf } from "./partitions.ts";

/** Stores keep about READ_MARKS_PER_USER_MAX, in chunks and with repeats: the oldest go from here on. */
const READ_MARKS_KEPT_MIN = READ_MARKS_PER_USER_MAX - 512;

/**
 * Users, what they have read, their parts of sessions, and generations. A session is the merge of its parts, which lie
 * in several partitions: each part must be in it.
 */
export function usersCheck(
  readState: ReadState,
  personalData: Pick<PersonalData, "openUserFacts">,
): Check {
  return {
    projection: "read-state.users",
    parts: partitionsOf("users").map((partition) => [partition]),
    positions: () => readState.positions("users"),
    expect: () => new UsersExpected(readState, personalData),
  };
}

class UsersExpected implements Expected {
  readonly #readState: ReadState;
  readonly #personalData: Pick<PersonalData, "openUserFacts">;
  readonly #users = noUsers();

  constructor(readState: ReadState, personalData: Pick<PersonalData, "openUserFacts">) {
    this.#readState = readState;
    this.#personalData = personalData;
  }

  async fold(batch: Parameters<Expected["fold"]>[0]): Promise<void> {
    for (const opened of await this.#personalData.openUserFacts(batch)) {
      if ("fact" in opened) unlessRefused(() => foldFact(this.#users, opened));
    }
  }

  size(): number {
    return this.#users.subjects.size;
  }

  async differences(among?: ReadonlySet<string>): Promise<readonly Difference[]> {
    const { subjects, generations } = this.#users;
    const named = (kind: string) =>
      Array.from(subjects.values(), (subject): [Difference, ExpectedSubject] => {
        const { tenantId, subjectId } = subject.key;
        return [{ kind, name: `${subjectId} of ${tenantId}` }, subject];
      });
    return [
      ...(await differencesAmong(named("user"), among, (block) => this.#recordsAgree(block))),
      ...(await differencesAmong(named("read contents"), among, (block) =>
        each(block, (subject) => this.#marksAgree(subject)),
      )),
      ...(await differencesAmong(sessionsOf(subjects.values()), among, (block) =>
        each(block, ([key, part]) => this.#sessionAgrees(key, part)),
      )),
      ...(await differencesAmong(generationsOf(generations.values()), among, (block) =>
        each(block, (expected) => this.#generationAgrees(expected)),
      )),
    ];
  }

  async #recordsAgree(subjects: readonly ExpectedSubject[]): Promise<readonly boolean[]> {
    const stored = await this.#readState.users(subjects.map(({ key }) => key));
    return subjects.map(({ record }, at) => sameRecord(stored[at], record));
  }

  async #marksAgree({ key, read, marks }: ExpectedSubject): Promise<boolean> {
    const live = await this.#readState.readMarks(key);
    return marks > READ_MARKS_KEPT_MIN ? live.isSubsetOf(read) : isDeepStrictEqual(live, read);
  }

  /** A later one lies in another partition, as another subject's. */
  async #generationAgrees({ tenantId, userRef, generation }: ExpectedGeneration): Promise<boolean> {
    const [stored = 0] = await this.#readState.generations(tenantId, [userRef]);
    return stored >= generation;
  }

  async #sessionAgrees({ tenantId }: ExpectedSubject["key"], part: SessionPart): Promise<boolean> {
    const live = await this.#readState.session(tenantId, part.sessionRef);
    return live !== undefined && sameRecord(mergeSessions(live, part), live);
  }
}

function generationsOf(
  generations: Iterable<ExpectedGeneration>,
): readonly [Difference, ExpectedGeneration][] {
  return Array.from(generations, (expected) => {
    const name = `${expected.userRef} of ${expected.tenantId}`;
    return [{ kind: "generation", name }, expected];
  });
}

type SessionPart = ExpectedSubject["sessions"] extends Map<unknown, infer Part> ? Part : never;

function sessionsOf(
  subjects: Iterable<ExpectedSubject>,
): readonly [Difference, readonly [ExpectedSubject["key"], SessionPart]][] {
  return Array.from(subjects).flatMap(({ key, sessions }) =>
    Array.from(sessions.values(), (part): [Difference, readonly [typeof key, SessionPart]] => {
      const name = `${part.sessionRef} of ${key.subjectId} of ${key.tenantId}`;
      return [{ kind: "session", name }, [key, part]];
    }),
  );
}

function each<Item>(
  items: readonly Item[],
  agrees: (item: Item) => Promise<boolean>,
): Promise<boolean[]> {
  return Promise.all(items.map(agrees));
}

/** What the projection refuses is in the dead letters, and has no effect. */
function unlessRefused(fold: () => void): void {
  try {
    fold();
  } catch {
    // The projector has told.
  }
}
