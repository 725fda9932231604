// Generated from schemas/http/openapi.yaml by generate-types.ts; not edited by hand.

export type ScenarioName = string;
/**
 * The application's identifier; it should hold no personal data.
 */
export type UserId = string;
export type ApiScope = "feed" | "users" | "events" | "push";
/**
 * `none`: never delivered; `link`: delivered without body; `body`: the body may be included.
 */
export type Licence = "none" | "link" | "body";
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
export type ExperimentName = string;
/**
 * Share of the users who are shown the variant.
 */
export type VariantShare = number;
/**
 * `adopted`: the variant becomes the scenario's next version; `kept`: the scenario stays as it is.
 */
export type ExperimentOutcome = "adopted" | "kept";
export type NewPassword = string;
export type Email = string;
export type Role = "operator" | "tenant_admin" | "editor" | "viewer";
export type KeyKind = "live" | "test";
export type Permission = "read" | "scenarios" | "contents" | "settings" | "contract" | "installation";
export type AreaLevel = "station" | "city" | "prefecture";

export interface Operations {
  parameters: {
    adminListTenants: {
      limit?: number;
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
    };
    adminRotateKey: {
      tenant_id: string;
      key_id: string;
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
      q?: string;
      limit?: number;
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
    };
    adminListExperiments: {
      tenant_id: string;
      name: ScenarioName;
    };
    adminStartExperiment: {
      tenant_id: string;
      name: ScenarioName;
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
      limit?: number;
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
    adminAddPerson: {};
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
    };
    adminListAudit: {
      tenant_id?: string;
      actor?: string;
      kind?: string;
      from?: string;
      to?: string;
      limit?: number;
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
      limit?: number;
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
      limit?: number;
    };
    adminListPushJobs: {
      tenant_id: string;
      limit?: number;
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
  answers: {
    adminListTenants: {
      "200": TenantListAnswer;
    };
    adminGetTenant: {
      "200": TenantAnswer;
    };
    adminPutTenant: {
      "200": TenantAnswer;
      "201": TenantAnswer;
    };
    adminChangeTenant: {
      "200": TenantAnswer;
    };
    adminPutDefaultScenarios: {
      "200": DefaultScenariosAnswer;
    };
    adminGetUsage: {
      "200": TenantUsageAnswer;
    };
    adminListKeys: {
      "200": KeyListAnswer;
    };
    adminIssueKey: {
      "201": IssuedKeyAnswer;
    };
    adminRotateKey: {
      "201": IssuedKeyAnswer;
    };
    adminRevokeKey: {
      "204": null;
    };
    adminListLicences: {
      "200": LicenceListAnswer;
    };
    adminSearchContents: {
      "200": CatalogueAnswer;
    };
    adminGetContent: {
      "200": CatalogueItemAnswer;
    };
    adminListWithheldContents: {
      "200": WithheldContentsAnswer;
    };
    adminWithholdContent: {
      "204": null;
    };
    adminReleaseContent: {
      "204": null;
    };
    adminPutLicence: {
      "200": LicenceAnswer;
    };
    adminResetLicence: {
      "204": null;
    };
    adminListScenarios: {
      "200": ScenarioListAnswer;
    };
    adminGetScenario: {
      "200": ScenarioAnswer;
    };
    adminPutScenario: {
      "200": ScenarioAnswer;
    };
    adminListScenarioVersions: {
      "200": ScenarioListAnswer;
    };
    adminRestoreScenario: {
      "200": ScenarioAnswer;
    };
    adminPreviewScenario: {
      "200": ScenarioPreviewAnswer;
    };
    adminDuplicateScenario: {
      "201": ScenarioAnswer;
    };
    adminListExperiments: {
      "200": ExperimentListAnswer;
    };
    adminStartExperiment: {
      "201": ExperimentAnswer;
    };
    adminGetExperiment: {
      "200": ExperimentAnswer;
    };
    adminChangeExperiment: {
      "200": ExperimentAnswer;
    };
    adminEndExperiment: {
      "200": ExperimentAnswer;
    };
    adminReportExperiment: {
      "200": ExperimentReportAnswer;
    };
    adminPutUsageCap: {
      "200": UsageCapAnswer;
    };
    adminGetWebhook: {
      "200": WebhookAnswer;
    };
    adminPutWebhook: {
      "200": WebhookAnswer;
      "201": NewSecretAnswer;
    };
    adminRemoveWebhook: {
      "204": null;
    };
    adminRotateWebhookSecret: {
      "200": NewSecretAnswer;
    };
    adminTestWebhook: {
      "202": QueuedDeliveryAnswer;
    };
    adminListWebhookDeliveries: {
      "200": WebhookDeliveryListAnswer;
    };
    adminGetWebhookDelivery: {
      "200": WebhookDeliveryAnswer;
    };
    adminResendWebhookDelivery: {
      "202": QueuedDeliveryAnswer;
    };
    adminListSources: {
      "200": AdminSourcesAnswer;
    };
    adminAddSource: {
      "201": AdminSourceAnswer;
    };
    adminPreviewSource: {
      "200": SourcePreviewAnswer;
    };
    adminGetSource: {
      "200": AdminSourceAnswer;
    };
    adminRemoveSource: {
      "204": null;
    };
    adminChangeSource: {
      "200": AdminSourceAnswer;
    };
    adminRecrawlSource: {
      "204": null;
    };
    adminTakeDownContent: {
      "204": null;
    };
    adminGetOperations: {
      "200": OperationsAnswer;
    };
    adminListDeadLetters: {
      "200": DeadLettersAnswer;
    };
    adminDiscardDeadLetter: {
      "204": null;
    };
    adminReplayDeadLetter: {
      "200": DeadLetterReplayAnswer;
    };
    adminSignIn: {
      "200": MeAnswer;
    };
    adminSignOut: {
      "204": null;
    };
    adminSignInByLink: {
      "200": MeAnswer;
    };
    adminGetSignInOptions: {
      "200": SignInOptionsAnswer;
    };
    adminBeginOpenIdSignIn: {
      "200": OpenIdBegunAnswer;
    };
    adminFinishOpenIdSignIn: {};
    adminGetMe: {
      "200": MeAnswer;
    };
    adminSetPassword: {
      "200": MeAnswer;
    };
    adminListPeople: {
      "200": PeopleAnswer;
    };
    adminAddPerson: {
      "201": PersonAnswer;
    };
    adminGetPerson: {
      "200": PersonAnswer;
    };
    adminRemovePerson: {
      "204": null;
    };
    adminChangePerson: {
      "200": PersonAnswer;
    };
    adminMakeSignInLink: {
      "201": SignInLinkAnswer;
    };
    adminListAudit: {
      "200": AuditAnswer;
    };
    adminExportAudit: {
      "200": null;
    };
    adminImportUsers: {
      "200": UserImportAnswer;
    };
    adminExportUsers: {
      "200": null;
    };
    adminListUsers: {
      "200": UserListAnswer;
    };
    adminGetUser: {
      "200": UserAnswer;
    };
    adminDeleteUser: {
      "204": null;
    };
    adminPreviewFeed: {
      "200": FeedPreviewAnswer;
    };
    adminListPushJobs: {
      "200": PushJobListAnswer;
    };
    adminGetPushJob: {
      "200": PushJob;
    };
    adminCancelPushJob: {
      "200": PushJob;
    };
  };
  problem: Problem;
}
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
export interface DefaultScenarios {
  feed?: string;
  push?: string;
}
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
export interface KeyRotation {
  /**
   * How long the former key goes on working; 24 when omitted.
   */
  overlap_hours?: number;
}
export interface LicenceWrite {
  licence: Licence;
}
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
export interface ScenarioRestore {
  version: number;
}
export interface ScenarioPreviewRequest {
  settings: ScenarioSettings;
  user_id?: UserId;
  /**
   * Items of each list; of a push scenario at most 3.
   */
  limit?: number;
}
export interface ScenarioDuplicate {
  name: ScenarioName;
}
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
export interface ExperimentChange {
  variant_share: VariantShare;
}
export interface ExperimentEnding {
  outcome: ExperimentOutcome;
}
export interface UsageCap {
  /**
   * Per billing cycle; null lifts the cap.
   */
  credits: number | null;
}
export interface WebhookWrite {
  url: string;
}
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
export interface DeadLetterDiscard {
  /**
   * Why.
   */
  note: string;
}
export interface SignIn {
  email: string;
  password: string;
}
export interface SignInByLink {
  token: string;
}
export interface PasswordChange {
  current_password?: string;
  new_password: NewPassword;
}
export interface PersonAdd {
  email: Email;
  name: string;
  role: Role;
  /**
   * Null for an operator.
   */
  tenant_id: string | null;
}
export interface PersonChange {
  name?: string;
  role?: Role;
  status?: "active" | "disabled";
}
export interface TenantListAnswer {
  data: {
    tenant_id: string;
    slug: string;
    name: string;
    status: "active" | "suspended";
  }[];
  meta: PageMeta;
}
export interface PageMeta {
  /**
   * Null on the last page.
   */
  next_cursor: string | null;
}
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
export interface DefaultScenariosAnswer {
  data: DefaultScenarios;
}
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
export interface KeyListAnswer {
  data: KeyRecord[];
}
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
export interface CatalogueAnswer {
  data: CatalogueItem[];
}
export interface CatalogueItem {
  content: ContentItem;
  licence: Licence;
  /**
   * Whether the tenant withholds it.
   */
  withheld: boolean;
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
export interface CatalogueItemAnswer {
  data: CatalogueItem;
}
export interface WithheldContentsAnswer {
  data: {
    content_id: string;
  }[];
}
export interface LicenceAnswer {
  data: {
    source_id: string;
    licence: Licence;
  };
}
export interface ScenarioListAnswer {
  data: ScenarioRecord[];
}
export interface ScenarioAnswer {
  data: ScenarioRecord;
}
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
export interface ExperimentListAnswer {
  data: ExperimentRecord[];
}
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
export interface ExperimentEnd {
  outcome: ExperimentOutcome;
  ended_by: string;
  ended_at: string;
  /**
   * Version that was made of the variant.
   */
  adopted_version: number | null;
}
export interface ExperimentAnswer {
  data: ExperimentRecord;
}
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
     */
    sample_ratio: SampleRatio | null;
    /**
     * `sample_ratio_mismatch`: users are missing from an arm, and those who are left can't be compared;
     * `too_little_data`: an arm has fewer than 100 users, or fewer than 5 users who clicked, or who did not, are to be
     * expected in one; `variant_higher` and `variant_lower`: the interval of the difference leaves out 0.
     */
    conclusion:
      "sample_ratio_mismatch" | "too_little_data" | "no_difference_shown" | "variant_higher" | "variant_lower";
    /**
     * Share of the variant's users who clicked minus that of the control's, with its 95 % confidence interval (Newcombe
     * 1998, method 10). Null where there is too little data, or users are missing from an arm.
     */
    difference: Estimate | null;
  };
}
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
export interface Estimate {
  value: number;
  low: number;
  high: number;
}
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
export interface UsageCapAnswer {
  data: UsageCap;
}
export interface WebhookAnswer {
  data: Webhook;
}
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
export interface NewSecretAnswer {
  data: {
    /**
     * `whsec_` and base64 of 32 bytes.
     */
    secret: string;
    webhook: Webhook;
  };
}
export interface QueuedDeliveryAnswer {
  data: {
    delivery_id: string;
  };
}
export interface WebhookDeliveryListAnswer {
  data: WebhookDelivery[];
  meta: {
    next_cursor: string | null;
  };
}
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
export interface WebhookDeliveryAnswer {
  data: WebhookDelivery;
}
export interface AdminSourcesAnswer {
  data: AdminSource[];
}
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
export interface AdminSourceAnswer {
  data: AdminSource;
}
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
export interface PeopleAnswer {
  data: PersonRecord[];
}
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
export interface PersonAnswer {
  data: PersonRecord;
}
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
export interface AuditAnswer {
  data: AuditEntry[];
  meta: PageMeta;
}
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
export interface UserAnswer {
  data: User;
}
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
export interface Fault {
  pointer: string;
  detail: string;
}

/** How each operation is called; `query` lists its parameters in the query string. */
export const ROUTES = {
  adminListTenants: {"method":"GET","path":"/admin/v1/tenants","query":["limit","cursor"],"takesIdempotencyKey":false},
  adminGetTenant: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}","query":[],"takesIdempotencyKey":false},
  adminPutTenant: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}","query":[],"takesIdempotencyKey":false},
  adminChangeTenant: {"method":"PATCH","path":"/admin/v1/tenants/{tenant_id}","query":[],"takesIdempotencyKey":false},
  adminPutDefaultScenarios: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/default-scenarios","query":[],"takesIdempotencyKey":false},
  adminGetUsage: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/usage","query":["month"],"takesIdempotencyKey":false},
  adminListKeys: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/keys","query":[],"takesIdempotencyKey":false},
  adminIssueKey: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/keys","query":[],"takesIdempotencyKey":true},
  adminRotateKey: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/keys/{key_id}/rotate","query":[],"takesIdempotencyKey":true},
  adminRevokeKey: {"method":"DELETE","path":"/admin/v1/tenants/{tenant_id}/keys/{key_id}","query":[],"takesIdempotencyKey":false},
  adminListLicences: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/licences","query":[],"takesIdempotencyKey":false},
  adminSearchContents: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/contents","query":["q","limit"],"takesIdempotencyKey":false},
  adminGetContent: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/contents/{content_id}","query":[],"takesIdempotencyKey":false},
  adminListWithheldContents: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/withheld-contents","query":[],"takesIdempotencyKey":false},
  adminWithholdContent: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/withheld-contents/{content_id}","query":[],"takesIdempotencyKey":false},
  adminReleaseContent: {"method":"DELETE","path":"/admin/v1/tenants/{tenant_id}/withheld-contents/{content_id}","query":[],"takesIdempotencyKey":false},
  adminPutLicence: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/licences/{source_id}","query":[],"takesIdempotencyKey":false},
  adminResetLicence: {"method":"DELETE","path":"/admin/v1/tenants/{tenant_id}/licences/{source_id}","query":[],"takesIdempotencyKey":false},
  adminListScenarios: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios","query":[],"takesIdempotencyKey":false},
  adminGetScenario: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}","query":[],"takesIdempotencyKey":false},
  adminPutScenario: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}","query":[],"takesIdempotencyKey":false},
  adminListScenarioVersions: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/versions","query":[],"takesIdempotencyKey":false},
  adminRestoreScenario: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/restore","query":[],"takesIdempotencyKey":false},
  adminPreviewScenario: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/preview","query":[],"takesIdempotencyKey":false},
  adminDuplicateScenario: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/duplicate","query":[],"takesIdempotencyKey":true},
  adminListExperiments: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments","query":[],"takesIdempotencyKey":false},
  adminStartExperiment: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments","query":[],"takesIdempotencyKey":true},
  adminGetExperiment: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments/{experiment_id}","query":[],"takesIdempotencyKey":false},
  adminChangeExperiment: {"method":"PATCH","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments/{experiment_id}","query":[],"takesIdempotencyKey":false},
  adminEndExperiment: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments/{experiment_id}/end","query":[],"takesIdempotencyKey":false},
  adminReportExperiment: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/scenarios/{name}/experiments/{experiment_id}/report","query":[],"takesIdempotencyKey":false},
  adminPutUsageCap: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/usage-cap","query":[],"takesIdempotencyKey":false},
  adminGetWebhook: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/webhook","query":[],"takesIdempotencyKey":false},
  adminPutWebhook: {"method":"PUT","path":"/admin/v1/tenants/{tenant_id}/webhook","query":[],"takesIdempotencyKey":false},
  adminRemoveWebhook: {"method":"DELETE","path":"/admin/v1/tenants/{tenant_id}/webhook","query":[],"takesIdempotencyKey":false},
  adminRotateWebhookSecret: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/webhook/rotate-secret","query":[],"takesIdempotencyKey":false},
  adminTestWebhook: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/webhook/test","query":[],"takesIdempotencyKey":false},
  adminListWebhookDeliveries: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/webhook/deliveries","query":["limit","cursor"],"takesIdempotencyKey":false},
  adminGetWebhookDelivery: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/webhook/deliveries/{delivery_id}","query":[],"takesIdempotencyKey":false},
  adminResendWebhookDelivery: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/webhook/deliveries/{delivery_id}/resend","query":[],"takesIdempotencyKey":false},
  adminListSources: {"method":"GET","path":"/admin/v1/sources","query":[],"takesIdempotencyKey":false},
  adminAddSource: {"method":"POST","path":"/admin/v1/sources","query":[],"takesIdempotencyKey":false},
  adminPreviewSource: {"method":"GET","path":"/admin/v1/source-preview","query":["address"],"takesIdempotencyKey":false},
  adminGetSource: {"method":"GET","path":"/admin/v1/sources/{source_id}","query":[],"takesIdempotencyKey":false},
  adminRemoveSource: {"method":"DELETE","path":"/admin/v1/sources/{source_id}","query":[],"takesIdempotencyKey":false},
  adminChangeSource: {"method":"PATCH","path":"/admin/v1/sources/{source_id}","query":[],"takesIdempotencyKey":false},
  adminRecrawlSource: {"method":"POST","path":"/admin/v1/sources/{source_id}/recrawl","query":[],"takesIdempotencyKey":false},
  adminTakeDownContent: {"method":"POST","path":"/admin/v1/contents/{content_id}/takedown","query":[],"takesIdempotencyKey":false},
  adminGetOperations: {"method":"GET","path":"/admin/v1/operations","query":[],"takesIdempotencyKey":false},
  adminListDeadLetters: {"method":"GET","path":"/admin/v1/dead-letters","query":[],"takesIdempotencyKey":false},
  adminDiscardDeadLetter: {"method":"POST","path":"/admin/v1/dead-letters/{letter_id}/discard","query":[],"takesIdempotencyKey":false},
  adminReplayDeadLetter: {"method":"POST","path":"/admin/v1/dead-letters/{letter_id}/replay","query":[],"takesIdempotencyKey":false},
  adminSignIn: {"method":"POST","path":"/admin/v1/session","query":[],"takesIdempotencyKey":false},
  adminSignOut: {"method":"DELETE","path":"/admin/v1/session","query":[],"takesIdempotencyKey":false},
  adminSignInByLink: {"method":"POST","path":"/admin/v1/session/link","query":[],"takesIdempotencyKey":false},
  adminGetSignInOptions: {"method":"GET","path":"/admin/v1/session/options","query":[],"takesIdempotencyKey":false},
  adminBeginOpenIdSignIn: {"method":"POST","path":"/admin/v1/session/openid","query":[],"takesIdempotencyKey":false},
  adminFinishOpenIdSignIn: {"method":"GET","path":"/admin/v1/session/openid/callback","query":[],"takesIdempotencyKey":false},
  adminGetMe: {"method":"GET","path":"/admin/v1/me","query":[],"takesIdempotencyKey":false},
  adminSetPassword: {"method":"PUT","path":"/admin/v1/me/password","query":[],"takesIdempotencyKey":false},
  adminListPeople: {"method":"GET","path":"/admin/v1/people","query":["tenant_id"],"takesIdempotencyKey":false},
  adminAddPerson: {"method":"POST","path":"/admin/v1/people","query":[],"takesIdempotencyKey":true},
  adminGetPerson: {"method":"GET","path":"/admin/v1/people/{person_id}","query":[],"takesIdempotencyKey":false},
  adminRemovePerson: {"method":"DELETE","path":"/admin/v1/people/{person_id}","query":[],"takesIdempotencyKey":false},
  adminChangePerson: {"method":"PATCH","path":"/admin/v1/people/{person_id}","query":[],"takesIdempotencyKey":false},
  adminMakeSignInLink: {"method":"POST","path":"/admin/v1/people/{person_id}/sign-in-link","query":[],"takesIdempotencyKey":true},
  adminListAudit: {"method":"GET","path":"/admin/v1/audit","query":["tenant_id","actor","kind","from","to","limit","cursor"],"takesIdempotencyKey":false},
  adminExportAudit: {"method":"GET","path":"/admin/v1/audit/export","query":["tenant_id","actor","kind","from","to"],"takesIdempotencyKey":false},
  adminImportUsers: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/users/import","query":[],"takesIdempotencyKey":false},
  adminExportUsers: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/users/export","query":[],"takesIdempotencyKey":false},
  adminListUsers: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/users","query":["limit","cursor"],"takesIdempotencyKey":false},
  adminGetUser: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/users/by-id/{user_id}","query":[],"takesIdempotencyKey":false},
  adminDeleteUser: {"method":"DELETE","path":"/admin/v1/tenants/{tenant_id}/users/by-id/{user_id}","query":[],"takesIdempotencyKey":false},
  adminPreviewFeed: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/users/by-id/{user_id}/feed","query":["scenario","limit"],"takesIdempotencyKey":false},
  adminListPushJobs: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/push-candidates","query":["limit","cursor"],"takesIdempotencyKey":false},
  adminGetPushJob: {"method":"GET","path":"/admin/v1/tenants/{tenant_id}/push-candidates/{job_id}","query":[],"takesIdempotencyKey":false},
  adminCancelPushJob: {"method":"POST","path":"/admin/v1/tenants/{tenant_id}/push-candidates/{job_id}/cancel","query":[],"takesIdempotencyKey":false},
} as const;
