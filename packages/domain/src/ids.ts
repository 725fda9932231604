declare const brand: unique symbol;
/** A string that can't be passed where another kind of id is meant. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type TenantId = Branded<"TenantId">;
/** The application's own identifier for a user (spec 2.5); unique within a tenant. */
export type UserId = Branded<"UserId">;
/** Pseudonym of a user or a lone session: HMAC over tenant, user and generation (architecture rule 7). */
export type SubjectId = Branded<"SubjectId">;
/** Pseudonym of a user over all generations: HMAC over tenant and user. Decides the partition. */
export type UserRef = Branded<"UserRef">;
/** Pseudonym of a session: HMAC over tenant and session_id. */
export type SessionRef = Branded<"SessionRef">;
export type ContentId = Branded<"ContentId">;
export type SourceId = Branded<"SourceId">;
export type AreaId = Branded<"AreaId">;
/** Lower-case hex SHA-256 of a stored original picture. */
export type PictureId = Branded<"PictureId">;

/** Names the kind of a raw string at the edge where it has been checked or made. */
export function asId<Id extends Branded<string>>(value: string): Id {
  return value as Id;
}
