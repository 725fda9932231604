import { createHash, createHmac, randomBytes } from "node:crypto";
import type { TenantId } from "@feed/domain/ids";
import { SIGN_IN_LINK_TTL_MS } from "@feed/domain/limits";
import type { Person, Role } from "@feed/domain/people";
import { seal, unseal } from "@feed/personal-data/sealing";
import type { Keyring } from "@feed/signing";
import type { PersonEntry, TenantDirectory } from "@feed/tenant-directory";
import { hashPassword, isPassword } from "./password.ts";

const TOKEN_BYTES = 32;

/** Who changes something, and when. */
export interface Stamp {
  readonly actor: string;
  readonly atMs: number;
}

/** What is known of a person by name. */
export interface Profile {
  readonly email: string;
  readonly name: string;
}

export interface NewPerson extends Profile {
  readonly role: Role;
  /** Null for operators. */
  readonly tenantId: TenantId | null;
}

export interface PersonChange {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: Person["status"] | undefined;
}

/** Somebody has that e-mail address already. */
export class EmailTaken extends Error {
  override readonly name = "EmailTaken";
}

interface PeopleDependencies {
  readonly directory: TenantDirectory;
  readonly keyring: Pick<Keyring, "peopleKey" | "personRefKey" | "identityRefKey">;
}

/**
 * People who sign in, as facts of the tenant directory. Their addresses, names and password hashes lie in the log sealed.
 * Errors: LogUnavailable.
 */
export class PeopleDesk {
  readonly #deps: PeopleDependencies;

  constructor(deps: PeopleDependencies) {
    this.#deps = deps;
  }

  find(email: string): PersonEntry | undefined {
    return this.#deps.directory.personByEmail(this.emailRef(email));
  }

  /** A name for the address, also of nobody's: what limits are counted under. */
  emailRef(email: string): string {
    const hmac = createHmac("sha256", this.#deps.keyring.personRefKey);
    return hmac.update(normalised(email)).digest("base64url");
  }

  /** A name for somebody at a provider, whatever the address there becomes. */
  identityRef({ issuer, subject }: { readonly issuer: string; readonly subject: string }): string {
    const hmac = createHmac("sha256", this.#deps.keyring.identityRefKey);
    return hmac.update(JSON.stringify([issuer, subject])).digest("base64url");
  }

  profile({ personId, sealed }: Person): Profile {
    const plain = unseal(this.#deps.keyring.peopleKey, contextOf("person", personId), sealed);
    return JSON.parse(plain.toString("utf8")) as Profile;
  }

  /** @throws EmailTaken */
  async add({ role, tenantId, ...given }: NewPerson, stamp: Stamp): Promise<PersonEntry> {
    if (this.find(given.email) !== undefined) throw new EmailTaken(given.email);
    const personId = `person_${randomBytes(9).toString("base64url")}`;
    const profile = { email: normalised(given.email), name: given.name };
    const person: Person = {
      personId,
      tenantId,
      role,
      status: "active",
      emailRef: this.emailRef(given.email),
      sealed: this.#sealedProfile(personId, profile),
    };
    await this.#deps.directory.change([{ type: "person.saved", person, ...stamp }]);
    const added = this.#deps.directory.person(personId);
    // Another node was first with the same address.
    if (added === undefined) throw new EmailTaken(given.email);
    return added;
  }

  async change({ person }: PersonEntry, change: PersonChange, stamp: Stamp): Promise<Person> {
    const profile = this.profile(person);
    const sealed =
      change.name === undefined
        ? person.sealed
        : this.#sealedProfile(person.personId, { ...profile, name: change.name });
    const { role = person.role, status = person.status } = change;
    const changed = { ...person, role, status, sealed };
    await this.#deps.directory.change([{ type: "person.saved", person: changed, ...stamp }]);
    return changed;
  }

  /** Ends every session and link of the person. */
  async setPassword(personId: string, password: string, stamp: Stamp): Promise<void> {
    const { peopleKey } = this.#deps.keyring;
    const sealed = seal(peopleKey, contextOf("password", personId), await hashPassword(password));
    await this.#deps.directory.change([
      { type: "person.password-set", personId, sealed, ...stamp },
    ]);
  }

  /** False for nobody and for somebody without a password, in the same time. */
  isPassword(entry: PersonEntry | undefined, password: string): Promise<boolean> {
    const stored = entry?.password ?? null;
    if (entry === undefined || stored === null) return isPassword(password, null);
    const context = contextOf("password", entry.person.personId);
    const hash = unseal(this.#deps.keyring.peopleKey, context, stored.sealed);
    return isPassword(password, hash.toString("utf8"));
  }

  /** A token that signs the person in once, shown to whoever asked for it. */
  async makeLink(
    personId: string,
    stamp: Stamp,
  ): Promise<{ readonly token: string; readonly expiresAtMs: number }> {
    const { token, sha256 } = newToken();
    const expiresAtMs = stamp.atMs + SIGN_IN_LINK_TTL_MS;
    const made = { type: "sign-in-link.made", personId, sha256, expiresAtMs } as const;
    await this.#deps.directory.change([{ ...made, ...stamp }]);
    return { token, expiresAtMs };
  }

  #sealedProfile(personId: string, profile: Profile): Uint8Array {
    const { peopleKey } = this.#deps.keyring;
    return seal(peopleKey, contextOf("person", personId), JSON.stringify(profile));
  }
}

/** A secret of 256 bits, and the hash that is stored of it. */
export function newToken(): { readonly token: string; readonly sha256: string } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, sha256: sha256Of(token) };
}

export function sha256Of(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Where a person opens a sign-in link: behind the `#`, the token reaches no server's log. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/console/#/sign-in/${token}`;
}

function normalised(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

function contextOf(kind: "person" | "password", personId: string): string {
  return `${kind}:${personId}`;
}
