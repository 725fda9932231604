import type {
  BehaviourPersonal,
  BehaviourRecorded,
  ContentFact,
  CreditFact,
  DeliveryFact,
  Opened,
  UserFact,
} from "@feed/domain/facts";
import type { UserId } from "@feed/domain/ids";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { UserProperties } from "@feed/domain/user";
import type {
  ActivityRows,
  DeliveryRow,
  EventRow,
  IdentityRow,
  UserChangeRow,
} from "./activity-rows.ts";
import { NO_ROWS } from "./activity-rows.ts";

/**
 * What a fact of topic `users` adds to the activity store. Rows carry subject ids alone; a fact whose key is gone
 * still counts as an event, and names nobody (architecture rule 7: aggregates never change by a deletion).
 */
export function projectUserActivity(fact: UserFact, offset: number): ActivityRows {
  switch (fact.type) {
    case "behaviour.recorded":
      return behaviourRows(fact, offset);
    case "user.properties-replaced":
      return propertiesRows(fact, offset, true);
    case "user.properties-merged":
      return propertiesRows(fact, offset, false);
    case "user.source-preference-changed":
      return NO_ROWS;
    case "user.deleted": {
      const { tenantId, subjectId, receivedAtMs: changedAtMs } = fact;
      const deletion = { tenantId, subjectId, offset, changedAtMs, creates: false, deletes: true };
      return { ...NO_ROWS, userChanges: [deletion], forgotten: [{ tenantId, subjectId }] };
    }
    default:
      return fact satisfies never;
  }
}

/** What a delivery adds: one row a request, keyed by it, so that a repeat is charged once. */
export function projectDeliveryActivity(fact: DeliveryFact): ActivityRows {
  const { tenantId, requestId, creditsTenths, servedAtMs } = fact;
  const charged = { tenantId, requestId, creditsTenths, servedAtMs };
  const row: DeliveryRow =
    fact.type === "content.delivered"
      ? {
          ...charged,
          endpoint: "content",
          contentIds: [fact.contentId],
          positions: [0],
          scores: [],
        }
      : {
          ...charged,
          endpoint: "feed",
          scenario: fact.scenario,
          ...(fact.subjectId === undefined ? {} : { subjectId: fact.subjectId }),
          ...(fact.experiment === undefined ? {} : { experiment: fact.experiment }),
          contentIds: fact.items.map(({ contentId }) => contentId),
          positions: fact.items.map(({ position }) => position),
          scores: fact.items.map(({ score }) => score),
        };
  return { ...NO_ROWS, deliveries: [row] };
}

/** Caps as they are set, and what settled reservations charged, by the time their job was posted. */
export function projectCreditActivity(fact: CreditFact, offset: number): ActivityRows {
  if (fact.type === "credit-reservation.step") {
    if (fact.step !== "settled" || fact.tenths === 0) return NO_ROWS;
    const { tenantId, reservationId: requestId, tenths, postedAtMs } = fact;
    const charged = { tenantId, requestId, creditsTenths: tenths, servedAtMs: postedAtMs };
    const nothing = { contentIds: [], positions: [], scores: [] };
    return { ...NO_ROWS, deliveries: [{ ...charged, endpoint: "push", ...nothing }] };
  }
  const { tenantId, capTenths, actor, atMs } = fact;
  return { ...NO_ROWS, usageCaps: [{ tenantId, capTenths, actor, atMs, offset }] };
}

/** Titles, sources and categories for data teams to join; a withdrawn article keeps its row. */
export function projectContentActivity(fact: ContentFact, offset: number): ActivityRows {
  if (fact.type === "article.withdrawn") {
    const { contentId, sourceId, withdrawnAtMs: publishedAtMs } = fact;
    const unknown = { title: "", category: "other", language: "" };
    const row = { contentId, sourceId, ...unknown, publishedAtMs, withdrawn: true, offset };
    return { ...NO_ROWS, contents: [row] };
  }
  const { contentId, sourceId, title, category, language, publishedAtMs } = fact.article;
  const row = {
    contentId,
    sourceId,
    title,
    category,
    language,
    publishedAtMs,
    withdrawn: false,
    offset,
  };
  return { ...NO_ROWS, contents: [row] };
}

/**
 * Jobs that have ended, and what completed ones sent. A job cancelled while it completes may give two rows: the one
 * of the lower offset stands; what is sent hangs on `completed` rows alone.
 */
export function projectPushActivity(fact: PushJobFact, offset: number): ActivityRows {
  const { tenantId, jobId, atMs } = fact;
  const none = { targetUsers: 0, usersFailed: 0, candidates: 0, creditsTenths: 0 };
  switch (fact.type) {
    case "push-job.completed": {
      const { scenario, usersFailed, candidates, creditsTenths, targetUserCount } = fact;
      const counts = { targetUsers: targetUserCount, usersFailed, candidates, creditsTenths };
      const ended = { tenantId, jobId, scenario, errorCode: "", endedAtMs: atMs, offset };
      return {
        ...NO_ROWS,
        pushJobs: [{ ...ended, status: "completed", ...counts }],
        pushSent: fact.sent.map(({ contentId, users }) => {
          return { tenantId, jobId, scenario, contentId, users, sentAtMs: atMs };
        }),
      };
    }
    case "push-job.failed":
    case "push-job.cancelled": {
      const isCancelled = fact.type === "push-job.cancelled";
      const errorCode = isCancelled ? "cancelled" : fact.code;
      const scenario = isCancelled ? "" : fact.scenario;
      const ended = { tenantId, jobId, scenario, errorCode, endedAtMs: atMs, offset };
      return { ...NO_ROWS, pushJobs: [{ ...ended, status: "failed", ...none }] };
    }
    default:
      return NO_ROWS;
  }
}

function behaviourRows(
  fact: BehaviourRecorded<Opened<BehaviourPersonal>>,
  offset: number,
): ActivityRows {
  const { tenantId, subjectId, personal, origin } = fact;
  const event: EventRow = {
    tenantId,
    subjectId,
    ofUser: fact.ofUser,
    eventId: fact.eventId,
    kind: fact.kind,
    ...(fact.sessionRef === undefined ? {} : { sessionRef: fact.sessionRef }),
    ...(fact.contentId === undefined ? {} : { contentId: fact.contentId }),
    ...(origin === undefined
      ? {}
      : {
          surface: origin.surface,
          scenario: origin.scenario,
          deliveryId: origin.deliveryId,
          position: origin.position,
        }),
    occurredAtMs: fact.occurredAtMs,
    receivedAtMs: fact.receivedAtMs,
    offset,
  };
  const attributes = personal?.userAttributes;
  return {
    ...NO_ROWS,
    events: [event],
    identities: identityRows(fact, personal?.userId),
    userChanges:
      attributes?.registered_at === undefined
        ? []
        : [changeRow(fact, offset, { creates: true, attributes })],
  };
}

function propertiesRows(
  fact: Extract<UserFact, { type: "user.properties-replaced" | "user.properties-merged" }>,
  offset: number,
  replaces: boolean,
): ActivityRows {
  if (fact.personal === null) return NO_ROWS;
  const { properties: attributes, userId } = fact.personal;
  const change = changeRow(fact, offset, { creates: replaces, attributes });
  return { ...NO_ROWS, userChanges: [change], identities: identityRows(fact, userId) };
}

function changeRow(
  fact: Pick<IdentityRow, "tenantId" | "subjectId"> & { readonly receivedAtMs: number },
  offset: number,
  change: { readonly creates: boolean; readonly attributes: UserProperties },
): UserChangeRow {
  const { registered_at } = change.attributes;
  // A PUT without the property clears it (decisions: it falls back to the first event); a PATCH leaves it.
  const cleared = change.creates ? { registeredAtMs: null } : {};
  return {
    tenantId: fact.tenantId,
    subjectId: fact.subjectId,
    offset,
    changedAtMs: fact.receivedAtMs,
    creates: change.creates,
    deletes: false,
    ...(registered_at === undefined ? cleared : { registeredAtMs: Date.parse(registered_at) }),
  };
}

function identityRows(
  fact: Pick<IdentityRow, "tenantId" | "subjectId">,
  userId: UserId | undefined,
): readonly IdentityRow[] {
  if (userId === undefined) return [];
  return [{ tenantId: fact.tenantId, subjectId: fact.subjectId, userId }];
}
