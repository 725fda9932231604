import { createHash } from "node:crypto";
import {
  SESSION_TTL_MS,
  SIGN_IN_LOCKED_MS,
  SIGN_IN_TRIES_MAX,
  SIGN_IN_TRIES_PER_ADDRESS_MAX,
} from "@feed/domain/limits";
import type {
  Person,
  PersonIdentityLinked,
  PersonSession,
  SessionStarted,
} from "@feed/domain/people";
import type { Identity } from "@feed/openid/port";
import type { ReadState } from "@feed/read-state/port";
import type { PersonEntry, TenantDirectory } from "@feed/tenant-directory";
import { Problem } from "../problem.ts";
import { newToken, sha256Of, type PeopleDesk } from "./people-desk.ts";
import { SignInFailed } from "./sign-in-failed.ts";

const TRIES = { ratePerSecond: 1_000 / SIGN_IN_LOCKED_MS, burst: SIGN_IN_TRIES_MAX };
const TRIES_OF_ADDRESS = {
  ratePerSecond: SIGN_IN_TRIES_PER_ADDRESS_MAX / 600,
  burst: SIGN_IN_TRIES_PER_ADDRESS_MAX,
};
/** One entry in the audit log for each time somebody is locked out, however long the guessing goes on. */
const LOCKED_ENTRIES = { ratePerSecond: 1 / 900, burst: 1 };

export interface OpenedSession {
  readonly token: string;
  readonly person: Person;
  readonly expiresAtMs: number;
}

interface SignInDependencies {
  readonly people: PeopleDesk;
  readonly directory: TenantDirectory;
  readonly readState: Pick<ReadState, "takeToken">;
}

/**
 * Sessions of people. Tries are counted over all nodes, by the address that is named and by where they come from: after
 * SIGN_IN_TRIES_MAX in a row without a success every further one waits SIGN_IN_LOCKED_MS, whether its password is right or
 * not. Errors: LogUnavailable, ReadStateUnavailable: without counting nobody signs in.
 */
export class SignIn {
  readonly #deps: SignInDependencies;

  constructor(deps: SignInDependencies) {
    this.#deps = deps;
  }

  /** @throws Problem 401, the same for a wrong password and for nobody; 429 while locked out. */
  async byPassword(
    given: { readonly email: string; readonly password: string },
    address: string,
    nowMs: number,
  ): Promise<OpenedSession> {
    await this.countAddress(address, nowMs);
    // Somebody may have been added, or have a new password, a moment ago on another node.
    await this.#deps.directory.caughtUp();
    const entry = this.#deps.people.find(given.email);
    await this.#checkPassword(entry, given, nowMs);
    if (entry?.person.status !== "active") throw notSignedIn();
    return this.open(entry.person, nowMs);
  }

  /** @throws Problem 401 for a link that is unknown, used or expired. */
  async byLink(token: string, address: string, nowMs: number): Promise<OpenedSession> {
    await this.countAddress(address, nowMs);
    const { directory } = this.#deps;
    const sha256 = sha256Of(token);
    await directory.caughtUp();
    const entry = directory.person(directory.signInLink(sha256)?.personId ?? "");
    if (entry === undefined) throw notSignedIn();
    return this.#open(entry.person, { linkSha256: sha256, identityRef: null }, nowMs);
  }

  /**
   * By what a provider says. An identity that is nobody's yet becomes that of the person with its verified address; from
   * then on the address does not matter.
   *
   * @throws SignInFailed `unverified`, `no-access`.
   */
  async byIdentity(identity: Identity, nowMs: number): Promise<OpenedSession> {
    const { directory, people } = this.#deps;
    const identityRef = people.identityRef(identity);
    await directory.caughtUp();
    const known = directory.personByIdentity(identityRef);
    const entry = known ?? this.#byVerifiedEmail(identity);
    const { issuer } = identity;
    const isAnother = known === undefined && entry?.identities.has(issuer) === true;
    if (entry?.person.status !== "active" || isAnother) throw new SignInFailed("no-access");
    const { personId } = entry.person;
    const linked = { type: "person.identity-linked", personId, issuer, identityRef } as const;
    const links = known === undefined ? [{ ...linked, actor: personId, atMs: nowMs }] : [];
    const how = { linkSha256: null, identityRef };
    return this.#open(entry.person, how, nowMs, links).catch((error: unknown) => {
      // The log decided: a moment ago another node linked otherwise, or disabled the person.
      throw error instanceof Problem ? new SignInFailed("no-access") : error;
    });
  }

  /** Counts a try from an address. @throws Problem 429. */
  async countAddress(address: string, nowMs: number): Promise<void> {
    const { readState } = this.#deps;
    const tries = await readState.takeToken(`sign-in-from:${address}`, TRIES_OF_ADDRESS, nowMs);
    if (!tries.allowed) throw tooManyTries(tries.waitMs);
  }

  /** Checks somebody's own password, as when signing in. @throws Problem 401, 429. */
  async confirm(entry: PersonEntry, password: string, nowMs: number): Promise<void> {
    const { email } = this.#deps.people.profile(entry.person);
    await this.#checkPassword(entry, { email, password }, nowMs);
  }

  /** The session of a token, while it lasts. */
  async find(
    token: string,
    nowMs: number,
  ): Promise<{ session: PersonSession; entry: PersonEntry } | undefined> {
    const { directory } = this.#deps;
    const sha256 = sha256Of(token);
    // It may have begun a moment ago on another node.
    if (directory.session(sha256) === undefined) await directory.caughtUp();
    const session = directory.session(sha256);
    if (session === undefined || session.expiresAtMs <= nowMs) return undefined;
    const entry = directory.person(session.personId);
    return entry?.person.status === "active" ? { session, entry } : undefined;
  }

  async end(token: string, personId: string, nowMs: number): Promise<void> {
    const ended = { type: "session.ended", personId, sha256: sha256Of(token) } as const;
    await this.#deps.directory.change([{ ...ended, actor: personId, atMs: nowMs }]);
  }

  /** Begins a session without asking for anything. */
  async open(person: Person, nowMs: number): Promise<OpenedSession> {
    return this.#open(person, { linkSha256: null, identityRef: null }, nowMs);
  }

  /** @throws SignInFailed */
  #byVerifiedEmail({ email, isEmailVerified }: Identity): PersonEntry | undefined {
    if (email === undefined || !isEmailVerified) throw new SignInFailed("unverified");
    return this.#deps.people.find(email);
  }

  async #open(
    person: Person,
    how: Pick<SessionStarted, "linkSha256" | "identityRef">,
    nowMs: number,
    before: readonly PersonIdentityLinked[] = [],
  ): Promise<OpenedSession> {
    const { directory } = this.#deps;
    const { personId } = person;
    const { token, sha256 } = newToken();
    const expiresAtMs = nowMs + SESSION_TTL_MS;
    const started = { type: "session.started", personId, sha256, expiresAtMs, ...how } as const;
    await directory.change([...before, { ...started, actor: personId, atMs: nowMs }]);
    // What the log decided: another may have used the link first.
    if (directory.session(sha256) === undefined) throw notSignedIn();
    return { token, person, expiresAtMs };
  }

  async #checkPassword(
    entry: PersonEntry | undefined,
    { email, password }: { readonly email: string; readonly password: string },
    nowMs: number,
  ): Promise<void> {
    const { people, readState } = this.#deps;
    // A success begins a new count.
    const counted = `${people.emailRef(email)}:${entry?.signIns ?? 0}`;
    const tries = await readState.takeToken(`sign-in:${counted}`, TRIES, nowMs);
    if (!tries.allowed) {
      await this.#recordLocked(entry, counted, nowMs);
      throw tooManyTries(tries.waitMs);
    }
    if (!(await people.isPassword(entry, password))) throw notSignedIn();
  }

  async #recordLocked(
    entry: PersonEntry | undefined,
    counted: string,
    nowMs: number,
  ): Promise<void> {
    if (entry === undefined) return;
    const { directory, readState } = this.#deps;
    const first = await readState.takeToken(`sign-in-locked:${counted}`, LOCKED_ENTRIES, nowMs);
    if (!first.allowed) return;
    const { personId, tenantId } = entry.person;
    const locked = { type: "action.recorded", action: "sign-in.locked", tenantId } as const;
    await directory.change([
      { ...locked, subject: personId, details: {}, actor: "sign-in", atMs: nowMs },
    ]);
  }
}

/** What a page sends in `X-CSRF-Token`: it can't be had from the cookie by another site. */
export function csrfTokenOf(sessionToken: string): string {
  return createHash("sha256").update(`csrf:${sessionToken}`).digest("base64url");
}

function notSignedIn(): Problem {
  return new Problem("unauthorized", "That does not sign anybody in.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

function tooManyTries(waitMs: number): Problem {
  return new Problem("rate-limit", "There were too many tries to sign in; wait and try again.", {
    headers: { "Retry-After": `${Math.max(1, Math.ceil(waitMs / 1_000))}` },
    members: { "violated-policies": ["sign-in"] },
  });
}
