import { SEARCH_AREAS_MAX } from "@feed/areas";
import * as limits from "@feed/domain/limits";
import { WEBHOOK_ATTEMPTS_KEPT_MAX } from "@feed/domain/webhook";
import { describe, expect, it } from "vitest";
import { operationsOf, readOpenapiDocument, valueAt } from "./openapi-document.ts";

const document = readOpenapiDocument();

const parameterSchema = (operationId: string, parameterName: string) => {
  const operation = operationsOf(document).find((each) => each.operationId === operationId);
  return operation?.parameters.find(({ name }) => name === parameterName)?.schema;
};
const property = (schema: string, path: string) =>
  valueAt(document, `/components/schemas/${schema}/properties/${path}`);

const feedLimit = {
  minimum: 1,
  maximum: limits.FEED_LIMIT_MAX,
  default: limits.FEED_LIMIT_DEFAULT,
};
const userLimit = {
  minimum: 1,
  maximum: limits.USER_LIST_LIMIT_MAX,
  default: limits.USER_LIST_LIMIT_DEFAULT,
};
const jobLimit = {
  minimum: 1,
  maximum: limits.PUSH_JOB_LIST_LIMIT_MAX,
  default: limits.PUSH_JOB_LIST_LIMIT_DEFAULT,
};
const deliveryLimit = {
  minimum: 1,
  maximum: limits.WEBHOOK_DELIVERY_LIST_LIMIT_MAX,
  default: limits.WEBHOOK_DELIVERY_LIST_LIMIT_DEFAULT,
};
const auditLimit = {
  minimum: 1,
  maximum: limits.AUDIT_LIST_LIMIT_MAX,
  default: limits.AUDIT_LIST_LIMIT_DEFAULT,
};
const areaNames = {
  maxItems: limits.AREA_NAMES_MAX,
  items: { maxLength: limits.PROPERTY_CHARS_MAX },
};
const key = { maxLength: limits.IDEMPOTENCY_KEY_CHARS_MAX };
const candidates = limits.PUSH_CANDIDATES_PER_USER_MAX;

describe("the OpenAPI document has the limits of the service", () => {
  it.each([
    ["getFeed", "limit", feedLimit],
    ["getFeed", "area_names", areaNames],
    ["listUsers", "limit", userLimit],
    ["searchAreas", "limit", { minimum: 1, maximum: SEARCH_AREAS_MAX }],
    ["listPushJobs", "limit", jobLimit],
    ["adminListWebhookDeliveries", "limit", deliveryLimit],
    ["adminListAudit", "limit", auditLimit],
    ["postEvents", "Idempotency-Key", key],
    ["postPushCandidates", "Idempotency-Key", key],
  ])("of %s: %s", (operationId, name, limit) => {
    expect(parameterSchema(operationId, name)).toMatchObject(limit);
  });

  it.each([
    ["UserProperties", "area_names", areaNames],
    ["UserProperties", "language", { maxLength: limits.PROPERTY_CHARS_MAX }],
    [
      "UserProperties",
      "interests",
      { maxItems: limits.INTERESTS_MAX, items: { maxLength: limits.PROPERTY_CHARS_MAX } },
    ],
    ["Event", "session_id", { maxLength: limits.SESSION_ID_CHARS_MAX }],
    ["Event", "event_id", { maxLength: limits.EVENT_ID_CHARS_MAX }],
    ["EventBatch", "events", { maxItems: limits.EVENTS_PER_REQUEST_MAX }],
    ["ContentItem", "summary", { maxLength: limits.SUMMARY_CHARS_MAX }],
    ["ContentItem", "body_excerpt", { maxLength: limits.EXCERPT_CHARS_MAX }],
    ["PushConditions", "last_active_days", { maximum: limits.PUSH_LAST_ACTIVE_DAYS_MAX }],
    ["PushRequest", "candidates_per_user", { maximum: candidates }],
    ["PushRequest", "user_ids", { maxItems: limits.PUSH_USER_IDS_MAX }],
    ["WebhookDelivery", "attempts", { maxItems: WEBHOOK_ATTEMPTS_KEPT_MAX }],
    ["PushRow", "candidates", { maxItems: candidates }],
    ["KeyRotation", "overlap_hours", { maximum: limits.KEY_OVERLAP_HOURS_MAX }],
    ["SignIn", "email", { maxLength: limits.EMAIL_CHARS_MAX }],
    ["SignIn", "password", { maxLength: limits.PASSWORD_CHARS_MAX }],
  ])("of %s: %s", (schema, name, limit) => {
    expect(property(schema, name)).toMatchObject(limit);
  });

  it("of passwords and imports", () => {
    const { PASSWORD_CHARS_MIN: minLength, PASSWORD_CHARS_MAX: maxLength } = limits;
    const password = valueAt(document, "/components/schemas/NewPassword");
    expect(password).toMatchObject({ minLength, maxLength });
    const { description } = valueAt(
      document,
      "/paths/~1admin~1v1~1tenants~1{tenant_id}~1users~1import/post",
    ) as { readonly description: string };
    for (const limit of [
      `${limits.IMPORT_LINES_MAX.toLocaleString("en")} lines`,
      `${limits.IMPORT_BYTES_MAX / 1024 / 1024} MiB`,
      `${limits.IMPORT_LINE_BYTES_MAX / 1024} KiB a line`,
      `first ${limits.IMPORT_ERRORS_LISTED_MAX.toLocaleString("en")} faults`,
    ])
      expect(description).toContain(limit);
  });

  it("of user ids", () => {
    expect(valueAt(document, "/components/schemas/UserId/pattern")).toBe(
      limits.USER_ID_PATTERN.source,
    );
  });
});
