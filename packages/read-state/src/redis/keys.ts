import type { SessionRef, TenantId, UserRef } from "@feed/domain/ids";
import type { SubjectKey } from "@feed/domain/user";
import type { ReadStateProjection } from "../port.ts";

/**
 * Names of keys. What one script changes together has the same part in braces, by which a cluster chooses the node.
 * Parts are escaped, so that no id can look like another key or move a brace.
 */
export class Keys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The subject's row, contents read, contents sent, and sessions it has a part of. */
  subject({ tenantId, subjectId }: SubjectKey): readonly [string, string, string, string] {
    const tag = `{${part(tenantId)}/${part(subjectId)}}`;
    return [
      `${this.#prefix}user:${tag}`,
      `${this.#prefix}read:${tag}`,
      `${this.#prefix}sent:${tag}`,
      `${this.#prefix}sessions:${tag}`,
    ];
  }

  session(tenantId: TenantId, sessionRef: SessionRef): string {
    return `${this.#prefix}session:{${part(tenantId)}/${part(sessionRef)}}`;
  }

  generation(tenantId: TenantId, userRef: UserRef): string {
    return `${this.#prefix}generation:{${part(tenantId)}/${part(userRef)}}`;
  }

  positions(projection: ReadStateProjection): string {
    return `${this.#prefix}positions:{${projection}}`;
  }

  /** Projected and taken credits, held and settled reservations. */
  credits(tenantId: TenantId, month: string): string {
    return `${this.#ofTenant("credits", tenantId)}:${part(month)}`;
  }

  cap(tenantId: TenantId): string {
    return this.#ofTenant("cap", tenantId);
  }

  reservation(tenantId: TenantId, reservationId: string): string {
    return `${this.#ofTenant("reservation", tenantId)}:${part(reservationId)}`;
  }

  record(kind: RecordKind, tenantId: TenantId, id: string): string {
    return `${this.#ofTenant(kind, tenantId)}:${part(id)}`;
  }

  /** Ids of a tenant's records, newest first. */
  list(kind: RecordKind, tenantId: TenantId): string {
    return this.#ofTenant(`${kind}-list`, tenantId);
  }

  /** Of all tenants. */
  openPushJobs(): string {
    return `${this.#prefix}open-push-jobs`;
  }

  /** Of all tenants. */
  dueWebhooks(): string {
    return `${this.#prefix}due-webhooks`;
  }

  window(limiterKey: string): string {
    return `${this.#prefix}window:{${part(limiterKey)}}`;
  }

  bucket(limiterKey: string): string {
    return `${this.#prefix}bucket:{${part(limiterKey)}}`;
  }

  snapshot(tenantId: TenantId, id: string): string {
    return `${this.#prefix}snapshot:{${part(tenantId)}/${part(id)}}`;
  }

  request(tenantId: TenantId, key: string): string {
    return `${this.#prefix}request:{${part(tenantId)}/${part(key)}}`;
  }

  #ofTenant(kind: string, tenantId: TenantId): string {
    return `${this.#prefix}${kind}:{${part(tenantId)}}`;
  }
}

export type RecordKind = "push-job" | "webhook";

/** What the models' keys begin with, behind the prefix; windows, buckets, snapshots and requests are none. */
const MODEL_KINDS = [
  "user:",
  "read:",
  "sent:",
  "sessions:",
  "session:",
  "generation:",
  "positions:",
  "credits:",
  "cap:",
  "reservation:",
  "push-job:",
  "push-job-list:",
  "webhook:",
  "webhook-list:",
  "open-push-jobs",
  "due-webhooks",
];

/** Glob patterns of every key that a projector writes under a prefix. */
export function modelKeyPatterns(prefix: string): readonly string[] {
  const literal = prefix.replaceAll(/[*?[\]\\^]/g, "\\$&");
  return MODEL_KINDS.map((kind) => `${literal}${kind}*`);
}

/** `tenant/id` of an index over all tenants. */
export function memberOf(tenantId: TenantId, id: string): string {
  return `${part(tenantId)}/${part(id)}`;
}

export function ofMember(member: string): readonly [tenantId: TenantId, id: string] {
  const [tenantId = "", id = ""] = member.split("/").map(decodeURIComponent);
  return [tenantId as TenantId, id];
}

const PLAIN = /^[\w.-]+$/;

/** Almost every id is plain; escaping is an order of magnitude dearer than looking. */
function part(text: string): string {
  return PLAIN.test(text) ? text : encodeURIComponent(text);
}
