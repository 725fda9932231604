import type { DeliveryOrigin, UserFact } from "@feed/domain/facts";
import { asId, type ContentId, type TenantId, type UserId } from "@feed/domain/ids";

export type UserFactInput = { readonly userId: UserId; readonly of?: TenantId } & (
  | {
      readonly did: "click" | "session_start";
      readonly content?: ContentId;
      readonly origin?: DeliveryOrigin;
      readonly atMs?: number;
    }
  | { readonly blocks: string }
  | { readonly properties: Readonly<Record<string, unknown>> }
  | { readonly deleted: true }
);

/** The whole fact of what a test tells. */
export function factOf(
  input: Omit<UserFactInput, "userId" | "of">,
  base: Pick<UserFact, "tenantId" | "subjectId" | "receivedAtMs">,
  user: UserId,
  eventId: string,
): UserFact {
  const fact = input as UserFactInput;
  if ("did" in fact) {
    return {
      type: "behaviour.recorded",
      ...base,
      eventId,
      kind: fact.did,
      ofUser: true,
      ...(fact.content === undefined ? {} : { contentId: fact.content }),
      ...(fact.origin === undefined ? {} : { origin: fact.origin }),
      occurredAtMs: fact.atMs ?? base.receivedAtMs,
      personal: { userId: user },
    };
  }
  if ("blocks" in fact) {
    return {
      type: "user.source-preference-changed",
      ...base,
      sourceId: asId(fact.blocks),
      change: "block",
      personal: { userId: user },
    };
  }
  if ("deleted" in fact) {
    return { type: "user.deleted", ...base, userRef: asId("set when stored"), generation: 0 };
  }
  return {
    type: "user.properties-replaced",
    ...base,
    personal: { userId: user, properties: fact.properties },
  };
}
