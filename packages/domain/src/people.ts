import type { TenantId } from "./ids.ts";

/** What a person is to an installation; all but operators belong to one tenant. */
export const ROLES = ["operator", "tenant_admin", "editor", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who signs in. */
export interface Person {
  readonly personId: string;
  /** Null for operators. */
  readonly tenantId: TenantId | null;
  readonly role: Role;
  readonly status: "active" | "disabled";
  /** Keyed hash of the e-mail address in lower case: finds a person, and is one person's. */
  readonly emailRef: string;
  /** E-mail address and name, sealed under a key of the installation. */
  readonly sealed: Uint8Array;
}

/** What somebody may do; which role may is `mayDo`'s to say. */
export const PERMISSIONS = [
  "read",
  "scenarios",
  "contents",
  "settings",
  "contract",
  "installation",
] as const;
/**
 * `read`: see what belongs to a tenant. `scenarios`: save and set as default. `contents`: withhold articles from a tenant's
 * feeds. `settings`: keys, webhook, licences, usage cap, people and users of a tenant. `contract`: plan, price, rate
 * limit, status; make tenants. `installation`: sources, takedowns for all, operators.
 */
export type Permission = (typeof PERMISSIONS)[number];

const OF_ROLE: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  operator: new Set(PERMISSIONS),
  tenant_admin: new Set(["read", "scenarios", "contents", "settings"]),
  editor: new Set(["read", "scenarios", "contents"]),
  viewer: new Set(["read"]),
};

/** The permissions of a role, in the order of PERMISSIONS. */
export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS.filter((permission) => OF_ROLE[role].has(permission));
}

/**
 * Whether somebody may do something to a tenant, or to the installation (null). `unknown`: to this person that tenant does
 * not exist (architecture rule 8).
 */
export function mayDo(
  { role, tenantId: own }: Pick<Person, "role" | "tenantId">,
  permission: Permission,
  tenantId: TenantId | null,
): "yes" | "no" | "unknown" {
  if (role !== "operator" && tenantId !== null && tenantId !== own) return "unknown";
  if (role !== "operator" && tenantId === null) return "no";
  return OF_ROLE[role].has(permission) ? "yes" : "no";
}

interface PeopleFactBase {
  readonly actor: string;
  readonly atMs: number;
  readonly personId: string;
}

/** A person is added or changed: the whole record. A second person of one e-mail address is ignored. */
export interface PersonSaved extends Omit<PeopleFactBase, "personId"> {
  readonly type: "person.saved";
  readonly person: Person;
}
/** Ends every session of the person that began before. */
export interface PersonPasswordSet extends PeopleFactBase {
  readonly type: "person.password-set";
  /** The argon2id hash in PHC string format, sealed under a key of the installation. */
  readonly sealed: Uint8Array;
}
export interface PersonRemoved extends PeopleFactBase {
  readonly type: "person.removed";
}
/** Whoever has the link's token signs in as the person, once. */
export interface SignInLinkMade extends PeopleFactBase {
  readonly type: "sign-in-link.made";
  /** Lower-case hex SHA-256 of the token. */
  readonly sha256: string;
  readonly expiresAtMs: number;
}
export interface SessionStarted extends PeopleFactBase {
  readonly type: "session.started";
  /** Lower-case hex SHA-256 of the session's token. */
  readonly sha256: string;
  readonly expiresAtMs: number;
  /** Of the link that was used up; null: by other means. A link starts one session: the first in the log. */
  readonly linkSha256: string | null;
  /** The identity at a provider that it began by; null: by other means. Nothing begins where it is not the person's. */
  readonly identityRef: string | null;
}
/**
 * Whoever has this identity at a provider is the person. An identity is the person's who is first in the log, and somebody
 * has one at each issuer.
 */
export interface PersonIdentityLinked extends PeopleFactBase {
  readonly type: "person.identity-linked";
  /** Issuer identifier of the provider. */
  readonly issuer: string;
  /** Keyed hash of the issuer and its name for the person. */
  readonly identityRef: string;
}
export interface SessionEnded extends PeopleFactBase {
  readonly type: "session.ended";
  readonly sha256: string;
}

/** Who may sign in, and who has. Part of topic `tenants`. */
export type PeopleFact =
  | PersonSaved
  | PersonPasswordSet
  | PersonRemoved
  | PersonIdentityLinked
  | SignInLinkMade
  | SessionStarted
  | SessionEnded;

/** A session that has begun and not ended. */
export interface PersonSession {
  readonly personId: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
}
