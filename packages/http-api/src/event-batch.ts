import { BEHAVIOUR_KINDS } from "@feed/domain/facts";
import type { BehaviourKind, BehaviourPersonal, DeliveryOrigin } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, TenantId } from "@feed/domain/ids";
import {
  DEVICE_INFO_BYTES_MAX,
  EVENT_METADATA_BYTES_MAX,
  EVENTS_PER_REQUEST_MAX,
  OCCURRED_AT_FUTURE_MS_MAX,
  OCCURRED_AT_MS_MIN,
} from "@feed/domain/limits";
import type { UserProperties } from "@feed/domain/user";
import { eventIdOf } from "@feed/signing";
import type { JsonValue, Keyring } from "@feed/signing";
import type { Event } from "./openapi.generated.ts";
import type { Fault } from "./problem.ts";
import { parseRfc3339 } from "./rfc3339.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestValidation } from "./validation.ts";

/** One valid event, before it is known whose record it changes. */
export interface EventDraft {
  readonly eventId: string;
  readonly kind: BehaviourKind;
  readonly occurredAtMs: number;
  readonly contentId: ContentId | undefined;
  readonly origin: DeliveryOrigin | undefined;
  readonly personal: BehaviourPersonal;
}

export interface EventBatchReading {
  readonly drafts: readonly EventDraft[];
  /** One for each event that is not among the drafts, in order. */
  readonly faults: readonly Fault[];
  readonly expiredTokens: number;
}

export interface EventBatchOptions {
  readonly tenantId: TenantId;
  readonly receivedAtMs: number;
  readonly idempotencyKey: string | undefined;
  readonly validation: RequestValidation;
  readonly keyring: Pick<Keyring, "verifyTrackingToken">;
  /** For an event that nothing identifies: it is counted each time it is sent. */
  readonly freshId: () => string;
}

type ReadEvent =
  | { readonly draft: EventDraft; readonly expiredToken: boolean }
  | { readonly fault: Fault };

/**
 * The events of a body (spec 2.7, 4.4, 6.1; decisions, "Users, events, sessions"): a draft for every
 * valid one, a fault for every other. A body that is no batch is one fault.
 */
export function readEventBatch(value: unknown, options: EventBatchOptions): EventBatchReading {
  const events = listOf(value);
  if (events === undefined || events.length === 0 || events.length > EVENTS_PER_REQUEST_MAX) {
    return {
      drafts: [],
      faults: [shapeFault(value, events, options.validation)],
      expiredTokens: 0,
    };
  }
  const allFit = options.validation.accepts("postEvents", value);
  const drafts: EventDraft[] = [];
  const faults: Fault[] = [];
  let expiredTokens = 0;
  for (const [index, event] of events.entries()) {
    const fault = allFit
      ? undefined
      : options.validation.faultOf("Event", event, `/events/${index}`);
    const read = fault === undefined ? readEvent(event as Event, index, options) : { fault };
    if ("fault" in read) {
      faults.push(read.fault);
      continue;
    }
    drafts.push(read.draft);
    if (read.expiredToken) expiredTokens += 1;
  }
  return { drafts, faults, expiredTokens };
}

function listOf(value: unknown): readonly unknown[] | undefined {
  const events = (value as { readonly events?: unknown } | null)?.events;
  return Array.isArray(events) ? events : undefined;
}

function shapeFault(
  value: unknown,
  events: readonly unknown[] | undefined,
  validation: RequestValidation,
): Fault {
  if (events !== undefined && events.length > EVENTS_PER_REQUEST_MAX) {
    return { pointer: "/events", detail: `must not exceed ${EVENTS_PER_REQUEST_MAX} entries` };
  }
  return validation.faultOf("EventBatch", value, "") ?? { pointer: "", detail: "is no batch" };
}

/** An event that fits its schema, checked for what a schema can't say. */
function readEvent(event: Event, index: number, options: EventBatchOptions): ReadEvent {
  const { tenantId, receivedAtMs, keyring } = options;
  const fault = (field: string, detail: string) => ({
    fault: { pointer: `/events/${index}/${field}`, detail },
  });
  const occurredAtMs =
    event.occurred_at === undefined ? receivedAtMs : parseRfc3339(event.occurred_at);
  if (occurredAtMs === undefined) return fault("occurred_at", "is no RFC 3339 timestamp");
  if (occurredAtMs > receivedAtMs + OCCURRED_AT_FUTURE_MS_MAX) {
    return fault("occurred_at", "lies more than 24 hours in the future");
  }
  if (occurredAtMs < OCCURRED_AT_MS_MIN) return fault("occurred_at", "lies before 2000");
  if (isLarger(event.device_info, DEVICE_INFO_BYTES_MAX)) {
    return fault("device_info", `is over ${DEVICE_INFO_BYTES_MAX} bytes`);
  }
  if (isLarger(event.metadata, EVENT_METADATA_BYTES_MAX)) {
    return fault("metadata", `is over ${EVENT_METADATA_BYTES_MAX} bytes`);
  }
  const token =
    event.tracking_token === undefined
      ? undefined
      : keyring.verifyTrackingToken(event.tracking_token, tenantId);
  if (token?.kind === "invalid") return fault("tracking_token", "is not one this service made");
  const delivered = token?.kind === "valid" ? token : undefined;
  const named = event.content_id === undefined ? undefined : asId<ContentId>(event.content_id);
  const draft: EventDraft = {
    eventId: eventIdFor(event, index, options),
    kind: kindOf(event),
    occurredAtMs,
    contentId: delivered === undefined ? named : delivered.contentId,
    origin: delivered?.origin,
    personal: personalOf(event),
  };
  return { draft, expiredToken: token?.kind === "expired" };
}

function kindOf({ type }: Event): BehaviourKind {
  const kind = BEHAVIOUR_KINDS.find((known) => known === type);
  if (kind === undefined) throw new Error("the schema let an unknown type pass");
  return kind;
}

function isLarger(value: object | undefined, bytesMax: number): boolean {
  return value !== undefined && Buffer.byteLength(JSON.stringify(value)) > bytesMax;
}

function eventIdFor(event: Event, index: number, options: EventBatchOptions): string {
  const { idempotencyKey, freshId } = options;
  if (event.event_id !== undefined) return event.event_id;
  if (event.occurred_at !== undefined) {
    // JSON.parse made it: it holds nothing but JSON values.
    return eventIdOf(event as unknown as Readonly<Record<string, JsonValue>>);
  }
  if (idempotencyKey === undefined) return freshId();
  return eventIdOf({ idempotency_key: idempotencyKey, index });
}

function personalOf(event: Event): BehaviourPersonal {
  const { type, user_id, session_id, device_info, metadata } = event;
  const base = {
    ...(user_id !== undefined && { userId: asUserId(user_id) }),
    ...(session_id !== undefined && { sessionId: session_id }),
    ...(device_info !== undefined && { deviceInfo: device_info }),
  };
  if (metadata === undefined) return base;
  if (type !== "login") return { ...base, metadata };
  const { user_attributes: userAttributes, ...rest } = metadata;
  return {
    ...base,
    metadata: rest,
    ...(userAttributes !== undefined && { userAttributes: userAttributes as UserProperties }),
  };
}
