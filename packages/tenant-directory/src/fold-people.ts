import type {
  PeopleFact,
  Person,
  PersonIdentityLinked,
  PersonSaved,
  PersonSession,
  SessionStarted,
} from "@feed/domain/people";

/** One person with what was said beside the record. */
export interface PersonEntry {
  readonly person: Person;
  readonly createdAtMs: number;
  /** Null: none was set. */
  readonly password: { readonly sealed: Uint8Array; readonly setAtMs: number } | null;
  /** Sessions that have begun; names what counts since the last success. */
  readonly signIns: number;
  readonly lastSignInAtMs: number | null;
  /** Identities at providers, by issuer. */
  readonly identities: ReadonlyMap<string, string>;
}

/** What facts about people add up to. Changed in place by `foldPeopleFact` alone. */
export interface PeopleState {
  readonly people: Map<string, PersonEntry>;
  /** Those who are gone, for the audit log: the last record of each. */
  readonly removed: Map<string, Person>;
  readonly byEmailRef: Map<string, string>;
  readonly byIdentityRef: Map<string, string>;
  /** By SHA-256 of the token; ended ones are gone, expired ones go when another begins. */
  readonly sessions: Map<string, PersonSession>;
  /** By SHA-256 of the token; used ones are gone. */
  readonly links: Map<string, { readonly personId: string; readonly expiresAtMs: number }>;
}

export function emptyPeople(): PeopleState {
  return {
    people: new Map(),
    removed: new Map(),
    byEmailRef: new Map(),
    byIdentityRef: new Map(),
    sessions: new Map(),
    links: new Map(),
  };
}

export function foldPeopleFact(state: PeopleState, fact: PeopleFact): void {
  const entry = fact.type === "person.saved" ? undefined : state.people.get(fact.personId);
  switch (fact.type) {
    case "person.saved":
      return savePerson(state, fact);
    case "person.removed":
      return removePerson(state, fact.personId);
    case "person.password-set":
      if (entry === undefined) return;
      state.people.set(fact.personId, {
        ...entry,
        password: { sealed: fact.sealed, setAtMs: fact.atMs },
      });
      return endSessions(state, fact.personId);
    case "person.identity-linked":
      if (entry !== undefined) linkIdentity(state, entry, fact);
      return;
    case "sign-in-link.made":
      dropExpired(state.links, fact.atMs);
      if (entry !== undefined) state.links.set(fact.sha256, fact);
      return;
    case "session.started":
      if (entry !== undefined) startSession(state, entry, fact);
      return;
    case "session.ended":
      state.sessions.delete(fact.sha256);
      return;
    default:
      fact satisfies never;
  }
}

function savePerson(state: PeopleState, { person, atMs }: PersonSaved): void {
  const { personId, emailRef } = person;
  const holder = state.byEmailRef.get(emailRef);
  if (holder !== undefined && holder !== personId) return;
  const known = state.people.get(personId);
  if (known !== undefined) state.byEmailRef.delete(known.person.emailRef);
  state.byEmailRef.set(emailRef, personId);
  const fresh = {
    createdAtMs: atMs,
    password: null,
    signIns: 0,
    lastSignInAtMs: null,
    identities: new Map(),
  };
  state.people.set(personId, { ...fresh, ...known, person });
  if (person.status === "disabled") endSessions(state, personId);
}

function removePerson(state: PeopleState, personId: string): void {
  const known = state.people.get(personId);
  if (known === undefined) return;
  state.people.delete(personId);
  state.removed.set(personId, known.person);
  state.byEmailRef.delete(known.person.emailRef);
  for (const identityRef of known.identities.values()) state.byIdentityRef.delete(identityRef);
  endSessions(state, personId);
}

/** The first in the log stays: of an identity, and of a person at an issuer. */
function linkIdentity(
  state: PeopleState,
  entry: PersonEntry,
  { personId, issuer, identityRef }: PersonIdentityLinked,
): void {
  if (state.byIdentityRef.has(identityRef) || entry.identities.has(issuer)) return;
  state.byIdentityRef.set(identityRef, personId);
  const identities = new Map([...entry.identities, [issuer, identityRef]]);
  state.people.set(personId, { ...entry, identities });
}

function endSessions(state: PeopleState, personId: string): void {
  for (const open of [state.sessions, state.links]) {
    for (const [sha256, one] of open) if (one.personId === personId) open.delete(sha256);
  }
}

function startSession(
  state: PeopleState,
  entry: PersonEntry,
  { personId, sha256, atMs, expiresAtMs, linkSha256, identityRef }: SessionStarted,
): void {
  if (entry.person.status !== "active") return;
  if (identityRef !== null && state.byIdentityRef.get(identityRef) !== personId) return;
  if (linkSha256 !== null && !takeLink(state, linkSha256, personId, atMs)) return;
  dropExpired(state.sessions, atMs);
  state.sessions.set(sha256, { personId, startedAtMs: atMs, expiresAtMs });
  state.people.set(personId, { ...entry, signIns: entry.signIns + 1, lastSignInAtMs: atMs });
}

/** The first session of a link has it, by order in the log. */
function takeLink(state: PeopleState, sha256: string, personId: string, atMs: number): boolean {
  const link = state.links.get(sha256);
  if (link?.personId !== personId || link.expiresAtMs <= atMs) return false;
  return state.links.delete(sha256);
}

function dropExpired(open: Map<string, { readonly expiresAtMs: number }>, nowMs: number): void {
  for (const [sha256, { expiresAtMs }] of open) if (expiresAtMs <= nowMs) open.delete(sha256);
}
