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
 * via the `definition` "ScenarioName".
 */
export type ScenarioName = string;
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentName".
 */
export type ExperimentName = string;
/**
 * Share of the users who are shown the variant.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "VariantShare".
 */
export type VariantShare = number;
/**
 * `adopted`: the variant becomes the scenario's next version; `kept`: the scenario stays as it is.
 *
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentOutcome".
 */
export type ExperimentOutcome = "adopted" | "kept";
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "NewPassword".
 */
export type NewPassword = string;
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Email".
 */
export type Email = string;
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Role".
 */
export type Role = "operator" | "tenant_admin" | "editor" | "viewer";
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "KeyKind".
 */
export type KeyKind = "live" | "test";
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Permission".
 */
export type Permission = "read" | "scenarios" | "contents" | "settings" | "contract" | "installation";

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
    adminListTenants: {
      limit: number;
      cursor?: string;
    };
    adminGetTenant: {
      tenant_id: string;
    };
    adminPutTenant: {
      tenant_id: string;
    };
    adminChangeTenant: {
      tenant_id: string;
    };
    adminPutDefaultScenarios: {
      tenant_id: string;
    };
    adminGetUsage: {
      tenant_id: string;
      month?: string;
    };
    adminListKeys: {
      tenant_id: string;
    };
    adminIssueKey: {
      tenant_id: string;
      "Idempotency-Key"?: string;
    };
    adminRotateKey: {
      tenant_id: string;
      key_id: string;
      "Idempotency-Key"?: string;
    };
    adminRevokeKey: {
      tenant_id: string;
      key_id: string;
    };
    adminListLicences: {
      tenant_id: string;
    };
    adminSearchContents: {
      tenant_id: string;
      q: string;
      limit: number;
    };
    adminGetContent: {
      tenant_id: string;
      content_id: string;
    };
    adminListWithheldContents: {
      tenant_id: string;
    };
    adminWithholdContent: {
      tenant_id: string;
      content_id: string;
    };
    adminReleaseContent: {
      tenant_id: string;
      content_id: string;
    };
    adminPutLicence: {
      tenant_id: string;
      source_id: string;
    };
    adminResetLicence: {
      tenant_id: string;
      source_id: string;
    };
    adminListScenarios: {
      tenant_id: string;
    };
    adminGetScenario: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminPutScenario: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminListScenarioVersions: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminRestoreScenario: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminPreviewScenario: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminDuplicateScenario: {
      tenant_id: string;
      name: ScenarioName;
      "Idempotency-Key"?: string;
    };
    adminListExperiments: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminStartExperiment: {
      tenant_id: string;
      name: ScenarioName;
      "Idempotency-Key"?: string;
    };
    adminGetExperiment: {
      tenant_id: string;
      name: ScenarioName;
      experiment_id: string;
    };
    adminChangeExperiment: {
      tenant_id: string;
      name: ScenarioName;
      experiment_id: string;
    };
    adminEndExperiment: {
      tenant_id: string;
      name: ScenarioName;
      experiment_id: string;
    };
    adminReportExperiment: {
      tenant_id: string;
      name: ScenarioName;
      experiment_id: string;
    };
    adminPutUsageCap: {
      tenant_id: string;
    };
    adminGetWebhook: {
      tenant_id: string;
    };
    adminPutWebhook: {
      tenant_id: string;
    };
    adminRemoveWebhook: {
      tenant_id: string;
    };
    adminRotateWebhookSecret: {
      tenant_id: string;
    };
    adminTestWebhook: {
      tenant_id: string;
    };
    adminListWebhookDeliveries: {
      tenant_id: string;
      limit: number;
      cursor?: string;
    };
    adminGetWebhookDelivery: {
      tenant_id: string;
      delivery_id: string;
    };
    adminResendWebhookDelivery: {
      tenant_id: string;
      delivery_id: string;
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
    adminGetOperations: {};
    adminListDeadLetters: {};
    adminDiscardDeadLetter: {
      letter_id: number;
    };
    adminReplayDeadLetter: {
      letter_id: number;
    };
    adminSignIn: {};
    adminSignOut: {};
    adminSignInByLink: {};
    adminGetSignInOptions: {};
    adminBeginOpenIdSignIn: {};
    adminFinishOpenIdSignIn: {};
    adminGetMe: {};
    adminSetPassword: {};
    adminListPeople: {
      tenant_id?: string;
    };
    adminAddPerson: {
      "Idempotency-Key"?: string;
    };
    adminGetPerson: {
      person_id: string;
    };
    adminRemovePerson: {
      person_id: string;
    };
    adminChangePerson: {
      person_id: string;
    };
    adminMakeSignInLink: {
      person_id: string;
      "Idempotency-Key"?: string;
    };
    adminListAudit: {
      tenant_id?: string;
      actor?: string;
      kind?: string;
      from?: string;
      to?: string;
      limit: number;
      cursor?: string;
    };
    adminExportAudit: {
      tenant_id?: string;
      actor?: string;
      kind?: string;
      from?: string;
      to?: string;
    };
    adminImportUsers: {
      tenant_id: string;
    };
    adminExportUsers: {
      tenant_id: string;
    };
    adminListUsers: {
      tenant_id: string;
      limit: number;
      cursor?: string;
    };
    adminGetUser: {
      tenant_id: string;
      user_id: UserId;
    };
    adminDeleteUser: {
      tenant_id: string;
      user_id: UserId;
    };
    adminPreviewFeed: {
      tenant_id: string;
      user_id: UserId;
      scenario?: ScenarioName;
      limit: number;
    };
    adminListPushJobs: {
      tenant_id: string;
      limit: number;
      cursor?: string;
    };
    adminGetPushJob: {
      tenant_id: string;
      job_id: string;
    };
    adminCancelPushJob: {
      tenant_id: string;
      job_id: string;
    };
  };
  bodies: {
    putUser: UserWrite;
    patchUser: UserWrite;
    postEvents: EventBatch;
    postPushCandidates: PushRequest;
    adminPutTenant: TenantWrite;
    adminChangeTenant: TenantChange;
    adminPutDefaultScenarios: DefaultScenarios;
    adminIssueKey: KeyWrite;
    adminRotateKey: KeyRotation;
    adminPutLicence: LicenceWrite;
    adminPutScenario: ScenarioWrite;
    adminRestoreScenario: ScenarioRestore;
    adminPreviewScenario: ScenarioPreviewRequest;
    adminDuplicateScenario: ScenarioDuplicate;
    adminStartExperiment: ExperimentStart;
    adminChangeExperiment: ExperimentChange;
    adminEndExperiment: ExperimentEnding;
    adminPutUsageCap: UsageCap;
    adminPutWebhook: WebhookWrite;
    adminAddSource: SourceAdd;
    adminChangeSource: SourceChange;
    adminDiscardDeadLetter: DeadLetterDiscard;
    adminSignIn: SignIn;
    adminSignInByLink: SignInByLink;
    adminSetPassword: PasswordChange;
    adminAddPerson: PersonAdd;
    adminChangePerson: PersonChange;
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
 * via the `definition` "TenantChange".
 */
export interface TenantChange {
  name?: string;
  /**
   * Goes into `utm_source`; no other tenant's.
   */
  slug?: string;
  status?: "active" | "suspended";
  rate_limit_per_second?: number;
  plan?: {
    included_credits: number;
    /**
     * Of one credit.
     */
    unit_price: number;
    currency: string;
  };
  /**
   * For sources without a licence of their own.
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
 * via the `definition` "DefaultScenarios".
 */
export interface DefaultScenarios {
  feed?: string;
  push?: string;
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
  /**
   * live when omitted.
   */
  kind?: "live" | "test";
  /**
   * For people to know it by; empty when omitted.
   */
  name?: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "KeyRotation".
 */
export interface KeyRotation {
  /**
   * How long the former key goes on working; 24 when omitted.
   */
  overlap_hours?: number;
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
  /**
   * The version the change was made from, 0 for a new scenario. Where it is another by now, nothing is saved (409).
   */
  expected_version?: number;
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
  /**
   * What is lifted or buried: at most one rule for each source, category and article. Where several match an article, their factors are multiplied.
   *
   * @maxItems 50
   */
  ranking_rules?: RankingRule[];
  /**
   * Feeds only. Shares of single sources, each once, in place of `caps.source`; one item is always within it.
   *
   * @maxItems 50
   */
  source_caps?: {
    /**
     * A source.
     */
    id: string;
    share: number;
  }[];
  exclude_sent?: boolean;
  score_threshold?: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "RankingRule".
 */
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioRestore".
 */
export interface ScenarioRestore {
  version: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioPreviewRequest".
 */
export interface ScenarioPreviewRequest {
  settings: ScenarioSettings;
  user_id?: UserId;
  /**
   * Items of each list; of a push scenario at most 3.
   */
  limit?: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioDuplicate".
 */
export interface ScenarioDuplicate {
  name: ScenarioName;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentStart".
 */
export interface ExperimentStart {
  name: ExperimentName;
  /**
   * Either a version of the scenario, or settings; those left out take the service's defaults.
   */
  variant: {
    version?: number;
    settings?: ScenarioSettings;
  };
  variant_share: VariantShare;
  /**
   * The live version it is to be compared with. Where that is another by now, nothing is started (409).
   */
  expected_version?: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentChange".
 */
export interface ExperimentChange {
  variant_share: VariantShare;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentEnding".
 */
export interface ExperimentEnding {
  outcome: ExperimentOutcome;
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
 * via the `definition` "WebhookWrite".
 */
export interface WebhookWrite {
  url: string;
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
  /**
   * Null: the registrable domain of `url`.
   */
  publisher?: string | null;
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
  /**
   * Null: the registrable domain of `url`.
   */
  publisher?: string | null;
  paused?: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "DeadLetterDiscard".
 */
export interface DeadLetterDiscard {
  /**
   * Why.
   */
  note: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SignIn".
 */
export interface SignIn {
  email: string;
  password: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SignInByLink".
 */
export interface SignInByLink {
  token: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PasswordChange".
 */
export interface PasswordChange {
  current_password?: string;
  new_password: NewPassword;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PersonAdd".
 */
export interface PersonAdd {
  email: Email;
  name: string;
  role: Role;
  /**
   * Null for an operator.
   */
  tenant_id: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PersonChange".
 */
export interface PersonChange {
  name?: string;
  role?: Role;
  status?: "active" | "disabled";
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
 * via the `definition` "Webhook".
 */
export interface Webhook {
  url: string;
  status: "enabled" | "disabled";
  /**
   * Null while it is enabled.
   */
  disabled_reason: string | null;
  /**
   * Those that sign, the current one first.
   */
  secrets: {
    created_at: string;
    /**
     * Null for the current one.
     */
    expires_at: string | null;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookAnswer".
 */
export interface WebhookAnswer {
  data: Webhook;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "NewSecretAnswer".
 */
export interface NewSecretAnswer {
  data: {
    /**
     * `whsec_` and base64 of 32 bytes.
     */
    secret: string;
    webhook: Webhook;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookDelivery".
 */
export interface WebhookDelivery {
  /**
   * Sent as `webhook-id`.
   */
  delivery_id: string;
  event: "push_job.completed" | "push_job.failed" | "usage.threshold_reached" | "webhook.test";
  /**
   * Null for a test.
   */
  job_id: string | null;
  status: "pending" | "delivered" | "failed";
  created_at: string;
  /**
   * Null unless pending.
   */
  next_attempt_at: string | null;
  attempt_count: number;
  /**
   * The latest, oldest first.
   *
   * @maxItems 50
   */
  attempts: {
    attempt: number;
    at: string;
    took_ms: number;
    url: string;
    /**
     * HTTP status of the answer; null where there was none.
     */
    status: number | null;
    /**
     * Null where it was delivered.
     */
    error: string | null;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookDeliveryAnswer".
 */
export interface WebhookDeliveryAnswer {
  data: WebhookDelivery;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookDeliveryListAnswer".
 */
export interface WebhookDeliveryListAnswer {
  data: WebhookDelivery[];
  meta: {
    next_cursor: string | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "QueuedDeliveryAnswer".
 */
export interface QueuedDeliveryAnswer {
  data: {
    delivery_id: string;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushJobCompletedEvent".
 */
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PushJobFailedEvent".
 */
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UsageThresholdReachedEvent".
 */
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WebhookTestEvent".
 */
export interface WebhookTestEvent {
  event: "webhook.test";
  tenant_id: string;
  sent_at: string;
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
  kind: KeyKind;
  name: string;
  scopes: ApiScope[];
  expires_at: string | null;
  /**
   * Day in UTC; null where it never was.
   */
  last_used_on: string | null;
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
  /**
   * A person's id; or admin-api (the admin token)
   */
  saved_by: string;
  saved_at: string;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "KeyListAnswer".
 */
export interface KeyListAnswer {
  data: KeyRecord[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "IssuedKeyAnswer".
 */
export interface IssuedKeyAnswer {
  data: {
    key_id: string;
    /**
     * First characters of the key.
     */
    prefix: string;
    kind: KeyKind;
    name: string;
    scopes: ApiScope[];
    expires_at: string | null;
    /**
     * Day in UTC; null where it never was.
     */
    last_used_on: string | null;
    /**
     * Shown this once.
     */
    api_key: string;
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
 * via the `definition` "ScenarioListAnswer".
 */
export interface ScenarioListAnswer {
  data: ScenarioRecord[];
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
 * via the `definition` "ExperimentRecord".
 */
export interface ExperimentRecord {
  experiment_id: string;
  scenario: ScenarioName;
  name: string;
  status: "running" | "ended";
  control_version: number;
  variant: {
    /**
     * Null where it was never saved.
     */
    version: number | null;
    settings: ScenarioSettings;
  };
  variant_share: VariantShare;
  share_set_at: string;
  /**
   * A person's id; or admin-api (the admin token).
   */
  started_by: string;
  started_at: string;
  /**
   * Null while it runs.
   */
  end: ExperimentEnd | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentEnd".
 */
export interface ExperimentEnd {
  outcome: ExperimentOutcome;
  ended_by: string;
  ended_at: string;
  /**
   * Version that was made of the variant.
   */
  adopted_version: number | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentAnswer".
 */
export interface ExperimentAnswer {
  data: ExperimentRecord;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentListAnswer".
 */
export interface ExperimentListAnswer {
  data: ExperimentRecord[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentReportAnswer".
 */
export interface ExperimentReportAnswer {
  data: {
    /**
     * When the share was last set.
     */
    counted_from: string;
    control: ExperimentArmReport;
    variant: ExperimentArmReport;
    /**
     * Whether the users divide between the arms as the share says. Null while fewer than 5 users are to be expected in
     * an arm.
     *
     */
    sample_ratio: SampleRatio | null;
    /**
     * `sample_ratio_mismatch`: users are missing from an arm, and those who are left can't be compared;
     * `too_little_data`: an arm has fewer than 100 users, or fewer than 5 users who clicked, or who did not, are to be
     * expected in one; `variant_higher` and `variant_lower`: the interval of the difference leaves out 0.
     *
     */
    conclusion:
      "sample_ratio_mismatch" | "too_little_data" | "no_difference_shown" | "variant_higher" | "variant_lower";
    /**
     * Share of the variant's users who clicked minus that of the control's, with its 95 % confidence interval (Newcombe
     * 1998, method 10). Null where there is too little data, or users are missing from an arm.
     *
     */
    difference: Estimate | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ExperimentArmReport".
 */
export interface ExperimentArmReport {
  /**
   * Users who were served at least one feed.
   */
  users: number;
  /**
   * Pages that were served to them.
   */
  feeds: number;
  /**
   * Articles on these.
   */
  items: number;
  impressions: number;
  clicks: number;
  /**
   * Clicks by impressions, null without any. It has no interval: those of one user hang together, so that one would look
   * more certain than it is.
   *
   */
  click_through_rate: number | null;
  /**
   * Users who clicked at least one article.
   */
  users_clicked: number;
  /**
   * Their share with its 95 % confidence interval (Wilson 1927). Null without users.
   */
  users_clicked_share: Estimate | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Estimate".
 */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SampleRatio".
 */
export interface SampleRatio {
  /**
   * Of the users who came
   */
  variant_share: number;
  /**
   * As it was set.
   */
  planned_variant_share: number;
  /**
   * Pearson's statistic with one degree of freedom.
   */
  chi_squared: number;
  /**
   * How often chance alone divides the users as unevenly or more.
   */
  p_value: number;
  /**
   * `p_value` is below 0.001.
   */
  mismatch: boolean;
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
  /**
   * Sources of one publisher share their articles: as it was set, else the registrable domain of `url`; null where that has none.
   */
  publisher: string | null;
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
  /**
   * The hub that pushes its feed (WebSub); null where the feed names none.
   */
  hub: {
    url: string;
    /**
     * wanted: not asked yet, or PUBLIC_URL is not set. asked: the hub has to verify.
     */
    status: "wanted" | "asked" | "active" | "denied" | "failed";
    /**
     * What last went wrong, as a sentence.
     */
    problem: string | null;
    lease_until: string | null;
    next_ask_at: string;
    last_push_at: string | null;
    /**
     * When a push without the right signature came last; it was ignored.
     */
    forged_push_at: string | null;
  } | null;
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
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SignInOptionsAnswer".
 */
export interface SignInOptionsAnswer {
  data: {
    /**
     * The identity provider; null where there is none.
     */
    openid: {
      /**
       * What people call it.
       */
      name: string;
    } | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "OpenIdBegunAnswer".
 */
export interface OpenIdBegunAnswer {
  data: {
    /**
     * Where the browser goes.
     */
    url: string;
    /**
     * By then it has to be back.
     */
    expires_at: string;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "MeAnswer".
 */
export interface MeAnswer {
  data: {
    /**
     * Null for the admin token.
     */
    person_id: string | null;
    email: string | null;
    name: string | null;
    role: Role;
    /**
     * Null for operators.
     */
    tenant_id: string | null;
    permissions: Permission[];
    has_password: boolean;
    /**
     * For `X-CSRF-Token` of changes; null for the admin token.
     */
    csrf_token: string | null;
    session_expires_at: string | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PersonRecord".
 */
export interface PersonRecord {
  person_id: string;
  email: string;
  name: string;
  role: Role;
  tenant_id: string | null;
  status: "active" | "disabled";
  has_password: boolean;
  /**
   * Whether the person has signed in through the identity provider.
   */
  has_openid: boolean;
  created_at: string;
  last_signed_in_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PersonAnswer".
 */
export interface PersonAnswer {
  data: PersonRecord;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "PeopleAnswer".
 */
export interface PeopleAnswer {
  data: PersonRecord[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "SignInLinkAnswer".
 */
export interface SignInLinkAnswer {
  data: {
    /**
     * Of the console; behind the # is the token.
     */
    url: string;
    token: string;
    expires_at: string;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "TenantListAnswer".
 */
export interface TenantListAnswer {
  data: {
    tenant_id: string;
    slug: string;
    name: string;
    status: "active" | "suspended";
  }[];
  meta: PageMeta;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "DefaultScenariosAnswer".
 */
export interface DefaultScenariosAnswer {
  data: DefaultScenarios;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "LicenceListAnswer".
 */
export interface LicenceListAnswer {
  data: {
    source_id: string;
    name: string;
    licence: Licence;
    /**
     * Whether it is the tenant's default because nothing was set for the source.
     */
    is_default: boolean;
  }[];
  meta: {
    default_licence: Licence;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "FeedPreviewAnswer".
 */
export interface FeedPreviewAnswer {
  data: {
    content: ContentItem;
    score: number;
    explanation: Explanation;
  }[];
  meta: {
    scenario: ScenarioName;
    version: number;
    /**
     * The user's arm in the experiment of the scenario that runs; null where there is none.
     */
    arm: "control" | "variant" | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ScenarioPreviewAnswer".
 */
export interface ScenarioPreviewAnswer {
  data: {
    current: ComparedItem[];
    proposed: ComparedItem[];
  };
  meta: {
    scenario: ScenarioName;
    type: "feed" | "push";
    /**
     * The latest
     */
    version: number;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "ComparedItem".
 */
export interface ComparedItem {
  content: ContentItem;
  score: number;
  explanation: Explanation;
  position: number;
  /**
   * Where the other list has it; null where it is not among the first 100, or 3 of a push scenario.
   */
  position_in_other: number | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "OperationsAnswer".
 */
export interface OperationsAnswer {
  data: {
    consumers: {
      group: string;
      topic: string;
      /**
       * Records the topic ever got.
       */
      end_records: number;
      /**
       * Records the group has not processed yet.
       */
      lag_records: number;
      /**
       * Age of the oldest of them; 0 where there is none.
       */
      lag_seconds: number;
    }[];
    read_models: {
      name: string;
      /**
       * What requests are answered from.
       */
      live_version: number;
      /**
       * What projectors keep up to the log; one that is not live waits for a switch, or for a way back.
       */
      kept_versions: number[];
      /**
       * What was live before and is still kept.
       */
      previous_version: number | null;
    }[];
    /**
     * The latest 20, newest first.
     */
    rebuilds: Rebuild[];
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "Rebuild".
 */
export interface Rebuild {
  read_model: string;
  /**
   * The one that is made.
   */
  version: number;
  /**
   * building: it reads the log. comparing: with the live version. built: ready, whether it was switched to or not. interrupted: nothing has been heard of it for 30 seconds.
   */
  state: "building" | "comparing" | "built" | "failed" | "interrupted";
  /**
   * Who makes it.
   */
  actor: string;
  started_at: string;
  ended_at: string | null;
  done_records: number;
  /**
   * Grows with the log.
   */
  total_records: number;
  /**
   * Since it began; null unless it is building.
   */
  records_per_second: number | null;
  /**
   * At that rate; null where there is none.
   */
  seconds_left: number | null;
  /**
   * Why it failed.
   */
  reason: string | null;
  /**
   * The live version and this one, compared; null unless it is built.
   */
  report: null | {
    agrees: boolean;
    /**
     * False: the live version was not kept up to the log.
     */
    comparable: boolean;
    totals: {
      name: string;
      live: number;
      next: number;
      agrees: boolean;
    }[];
    /**
     * Records looked at one by one.
     */
    samples: number;
    differing_samples: number;
    /**
     * Names of those that differ, at most 20.
     */
    differing: string[];
  };
  /**
   * When it became live.
   */
  live_at: string | null;
  /**
   * When another became live in its place.
   */
  replaced_at: string | null;
  /**
   * Which; a lower number is a way back.
   */
  replaced_by: number | null;
  /**
   * When it was removed.
   */
  dropped_at: string | null;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "DeadLettersAnswer".
 */
export interface DeadLettersAnswer {
  data: {
    letter_id: number;
    topic: string;
    partition: number;
    offset: number;
    /**
     * `decode`, or the projection that gave up.
     */
    stage: string;
    reason: string;
    at: string;
    bytes: number;
    /**
     * Why the latest replay left it open; null where there was none.
     */
    refused_replay: null | {
      outcome: "refused" | "overtaken";
      projection: string;
      /**
       * Empty where it was overtaken.
       */
      reason: string;
      at: string;
    };
    /**
     * Null while nobody has done anything about it.
     */
    settled: null | {
      outcome: "replayed" | "discarded";
      note: string;
      actor: string;
      at: string;
    };
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "DeadLetterReplayAnswer".
 */
export interface DeadLetterReplayAnswer {
  data: {
    /**
     * effective: the record has its effect, and the letter is settled. refused: it can't be taken by this release either. overtaken: later records are in its place. unanswered: no projector that keeps the projection answered in time.
     */
    outcome: "effective" | "refused" | "overtaken" | "unanswered";
    /**
     * Which projection it is that did not take it.
     */
    projection: string | null;
    /**
     * Why it was refused.
     */
    reason: string | null;
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CatalogueItem".
 */
export interface CatalogueItem {
  content: ContentItem;
  licence: Licence;
  /**
   * Whether the tenant withholds it.
   */
  withheld: boolean;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CatalogueAnswer".
 */
export interface CatalogueAnswer {
  data: CatalogueItem[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "CatalogueItemAnswer".
 */
export interface CatalogueItemAnswer {
  data: CatalogueItem;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "WithheldContentsAnswer".
 */
export interface WithheldContentsAnswer {
  data: {
    content_id: string;
  }[];
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UsageAlert".
 */
export interface UsageAlert {
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
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "TenantUsageAnswer".
 */
export interface TenantUsageAnswer {
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
    /**
     * Of one credit beyond the plan.
     */
    unit_price: number;
    currency: string;
    over_plan_credits: number;
    over_plan_cost: number;
    rate_limit_per_second: number;
    alerts: UsageAlert[];
  };
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AuditEntry".
 */
export interface AuditEntry {
  entry_id: string;
  at: string;
  /**
   * A person's id; or what acted: admin-api (the admin token), feedctl, demo, webhooks.
   */
  actor: string;
  /**
   * Null where the actor is no person.
   */
  actor_email: string | null;
  /**
   * tenant.saved, api-key.issued, api-key.revoked, api-key.expiry-set, scenario.saved, licence.set, licence.reset, source.saved, content.withheld, content.taken-down, usage-cap.set, usage-threshold.reached, webhook.saved, webhook.removed, webhook.disabled, webhook.tested, webhook-delivery.resent, users.imported, users.exported, user.deleted, push-job.cancelled, dead-letter.discarded, dead-letter.replay-requested, experiment.started, experiment.share-set, experiment.ended, person.saved, person.password-set, person.removed, person.identity-linked, sign-in-link.made, session.started, session.ended, sign-in.locked.
   */
  kind: string;
  /**
   * Null where it concerned the installation.
   */
  tenant_id: string | null;
  /**
   * What was changed; empty where it is the tenant.
   */
  subject: string;
  /**
   * What it is from then on; never a secret.
   */
  details: {};
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "AuditAnswer".
 */
export interface AuditAnswer {
  data: AuditEntry[];
  meta: PageMeta;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserImportLine".
 */
export interface UserImportLine {
  user_id: UserId;
  properties?: UserProperties;
  /**
   * @maxItems 1000
   */
  followed_sources?: string[];
  /**
   * @maxItems 1000
   */
  blocked_sources?: string[];
  /**
   * Of an export, as the following: not taken over.
   */
  total_sessions?: {
    [k: string]: unknown;
  };
  last_active_at?: unknown;
  registered_at?: unknown;
  created_at?: unknown;
  updated_at?: unknown;
}
/**
 * This interface was referenced by `Operations`'s JSON-Schema
 * via the `definition` "UserImportAnswer".
 */
export interface UserImportAnswer {
  data: {
    /**
     * Without empty ones.
     */
    lines: number;
    accepted: number;
    rejected: number;
    /**
     * @maxItems 1000
     */
    errors: {
      /**
       * From 1.
       */
      line: number;
      /**
       * JSON Pointer into the line; empty for the whole of it.
       */
      pointer: string;
      detail: string;
    }[];
  };
}
