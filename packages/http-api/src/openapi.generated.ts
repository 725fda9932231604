// Generated from schemas/http/openapi.yaml by generate-types.ts; not edited by hand.

/**
 * The application's identifier; it should hold no personal data.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserId".
 */
export type UserId = string;
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AreaLevel".
 */
export type AreaLevel = "station" | "city" | "prefecture";
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ApiScope".
 */
export type ApiScope = "feed" | "users" | "events" | "push";
/**
 * `none`: never delivered; `link`: delivered without body; `body`: the body may be included.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Licence".
 */
export type Licence = "none" | "link" | "body";
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Category".
 */
export type Category =
  | "politics"
  | "business"
  | "world"
  | "society"
  | "technology"
  | "science"
  | "health"
  | "sports"
  | "entertainment"
  | "culture"
  | "food"
  | "travel"
  | "lifestyle"
  | "other";

export interface Operations {
  parameters: {
    getFeed: {
      scenario?: string;
      user_id?: UserId;
      limit: number;
      cursor?: string;
      /**
       * @maxItems 50
       */
      area_names?: string[];
      area_level?: AreaLevel;
      include_body: boolean;
      body_format: "markdown" | "html";
      explain: boolean;
    };
    getContent: {
      content_id: string;
      include_body: boolean;
      body_format: "markdown" | "html";
    };
    listUsers: {
      limit: number;
      cursor?: string;
    };
    getUser: {
      user_id: UserId;
    };
    putUser: {
      user_id: UserId;
    };
    deleteUser: {
      user_id: UserId;
    };
    patchUser: {
      user_id: UserId;
    };
    followSource: {
      user_id: UserId;
      source_id: string;
    };
    unfollowSource: {
      user_id: UserId;
      source_id: string;
    };
    blockSource: {
      user_id: UserId;
      source_id: string;
    };
    unblockSource: {
      user_id: UserId;
      source_id: string;
    };
    postEvents: {
      partial: boolean;
      "Idempotency-Key"?: string;
    };
    listPushJobs: {
      limit: number;
      cursor?: string;
    };
    postPushCandidates: {
      dry_run: boolean;
      "Idempotency-Key"?: string;
    };
    getPushJob: {
      job_id: string;
    };
    cancelPushJob: {
      job_id: string;
    };
    listSources: {};
    searchAreas: {
      q: string;
      limit: number;
    };
    getUsage: {
      month?: string;
    };
    getHealth: {};
    getReadiness: {};
    getMetrics: {};
    getOpenapi: {};
    getDocs: {};
    getProblemType: {
      slug: string;
    };
    adminGetTenant: {
      tenant_id: string;
    };
    adminPutTenant: {
      tenant_id: string;
    };
    adminIssueKey: {
      tenant_id: string;
    };
    adminRevokeKey: {
      tenant_id: string;
      key_id: string;
    };
    adminPutLicence: {
      tenant_id: string;
      source_id: string;
    };
    adminPutScenario: {
      tenant_id: string;
      name: string;
    };
    adminPutUsageCap: {
      tenant_id: string;
    };
    adminListSources: {};
    adminAddSource: {};
    adminPreviewSource: {
      address: string;
    };
    adminGetSource: {
      source_id: string;
    };
    adminRemoveSource: {
      source_id: string;
    };
    adminChangeSource: {
      source_id: string;
    };
    adminRecrawlSource: {
      source_id: string;
    };
    adminTakeDownContent: {
      content_id: string;
    };
  };
  bodies: {
    putUser: UserWrite;
    patchUser: UserWrite;
    postEvents: EventBatch;
    postPushCandidates: PushRequest;
    adminPutTenant: TenantWrite;
    adminIssueKey: KeyWrite;
    adminPutLicence: LicenceWrite;
    adminPutScenario: ScenarioWrite;
    adminPutUsageCap: UsageCap;
    adminAddSource: SourceAdd;
    adminChangeSource: SourceChange;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserWrite".
 */
export interface UserWrite {
  properties: UserProperties;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserProperties".
 */
export interface UserProperties {
  /**
   * @maxItems 50
   */
  area_names?: string[];
  area_level?: AreaLevel;
  /**
   * BCP 47.
   */
  language?: string;
  /**
   * @maxItems 100
   */
  interests?: string[];
  /**
   * When the user registered with the application.
   */
  registered_at?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "EventBatch".
 */
export interface EventBatch {
  /**
   * @minItems 1
   * @maxItems 100
   */
  events: Event[];
}
/**
 * Fields beyond those listed are ignored.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Event".
 */
export interface Event {
  type: "login" | "session_start" | "click" | "impression" | "return" | "share" | "like" | "dislike";
  /**
   * The application's identifier; it should hold no personal data.
   */
  user_id?: string;
  /**
   * One run of one device or app; never shared between users.
   */
  session_id?: string;
  /**
   * As delivered with a feed item or a push candidate.
   */
  tracking_token?: string;
  /**
   * Where no token is at hand; a valid token's content wins over it.
   */
  content_id?: string;
  event_id?: string;
  /**
   * The time of receipt when omitted. At most 24 hours ahead, not before 2000.
   */
  occurred_at?: string;
  /**
   * At most 4 KiB as JSON.
   */
  device_info?: {
    [k: string]: unknown;
  };
  /**
   * At most 16 KiB as JSON. `user_attributes` of a login is validated like a user's properties and merged
   * into them.
   *
   */
  metadata?: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushRequest".
 */
export interface PushRequest {
  /**
   * Push scenario. Unknown is 404, a feed scenario 400.
   */
  scenario: string;
  candidates_per_user?: number;
  target_mode?: "condition" | "manual";
  conditions?: PushConditions;
  /**
   * Of manual mode alone, and needed there. One that is given twice counts once.
   *
   * @minItems 1
   * @maxItems 100000
   */
  user_ids?: UserId[];
}
/**
 * None means all users.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushConditions".
 */
export interface PushConditions {
  /**
   * Only users with activity within that many days; a user who never was active is left out. Omitted: everyone,
   * also users without activity.
   *
   */
  last_active_days?: number;
  /**
   * Inclusive.
   */
  registered_from?: string;
  /**
   * Exclusive.
   */
  registered_to?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "TenantWrite".
 */
export interface TenantWrite {
  name: string;
  /**
   * Goes into `utm_source`; no other tenant's. The tenant's id in lower case, `_` as `-`, when omitted.
   */
  slug?: string;
  status?: "active" | "suspended";
  rate_limit_per_second?: number;
  /**
   * Nothing included, at no price, when omitted.
   */
  plan?: {
    included_credits: number;
    /**
     * Of one credit.
     */
    unit_price: number;
    currency: string;
  };
  /**
   * For sources without a licence of their own; `none` when omitted.
   */
  default_licence?: "none" | "link" | "body";
  /**
   * Prefectures or cities that shared area names are narrowed to.
   *
   * @maxItems 100
   */
  area_scope?: string[];
  explain_allowed?: boolean;
  /**
   * Scenarios of the tenant, each of the type it is the default of.
   */
  default_scenarios?: {
    feed?: string;
    push?: string;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "KeyWrite".
 */
export interface KeyWrite {
  /**
   * All of them when omitted.
   *
   * @minItems 1
   * @maxItems 4
   */
  scopes?: ApiScope[];
  /**
   * In the future; never when omitted or null.
   */
  expires_at?: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "LicenceWrite".
 */
export interface LicenceWrite {
  licence: Licence;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioWrite".
 */
export interface ScenarioWrite {
  type: "feed" | "push";
  settings?: ScenarioSettings;
}
/**
 * How a scenario ranks. Weights are relative; shares and caps are 0 to 1.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioSettings".
 */
export interface ScenarioSettings {
  /**
   * At least one is above 0; one that is omitted has the service's default.
   */
  weights?: {
    relevance?: number;
    freshness?: number;
    engagement?: number;
    quality?: number;
  };
  boosts?: {
    followed_source?: number;
    area?: number;
  };
  freshness_half_life_hours?: number;
  interest_half_life_days?: number;
  age_hours_max?: number | null;
  caps?: {
    source?: number;
    category?: number;
    window_items?: number;
  };
  diversity_lambda?: number;
  exploration_share?: number;
  language?: {
    mode?: "prefer" | "filter";
    preference_boost?: number;
  };
  sources?: {
    /**
     * @maxItems 10000
     */
    include?: string[] | null;
    /**
     * @maxItems 10000
     */
    exclude?: string[];
  };
  categories?: {
    /**
     * @maxItems 14
     */
    include?: Category[] | null;
    /**
     * @maxItems 14
     */
    exclude?: Category[];
  };
  /**
   * @maxItems 20
   */
  pins?: string[];
  exclude_sent?: boolean;
  score_threshold?: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UsageCap".
 */
export interface UsageCap {
  /**
   * Per billing cycle; null lifts the cap.
   */
  credits: number | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SourceAdd".
 */
export interface SourceAdd {
  address: string;
  /**
   * Default is made from the host.
   */
  source_id?: string;
  name?: string;
  title_rewrite_allowed?: boolean;
  language?: string;
  crawl_interval_ms?: number;
  crawl_interval_ms_max?: number;
  /**
   * @maxItems 20
   */
  keep_selectors?: string[];
  /**
   * @maxItems 20
   */
  drop_selectors?: string[];
  licence_notes?: string;
  paused?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SourceChange".
 */
export interface SourceChange {
  name?: string;
  title_rewrite_allowed?: boolean;
  language?: string;
  crawl_interval_ms?: number;
  crawl_interval_ms_max?: number;
  /**
   * @maxItems 20
   */
  keep_selectors?: string[];
  /**
   * @maxItems 20
   */
  drop_selectors?: string[];
  licence_notes?: string;
  paused?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "User".
 */
export interface User {
  user_id: UserId;
  properties: UserProperties;
  followed_sources: string[];
  blocked_sources: string[];
  /**
   * Counts session_start events.
   */
  total_sessions: number;
  /**
   * Latest event, of any type; null when there never was one.
   */
  last_active_at: string | null;
  /**
   * The property, else the time of the first event, else null.
   */
  registered_at: string | null;
  created_at: string;
  updated_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserAnswer".
 */
export interface UserAnswer {
  data: User;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserListAnswer".
 */
export interface UserListAnswer {
  data: User[];
  meta: PageMeta;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PageMeta".
 */
export interface PageMeta {
  /**
   * Null on the last page.
   */
  next_cursor: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "EventsAnswer".
 */
export interface EventsAnswer {
  data: {
    /**
     * Events recorded.
     */
    accepted: number;
    /**
     * With `partial=true` alone; one entry for each invalid event.
     */
    rejected?: Fault[];
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Fault".
 */
export interface Fault {
  pointer: string;
  detail: string;
}
/**
 * Always there; made for the article where it has no usable picture.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Thumbnail".
 */
export interface Thumbnail {
  /**
   * Signed; WebP or AVIF by `Accept`.
   */
  url: string;
  width: number;
  height: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ItemSource".
 */
export interface ItemSource {
  source_id: string;
  name: string;
  url: string;
  /**
   * When false, the title must be shown exactly as returned.
   */
  title_rewrite_allowed: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ContentItem".
 */
export interface ContentItem {
  id: string;
  title: string;
  /**
   * For linking out; carries attribution parameters.
   */
  url: string;
  canonical_url: string;
  summary: string;
  thumbnail: Thumbnail;
  body_excerpt: string;
  /**
   * Pictures in it are signed; don't store them.
   */
  content_body?: string;
  body_format?: "markdown" | "html";
  author?: string;
  published_at: string;
  source: ItemSource;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "FeedItem".
 */
export interface FeedItem {
  id: string;
  title: string;
  /**
   * For linking out; carries attribution parameters.
   */
  url: string;
  canonical_url: string;
  summary: string;
  thumbnail: Thumbnail;
  body_excerpt: string;
  /**
   * Pictures in it are signed; don't store them.
   */
  content_body?: string;
  body_format?: "markdown" | "html";
  author?: string;
  published_at: string;
  source: ItemSource;
  score: number;
  /**
   * Send it with events about this item. Valid for 90 days.
   */
  tracking_token: string;
  explanation?: Explanation;
}
/**
 * Why the item is where it is.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Explanation".
 */
export interface Explanation {
  parts: {
    relevance: number;
    freshness: number;
    engagement: number;
    quality: number;
  };
  boosts: {
    [k: string]: number;
  };
  found_by: string[];
  because_of?: {
    content_id: string;
    title: string;
  };
  moved: number;
  rule?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ResolvedAreas".
 */
export interface ResolvedAreas {
  /**
   * The one asked for or common to all that matched; null when nothing matched.
   */
  level: "station" | "city" | "prefecture" | null;
  from: "query" | "profile" | null;
  matched: {
    input: string;
    area_id: string;
    name: string;
    level: AreaLevel;
    prefecture: string;
  }[];
  skipped: {
    input: string;
    reason: "unregistered" | "out_of_scope";
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "FeedAnswer".
 */
export interface FeedAnswer {
  data: FeedItem[];
  meta: {
    /**
     * Null on the last page.
     */
    next_cursor: string | null;
    resolved_areas: ResolvedAreas;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ContentAnswer".
 */
export interface ContentAnswer {
  data: ContentItem;
  meta: {
    consumed_credits: number;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SourcesAnswer".
 */
export interface SourcesAnswer {
  data: {
    source_id: string;
    name: string;
    url: string;
    title_rewrite_allowed: boolean;
    language: string | null;
    licence: Licence;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AreasAnswer".
 */
export interface AreasAnswer {
  data: {
    area_id: string;
    name: string;
    level: AreaLevel;
    prefecture: string;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushJobAccepted".
 */
export interface PushJobAccepted {
  job_id: string;
  status: "queued";
}
/**
 * Independent counters; a user excluded for several reasons counts in each.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "FilterStats".
 */
export interface FilterStats {
  total_audience: number;
  excluded_due_to_null_last_active: number;
  excluded_due_to_last_active_days: number;
  excluded_due_to_registered_range: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushJob".
 */
export interface PushJob {
  job_id: string;
  status: "queued" | "processing" | "completed" | "failed";
  progress: number;
  /**
   * Null before the audience is known.
   */
  target_user_count: number | null;
  /**
   * Null unless completed.
   */
  failed_user_count: number | null;
  /**
   * Null unless completed.
   */
  candidates_generated: number | null;
  /**
   * 0 unless completed.
   */
  consumed_credits: number;
  /**
   * Of completed jobs in condition mode, else null.
   */
  filter_stats: FilterStats | null;
  /**
   * Null unless completed and kept.
   */
  download_url: string | null;
  download_url_expires_at: string | null;
  /**
   * Null unless failed.
   */
  error: {
    /**
     * `usage_limit_exceeded`, `cancelled`, `log_unavailable`, `projection_unavailable`,
     * `storage_unavailable` or `internal`.
     *
     */
    code: string;
    message: string;
  } | null;
  scenario: string;
  target_mode: "condition" | "manual";
  created_at: string;
  completed_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushJobListAnswer".
 */
export interface PushJobListAnswer {
  data: PushJob[];
  meta: {
    next_cursor: string | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushDryRun".
 */
export interface PushDryRun {
  target_user_count: number;
  /**
   * Null in manual mode.
   */
  filter_stats: FilterStats | null;
  /**
   * The first lines of the result file.
   *
   * @maxItems 5
   */
  sample: PushRow[];
}
/**
 * One line of a result file.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushRow".
 */
export interface PushRow {
  user_id: UserId;
  /**
   * Best first.
   *
   * @maxItems 3
   */
  candidates: {
    id: string;
    title: string;
    /**
     * Carries attribution; for linking out.
     */
    url: string;
    thumbnail: Thumbnail;
    source: ItemSource;
    published_at: string;
    score: number;
    /**
     * Send it with a click.
     */
    tracking_token: string;
  }[];
  /**
   * Only without candidates: `generation_failed` (counted in `failed_user_count`) or `no_matching_content`. Treat
   * a value you don't know like the former.
   *
   */
  empty_reason?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UsageAnswer".
 */
export interface UsageAnswer {
  data: {
    month: string;
    used_credits: number;
    /**
     * Null without a cap.
     */
    cap_credits: number | null;
    /**
     * Included in the plan.
     */
    plan_credits: number;
    resets_at: string;
    days: {
      day: string;
      endpoint: "feed" | "content" | "push";
      requests: number;
      credits: number;
    }[];
  };
}
/**
 * RFC 9457. Further members depend on the type.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Problem".
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: Fault[];
  /**
   * Of `ambiguous-area`; the areas each name can mean.
   */
  candidates?: {
    input: string;
    areas: {
      area_id: string;
      name: string;
      level: AreaLevel;
      prefecture: string;
    }[];
  }[];
  /**
   * Of `rate-limit`; names of the policies as in `RateLimit-Policy`.
   */
  "violated-policies"?: string[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ProblemType".
 */
export interface ProblemType {
  type: string;
  title: string;
  status: number;
  meaning: string;
  remedy: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Health".
 */
export interface Health {
  status: "ok" | "unavailable";
  parts?: {
    [k: string]: "ok" | "unavailable";
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "TenantAnswer".
 */
export interface TenantAnswer {
  data: {
    tenant_id: string;
    slug: string;
    name: string;
    status: string;
    rate_limit_per_second: number;
    plan: {};
    default_licence: Licence;
    area_scope: string[];
    explain_allowed: boolean;
    default_scenarios: {};
    keys: KeyRecord[];
    licences: {
      [k: string]: Licence;
    };
    scenarios: ScenarioRecord[];
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "KeyRecord".
 */
export interface KeyRecord {
  key_id: string;
  /**
   * First characters of the key.
   */
  prefix: string;
  scopes: ApiScope[];
  expires_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioRecord".
 */
export interface ScenarioRecord {
  name: string;
  type: "feed" | "push";
  version: number;
  settings: ScenarioSettings;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "IssuedKeyAnswer".
 */
export interface IssuedKeyAnswer {
  data: {
    /**
     * Shown this once.
     */
    api_key: string;
    key_id: string;
    prefix: string;
    scopes: ApiScope[];
    expires_at: string | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "LicenceAnswer".
 */
export interface LicenceAnswer {
  data: {
    source_id: string;
    licence: Licence;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UsageCapAnswer".
 */
export interface UsageCapAnswer {
  data: UsageCap;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioAnswer".
 */
export interface ScenarioAnswer {
  data: ScenarioRecord;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AdminSourcesAnswer".
 */
export interface AdminSourcesAnswer {
  data: AdminSource[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AdminSource".
 */
export interface AdminSource {
  source_id: string;
  name: string;
  url: string;
  feed_url: string;
  title_rewrite_allowed: boolean;
  language: string | null;
  colour: string;
  /**
   * The shortest time between two fetches.
   */
  crawl_interval_ms: number;
  /**
   * The longest.
   */
  crawl_interval_ms_max: number;
  keep_selectors: string[];
  drop_selectors: string[];
  licence_notes: string | null;
  paused: boolean;
  /**
   * Set where the crawler paused it.
   */
  paused_reason: string | null;
  health: SourceHealthRecord;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SourceHealthRecord".
 */
export interface SourceHealthRecord {
  status: "new" | "ok" | "failing" | "paused";
  last_success_at: string | null;
  next_due_at: string | null;
  interval_ms: number;
  /**
   * Of the last 50 crawls.
   */
  error_rate: number | null;
  /**
   * From publication to the service, smoothed.
   */
  lag_ms: number | null;
  /**
   * The last ten, newest first.
   */
  errors: {
    at: string;
    url: string;
    what: string;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AdminSourceAnswer".
 */
export interface AdminSourceAnswer {
  data: AdminSource;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SourcePreviewAnswer".
 */
export interface SourcePreviewAnswer {
  data: {
    name: string;
    url: string;
    feed_url: string;
    format: "rss" | "atom" | "rdf" | "json" | "sitemap";
    language: string | null;
    entries_found: number;
    /**
     * The newest ten.
     */
    entries: {
      title: string;
      url: string;
      published_at: string | null;
    }[];
    article: {
      title: string;
      url: string;
      excerpt: string;
      text_chars: number;
      pictures: number;
    } | null;
    problems: string[];
  };
}
