// Generated from schemas/http/openapi.yaml by generate-types.ts; not edited by hand.

/**
 * The application's identifier; it should hold no personal data.
 */
export type UserId = string;
export type AreaLevel = "station" | "city" | "prefecture";
/**
 * `none`: never delivered; `link`: delivered without body; `body`: the body may be included.
 */
export type Licence = "none" | "link" | "body";

export interface Operations {
  parameters: {
    getFeed: {
      scenario?: string;
      user_id?: UserId;
      limit?: number;
      cursor?: string;
      /**
       * @maxItems 50
       */
      area_names?: string[];
      area_level?: AreaLevel;
      include_body?: boolean;
      body_format?: "markdown" | "html";
      explain?: boolean;
    };
    getContent: {
      content_id: string;
      include_body?: boolean;
      body_format?: "markdown" | "html";
    };
    listUsers: {
      limit?: number;
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
      partial?: boolean;
    };
    listPushJobs: {
      limit?: number;
      cursor?: string;
    };
    postPushCandidates: {
      dry_run?: boolean;
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
      limit?: number;
    };
    getUsage: {
      month?: string;
    };
  };
  bodies: {
    putUser: UserWrite;
    patchUser: UserWrite;
    postEvents: EventBatch;
    postPushCandidates: PushRequest;
  };
  answers: {
    getFeed: {
      "200": FeedAnswer;
    };
    getContent: {
      "200": ContentAnswer;
    };
    listUsers: {
      "200": UserListAnswer;
    };
    getUser: {
      "200": UserAnswer;
    };
    putUser: {
      "200": UserAnswer;
      "201": UserAnswer;
    };
    deleteUser: {
      "204": null;
    };
    patchUser: {
      "200": UserAnswer;
    };
    followSource: {
      "204": null;
    };
    unfollowSource: {
      "204": null;
    };
    blockSource: {
      "204": null;
    };
    unblockSource: {
      "204": null;
    };
    postEvents: {
      "202": EventsAnswer;
    };
    listPushJobs: {
      "200": PushJobListAnswer;
    };
    postPushCandidates: {
      "200": PushDryRun;
      "202": PushJobAccepted;
    };
    getPushJob: {
      "200": PushJob;
    };
    cancelPushJob: {
      "200": PushJob;
    };
    listSources: {
      "200": SourcesAnswer;
    };
    searchAreas: {
      "200": AreasAnswer;
    };
    getUsage: {
      "200": UsageAnswer;
    };
  };
  webhooks: {
    "push_job.completed": PushJobCompletedEvent;
    "push_job.failed": PushJobFailedEvent;
    "usage.threshold_reached": UsageThresholdReachedEvent;
    "webhook.test": WebhookTestEvent;
  };
  problem: Problem;
  row: PushRow;
}
export interface UserWrite {
  properties: UserProperties;
}
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
export interface EventBatch {
  /**
   * @minItems 1
   * @maxItems 100
   */
  events: Event[];
}
/**
 * Fields beyond those listed are ignored.
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
   */
  metadata?: {
    [k: string]: unknown;
  };
}
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
 */
export interface PushConditions {
  /**
   * Only users with activity within that many days; a user who never was active is left out. Omitted: everyone,
   * also users without activity.
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
 * Always there; made for the article where it has no usable picture.
 */
export interface Thumbnail {
  /**
   * Signed; WebP or AVIF by `Accept`.
   */
  url: string;
  width: number;
  height: number;
}
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
 * Why the item is where it is.
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
  /**
   * The scenario's rules that lifted or buried it; omitted where none matches.
   */
  ranking_rules?: RankingRule[];
  because_of?: {
    content_id: string;
    title: string;
  };
  moved: number;
  rule?: string;
}
export interface RankingRule {
  match: "source" | "category" | "article";
  /**
   * Of the source or the article, or the category.
   */
  id: string;
  /**
   * Above 1 it lifts: the odds of the score, score / (1 - score), are multiplied by it. Below 1 it buries: the score is.
   */
  factor: number;
}
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
export interface ContentAnswer {
  data: ContentItem;
  meta: {
    consumed_credits: number;
  };
}
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
export interface UserListAnswer {
  data: User[];
  meta: PageMeta;
}
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
export interface PageMeta {
  /**
   * Null on the last page.
   */
  next_cursor: string | null;
}
export interface UserAnswer {
  data: User;
}
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
export interface Fault {
  pointer: string;
  detail: string;
}
export interface PushJobListAnswer {
  data: PushJob[];
  meta: {
    next_cursor: string | null;
  };
}
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
 * Independent counters; a user excluded for several reasons counts in each.
 */
export interface FilterStats {
  total_audience: number;
  excluded_due_to_null_last_active: number;
  excluded_due_to_last_active_days: number;
  excluded_due_to_registered_range: number;
}
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
   */
  empty_reason?: string;
}
export interface PushJobAccepted {
  job_id: string;
  status: "queued";
}
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
export interface AreasAnswer {
  data: {
    area_id: string;
    name: string;
    level: AreaLevel;
    prefecture: string;
  }[];
}
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
export interface PushJobCompletedEvent {
  event: "push_job.completed";
  job_id: string;
  tenant_id: string;
  /**
   * Name of the scenario.
   */
  scenario_id: string;
  status: "completed";
  target_user_count: number;
  failed_user_count: number;
  candidates_generated: number;
  consumed_credits: number;
  /**
   * Null once the result is gone, after 7 days.
   */
  download_url: string | null;
  download_url_expires_at: string | null;
  filter_stats?: FilterStats;
  completed_at: string;
}
export interface PushJobFailedEvent {
  event: "push_job.failed";
  job_id: string;
  tenant_id: string;
  /**
   * Name of the scenario.
   */
  scenario_id: string;
  status: "failed";
  error: {
    code: string;
    message: string;
  };
  failed_at: string;
}
export interface UsageThresholdReachedEvent {
  event: "usage.threshold_reached";
  tenant_id: string;
  month: string;
  threshold_percent: number;
  /**
   * When it was noticed.
   */
  used_credits: number;
  /**
   * Then.
   */
  cap_credits: number;
  reached_at: string;
  resets_at: string;
}
export interface WebhookTestEvent {
  event: "webhook.test";
  tenant_id: string;
  sent_at: string;
}
/**
 * RFC 9457. Further members depend on the type.
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

/** How each operation is called; `query` lists its parameters in the query string. */
export const ROUTES = {
  getFeed: {"method":"GET","path":"/v1/feed","query":["scenario","user_id","limit","cursor","area_names","area_level","include_body","body_format","explain"],"takesIdempotencyKey":false},
  getContent: {"method":"GET","path":"/v1/contents/{content_id}","query":["include_body","body_format"],"takesIdempotencyKey":false},
  listUsers: {"method":"GET","path":"/v1/users","query":["limit","cursor"],"takesIdempotencyKey":false},
  getUser: {"method":"GET","path":"/v1/users/{user_id}","query":[],"takesIdempotencyKey":false},
  putUser: {"method":"PUT","path":"/v1/users/{user_id}","query":[],"takesIdempotencyKey":false},
  deleteUser: {"method":"DELETE","path":"/v1/users/{user_id}","query":[],"takesIdempotencyKey":false},
  patchUser: {"method":"PATCH","path":"/v1/users/{user_id}","query":[],"takesIdempotencyKey":false},
  followSource: {"method":"PUT","path":"/v1/users/{user_id}/sources/{source_id}/follow","query":[],"takesIdempotencyKey":false},
  unfollowSource: {"method":"DELETE","path":"/v1/users/{user_id}/sources/{source_id}/follow","query":[],"takesIdempotencyKey":false},
  blockSource: {"method":"PUT","path":"/v1/users/{user_id}/sources/{source_id}/block","query":[],"takesIdempotencyKey":false},
  unblockSource: {"method":"DELETE","path":"/v1/users/{user_id}/sources/{source_id}/block","query":[],"takesIdempotencyKey":false},
  postEvents: {"method":"POST","path":"/v1/events","query":["partial"],"takesIdempotencyKey":true},
  listPushJobs: {"method":"GET","path":"/v1/push-candidates","query":["limit","cursor"],"takesIdempotencyKey":false},
  postPushCandidates: {"method":"POST","path":"/v1/push-candidates","query":["dry_run"],"takesIdempotencyKey":true},
  getPushJob: {"method":"GET","path":"/v1/push-candidates/{job_id}","query":[],"takesIdempotencyKey":false},
  cancelPushJob: {"method":"POST","path":"/v1/push-candidates/{job_id}/cancel","query":[],"takesIdempotencyKey":false},
  listSources: {"method":"GET","path":"/v1/sources","query":[],"takesIdempotencyKey":false},
  searchAreas: {"method":"GET","path":"/v1/areas","query":["q","limit"],"takesIdempotencyKey":false},
  getUsage: {"method":"GET","path":"/v1/usage","query":["month"],"takesIdempotencyKey":false},
} as const;
