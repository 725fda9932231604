import type { Article } from "@feed/domain/article";
import type { BehaviourPersonal, BehaviourRecorded, Opened } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId, SubjectId, TenantId, UserId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import type { Scenario } from "@feed/domain/scenario";
import type { Source } from "@feed/domain/source";
import type { ApiKey, SourceLicence, Tenant } from "@feed/domain/tenant";
import type { UserState } from "@feed/domain/user";

/** 2026-11-01 00:00 UTC: the instant builders count from. */
export const BUILT_AT_MS = Date.UTC(2026, 10, 1);

const TENANT = asId<TenantId>("tenant-1");
const SOURCE = asId<SourceId>("source-1");
const SUBJECT = asId<SubjectId>("subject-1");
const USER = asId<UserId>("user-1");
const CONTENT = asId<ContentId>("content-1");
const VECTOR_DIMENSIONS = 4;

/** An article that may be delivered; every part can be given. */
export function buildArticle(parts: Partial<Article> = {}): Article {
  const contentId = parts.contentId ?? CONTENT;
  const vector = new Float32Array(VECTOR_DIMENSIONS);
  vector[0] = 1;
  return {
    contentId,
    sourceId: SOURCE,
    revision: 1,
    url: `https://publisher.example/${contentId}`,
    canonicalUrl: `https://publisher.example/${contentId}`,
    title: `Title of ${contentId}`,
    summary: "A summary.",
    excerpt: "The start of the body.",
    bodyHtml: "<p>The start of the body.</p>",
    bodyMarkdown: "The start of the body.\n",
    language: "en",
    category: "technology",
    areas: [],
    publishedAtMs: BUILT_AT_MS,
    fetchedAtMs: BUILT_AT_MS,
    quality: 0.5,
    duplicateGroup: contentId,
    embedding: { model: "test-4", vector },
    analysedBy: {},
    ...parts,
  };
}

/** An active tenant that may show bodies. */
export function buildTenant(parts: Partial<Tenant> = {}): Tenant {
  return {
    tenantId: TENANT,
    slug: "tenant-1",
    name: "Tenant 1",
    status: "active",
    rateLimitPerSecond: 100,
    plan: { includedTenths: 100_000, unitPrice: 1, currency: "JPY" },
    defaultLicence: "body",
    areaScope: [],
    explainAllowed: true,
    defaultScenarios: { feed: "main", push: "daily" },
    ...parts,
  };
}

export function buildApiKey(parts: Partial<ApiKey> = {}): ApiKey {
  return {
    keyId: "key-1",
    tenantId: TENANT,
    sha256: "0".repeat(64),
    prefix: "cfs_live_ab",
    scopes: ["feed", "users", "events", "push"],
    expiresAtMs: null,
    kind: "live",
    name: "",
    ...parts,
  };
}

export function buildSource(parts: Partial<Source> = {}): Source {
  return {
    sourceId: SOURCE,
    name: "Publisher",
    url: "https://publisher.example/",
    feedUrl: "https://publisher.example/feed.xml",
    titleRewriteAllowed: false,
    colour: "#336699",
    crawlIntervalMs: 300_000,
    paused: false,
    ...parts,
  };
}

export function buildLicence(parts: Partial<SourceLicence> = {}): SourceLicence {
  return { tenantId: TENANT, sourceId: SOURCE, licence: "body", ...parts };
}

/** A feed scenario with the default settings. */
export function buildScenario(parts: Partial<Scenario> = {}): Scenario {
  const settings = DEFAULT_SCENARIO_SETTINGS;
  return { tenantId: TENANT, name: "main", type: "feed", version: 1, settings, ...parts };
}

type OpenedBehaviour = BehaviourRecorded<Opened<BehaviourPersonal>>;

/** A click of a user, with its personal fields opened. */
export function buildBehaviourRecorded(parts: Partial<OpenedBehaviour> = {}): OpenedBehaviour {
  return {
    type: "behaviour.recorded",
    tenantId: TENANT,
    subjectId: SUBJECT,
    eventId: "event-1",
    kind: "click",
    ofUser: true,
    contentId: CONTENT,
    occurredAtMs: BUILT_AT_MS,
    receivedAtMs: BUILT_AT_MS,
    personal: { userId: USER },
    ...parts,
  };
}

/** A user of whom nothing but the id is known. */
export function buildUserState(parts: Partial<UserState> = {}): UserState {
  return {
    userId: USER,
    properties: {},
    followedSources: [],
    blockedSources: [],
    totalSessions: 0,
    lastActiveAtMs: null,
    firstEventAtMs: null,
    createdAtMs: BUILT_AT_MS,
    updatedAtMs: BUILT_AT_MS,
    createdOffset: 0,
    rankingOffset: 0,
    interests: [],
    countedSessionStarts: [],
    ...parts,
  };
}
