import { asId, type ContentId, type SessionRef, type SourceId } from "@feed/domain/ids";
import type { SubjectId, TenantId, UserId } from "@feed/domain/ids";
import { NO_ROWS, type ActivityRows, type EventRow } from "@feed/projections/activity-rows";

/** What the queries of docs/data are answered from: one tenant's readers in a week of October, and another tenant's. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Monday noon in Tokyo. */
const MONDAY_MS = Date.UTC(2026, 9, 5, 3);

export const TENANT = asId<TenantId>("demo");
const OTHER_TENANT = asId<TenantId>("other");
const ARTICLES = [
  { id: "harbour", source: "north-daily", category: "travel", title: "The harbour at dawn" },
  { id: "typed", source: "lantern", category: "technology", title: "Typed or untyped?" },
  { id: "noodles", source: "north-daily", category: "food", title: "Noodles by the station" },
] as const;
type ArticleId = (typeof ARTICLES)[number]["id"];

interface Seen {
  readonly reader: string;
  readonly article: ArticleId;
  readonly day: number;
  readonly did: "impression" | "click" | "like";
  readonly from?: { readonly scenario: string; readonly position: number };
  readonly ofPush?: string;
}

const HOME = [0, 1, 2].map((position) => ({ scenario: "home", position }));
const LOCAL = { scenario: "local", position: 0 };

const SEEN: readonly Seen[] = [
  { reader: "aiko", article: "harbour", day: 0, did: "impression", from: HOME[0]! },
  { reader: "aiko", article: "harbour", day: 0, did: "click", from: HOME[0]! },
  { reader: "aiko", article: "typed", day: 0, did: "impression", from: HOME[1]! },
  { reader: "ben", article: "harbour", day: 0, did: "impression", from: HOME[0]! },
  { reader: "ben", article: "typed", day: 0, did: "impression", from: HOME[1]! },
  { reader: "ben", article: "typed", day: 0, did: "click", from: HOME[1]! },
  { reader: "aiko", article: "noodles", day: 1, did: "impression", from: LOCAL },
  { reader: "aiko", article: "noodles", day: 1, did: "click", from: LOCAL },
  { reader: "aiko", article: "noodles", day: 1, did: "like" },
  { reader: "chie", article: "typed", day: 1, did: "impression", from: HOME[0]! },
  { reader: "ben", article: "harbour", day: 7, did: "click", ofPush: "job-1" },
  { reader: "ben", article: "harbour", day: 7, did: "click", ofPush: "job-1" },
  { reader: "chie", article: "typed", day: 8, did: "click", ofPush: "job-1" },
];

/** Everything twice, as after a crash of the projector: no answer may change. */
export const BATCHES: readonly (readonly ["users" | "contents" | "deliveries", ActivityRows])[] = [
  ["users", userRows()],
  ["contents", { ...NO_ROWS, contents: ARTICLES.map(contentRow) }],
  ["deliveries", deliveryRows()],
];

function userRows(): ActivityRows {
  const events = SEEN.map(eventRow);
  const others = events.map((row) => ({ ...row, tenantId: OTHER_TENANT }));
  const identities = ["aiko", "ben", "chie"].map((name) => ({
    tenantId: TENANT,
    subjectId: subjectOf(name),
    userId: asId<UserId>(name),
  }));
  return { ...NO_ROWS, events: [...events, ...others], identities };
}

function eventRow({ reader, article, day, did, from, ofPush }: Seen, at: number): EventRow {
  const timeMs = MONDAY_MS + day * DAY_MS + at * MINUTE_MS;
  const delivery =
    ofPush === undefined
      ? { surface: "feed", deliveryId: `request-${reader}-${day}`, ...from }
      : { surface: "push", deliveryId: ofPush, scenario: "evening" };
  return {
    tenantId: TENANT,
    subjectId: subjectOf(reader),
    ofUser: true,
    eventId: `event-${at}`,
    kind: did,
    sessionRef: asId<SessionRef>(`session-${reader}-${day}`),
    contentId: asId<ContentId>(article),
    ...(from === undefined && ofPush === undefined ? {} : (delivery as Partial<EventRow>)),
    occurredAtMs: timeMs,
    receivedAtMs: timeMs,
    offset: at,
  };
}

function contentRow({ id, source, category, title }: (typeof ARTICLES)[number], at: number) {
  return {
    contentId: asId<ContentId>(id),
    sourceId: asId<SourceId>(source),
    title,
    category,
    language: "en",
    publishedAtMs: MONDAY_MS - (at + 1) * 6 * HOUR_MS,
    withdrawn: false,
    offset: at,
  };
}

function deliveryRows(): ActivityRows {
  const feed = (
    requestId: string,
    day: number,
    scenario: string,
    articles: readonly ArticleId[],
  ) => ({
    tenantId: TENANT,
    requestId,
    endpoint: "feed" as const,
    subjectId: subjectOf("aiko"),
    scenario,
    contentIds: articles.map((id) => asId<ContentId>(id)),
    positions: articles.map((_, position) => position),
    scores: articles.map(() => 0.5),
    creditsTenths: 10,
    servedAtMs: MONDAY_MS + day * DAY_MS,
  });
  const single = { endpoint: "content" as const, scenario: "", creditsTenths: 1 };
  const deliveries = [
    feed("request-1", 0, "home", ["harbour", "typed"]),
    feed("request-2", 0, "home", ["harbour", "noodles"]),
    feed("request-3", 1, "local", ["noodles"]),
    { ...feed("request-4", 1, "home", ["harbour"]), ...single },
  ];
  const others = deliveries.map((row) => ({ ...row, tenantId: OTHER_TENANT }));
  const cap = (capTenths: number, offset: number) => {
    return { tenantId: TENANT, capTenths, actor: "operator", atMs: MONDAY_MS, offset };
  };
  const job = { tenantId: TENANT, jobId: "job-1", scenario: "evening" };
  const ended = { status: "completed" as const, errorCode: "", targetUsers: 3, usersFailed: 0 };
  const times = { endedAtMs: MONDAY_MS + 6 * DAY_MS, offset: 1 };
  const sent = { ...job, sentAtMs: MONDAY_MS + 6 * DAY_MS };
  return {
    ...NO_ROWS,
    deliveries: [...deliveries, ...others],
    usageCaps: [cap(1_000, 1), cap(400, 2)],
    pushJobs: [{ ...job, ...ended, ...times, candidates: 4, creditsTenths: 4 }],
    pushSent: [
      { ...sent, contentId: asId<ContentId>("harbour"), users: 3 },
      { ...sent, contentId: asId<ContentId>("typed"), users: 1 },
    ],
  };
}

function subjectOf(name: string): SubjectId {
  return asId<SubjectId>(`subject-${name}`);
}
