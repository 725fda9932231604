import type { DirectoryFact } from "@feed/domain/facts";
import type { TenantId } from "@feed/domain/ids";
import type { Person, SessionStarted } from "@feed/domain/people";
import { snakeCased } from "../scenario-settings.ts";

/** A fact of topic `tenants` as somebody's doing. */
export interface AuditEntry {
  readonly offset: number;
  readonly atMs: number;
  readonly actor: string;
  readonly kind: string;
  /** Null: it concerned the installation. */
  readonly tenantId: TenantId | null;
  /** What was changed: an id, or a name; empty: the tenant itself. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Secrets, hashes of them, and what an entry says by itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "type",
  "actor",
  "atMs",
  "tenantId",
  "sha256",
  "linkSha256",
  "sealed",
  "secrets",
  "emailRef",
  "identityRef",
]);

/**
 * Undefined for facts that nobody did.
 *
 * @param personOf anybody who ever signed in.
 */
export function auditEntryOf(
  fact: DirectoryFact,
  offset: number,
  personOf: (personId: string) => Pick<Person, "tenantId"> | undefined,
): AuditEntry | undefined {
  if (fact.type === "api-key.used") return undefined;
  const { atMs, actor } = fact;
  const base = { offset, atMs, actor, details: snakeCased(withoutSecrets(fact)) };
  switch (fact.type) {
    case "action.recorded":
      return {
        ...base,
        kind: fact.action,
        tenantId: fact.tenantId,
        subject: fact.subject,
        details: fact.details,
      };
    case "tenant.saved":
      return { ...base, kind: fact.type, tenantId: fact.tenant.tenantId, subject: "" };
    case "api-key.issued":
      return { ...base, kind: fact.type, tenantId: fact.key.tenantId, subject: fact.key.keyId };
    case "licence.set": {
      const { tenantId, sourceId } = fact.licence;
      return { ...base, kind: fact.type, tenantId, subject: sourceId };
    }
    case "source.saved":
      return { ...base, kind: fact.type, tenantId: null, subject: fact.source.sourceId };
    case "person.saved": {
      const { tenantId, personId } = fact.person;
      return { ...base, kind: fact.type, tenantId, subject: personId };
    }
    default: {
      if (!("personId" in fact)) {
        return { ...base, kind: fact.type, tenantId: fact.tenantId, subject: subjectOf(fact) };
      }
      const tenantId = personOf(fact.personId)?.tenantId ?? null;
      if (fact.type === "session.started") {
        const details = { ...base.details, by: meansOf(fact) };
        return { ...base, details, kind: fact.type, tenantId, subject: fact.personId };
      }
      return { ...base, kind: fact.type, tenantId, subject: fact.personId };
    }
  }
}

function meansOf({ linkSha256, identityRef }: SessionStarted): "link" | "openid" | "password" {
  if (linkSha256 !== null) return "link";
  return identityRef === null ? "password" : "openid";
}

function subjectOf(fact: object): string {
  const known = fact as Readonly<Record<string, unknown>>;
  const { keyId, scenario, name, contentId, sourceId, url, month } = known;
  const subject = keyId ?? scenario ?? name ?? contentId ?? sourceId ?? url ?? month;
  return typeof subject === "string" ? subject : "";
}

function withoutSecrets(members: object): object {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]: readonly [string, unknown]) => {
        const isSection = typeof value === "object" && value !== null && !Array.isArray(value);
        return [name, isSection ? withoutSecrets(value) : value];
      }),
  );
}
