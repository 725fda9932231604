/** Every limit of the service, with its unit last and the section that sets it. */

/** Spec 2.5. */
export const USER_ID_PATTERN = /^[A-Za-z0-9._:@|+=-]{1,128}$/;
/** Spec 2.6. */
export const SESSION_ID_CHARS_MAX = 256;
/** Spec 8. */
export const EVENTS_PER_REQUEST_MAX = 100;
/** Decisions, "Users, events, sessions". */
export const EVENT_ID_CHARS_MAX = 128;
export const DEVICE_INFO_BYTES_MAX = 4 * 1024;
export const EVENT_METADATA_BYTES_MAX = 16 * 1024;
export const EVENT_DEDUPLICATION_WINDOW_MS = 7 * 24 * 3_600_000;
/** Session starts of one user remembered within that window; one every 20 minutes, day and night. */
export const COUNTED_SESSION_STARTS_MAX = 500;
export const OCCURRED_AT_FUTURE_MS_MAX = 24 * 3_600_000;
export const OCCURRED_AT_MS_MIN = Date.UTC(2000, 0, 1);
export const AREA_NAMES_MAX = 50;
export const INTERESTS_MAX = 100;
export const PROPERTY_CHARS_MAX = 200;
/** Decisions, "Feed". */
export const FEED_LIMIT_DEFAULT = 20;
export const FEED_LIMIT_MAX = 100;
export const FEED_WALK_ITEMS_MAX = 500;
export const FEED_SNAPSHOT_TTL_MS = 15 * 60_000;
export const SUMMARY_CHARS_MAX = 200;
export const EXCERPT_CHARS_MAX = 400;
export const TRACKING_TOKEN_TTL_MS = 90 * 24 * 3_600_000;
export const USER_LIST_LIMIT_DEFAULT = 100;
export const USER_LIST_LIMIT_MAX = 1000;
/** Spec 4.5 and 8. */
export const PUSH_BODY_BYTES_MAX = 8 * 1024 * 1024;
export const PUSH_USER_IDS_MAX = 100_000;
export const PUSH_CANDIDATES_PER_USER_MAX = 3;
export const PUSH_REQUESTS_PER_SECOND = 1;
export const PUSH_REQUESTS_BURST = 5;
export const PUSH_JOBS_RUNNING_MAX = 5;
export const PUSH_DOWNLOAD_TTL_MS = 3_600_000;
/** Decisions, "Push jobs". */
export const PUSH_LAST_ACTIVE_DAYS_MAX = 3_650;
export const PUSH_DOWNLOAD_REISSUE_MS = 5 * 60_000;
export const PUSH_RESULT_TTL_MS = 7 * 24 * 3_600_000;
export const PUSH_JOB_LIST_LIMIT_DEFAULT = 20;
export const PUSH_JOB_LIST_LIMIT_MAX = 100;
/** Decisions, "Webhook": waits after a failed attempt, one for each retry (spec 8: up to 3), each ±20 %. */
export const WEBHOOK_RETRY_DELAYS_MS: readonly number[] = [5_000, 5 * 60_000, 30 * 60_000];
export const WEBHOOK_RETRY_JITTER = 0.2;
export const WEBHOOK_TIMEOUT_MS = 15_000;
/** How long a secret signs beside its successor. */
export const WEBHOOK_SECRET_OVERLAP_MS = 24 * 3_600_000;
export const WEBHOOK_DELIVERY_LIST_LIMIT_DEFAULT = 20;
export const WEBHOOK_DELIVERY_LIST_LIMIT_MAX = 100;
/** Architecture section 4: how long a job waits for its barrier, and how long a part may be away. */
export const PUSH_BARRIER_TIMEOUT_MS = 60_000;
/** Older versions of a scenario stay in the log alone. */
export const SCENARIO_VERSIONS_KEPT_MAX = 100;
/** Older experiments of a scenario stay in the log alone. */
export const EXPERIMENTS_KEPT_MAX = 50;
/** Articles one tenant withholds from its feeds. */
export const WITHHELD_CONTENTS_MAX = 10_000;
/** People who sign in. */
export const PASSWORD_CHARS_MIN = 12;
export const PASSWORD_CHARS_MAX = 256;
export const EMAIL_CHARS_MAX = 254;
export const SESSION_TTL_MS = 12 * 3_600_000;
export const SIGN_IN_LINK_TTL_MS = 24 * 3_600_000;
/** How long somebody may take at an identity provider. */
export const OPENID_SIGN_IN_TTL_MS = 10 * 60_000;
/** Tries that may fail in a row, and how long each further one has to wait. */
export const SIGN_IN_TRIES_MAX = 5;
export const SIGN_IN_LOCKED_MS = 3 * 60_000;
/** Tries from one address, whoever they name. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 30;
export const PEOPLE_MAX = 10_000;
/** The longest that a rotated key works beside its successor. */
export const KEY_OVERLAP_HOURS_MAX = 24 * 30;
export const KEY_OVERLAP_HOURS_DEFAULT = 24;
export const AUDIT_LIST_LIMIT_DEFAULT = 50;
export const AUDIT_LIST_LIMIT_MAX = 200;
/** Decisions, "Credits and limits": when a tenant is told of its cap. */
export const USAGE_ALERT_PERCENT = 80;
/** One import of users, which must have been received within the time of a request; more comes in several. */
export const IMPORT_LINES_MAX = 10_000;
export const IMPORT_BYTES_MAX = 16 * 1024 * 1024;
export const IMPORT_LINE_BYTES_MAX = 64 * 1024;
export const IMPORT_ERRORS_LISTED_MAX = 1_000;
/** Bodies of the other endpoints: 100 events with 20 KiB of device_info and metadata each, and room. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;
export const JSON_DEPTH_MAX = 32;
/** Decisions, "HTTP in general". */
export const ADDRESS_RATE_LIMIT_PER_SECOND = 20;
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;
export const IDEMPOTENCY_UNFINISHED_TTL_MS = 30_000;
/** Architecture rule 1: how long a change to a user waits to be seen. */
export const READ_YOUR_WRITES_TIMEOUT_MS = 2_000;
/** Architecture rule 6. */
export const INTERESTS_STORED_MAX = 200;
/** Older read marks go first; far above what a reader clicks while an article can still be served. */
export const READ_MARKS_PER_USER_MAX = 20_000;
/** Contents sent by push; at three a day that is more than two years. */
export const SENT_MARKS_PER_USER_MAX = 2_500;
/** Architecture, topics: fixed from the first day, the same in every log. */
export const USER_PARTITIONS = 64;
