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
/** Architecture section 4: how long a job waits for its barrier, and how long a part may be away. */
export const PUSH_BARRIER_TIMEOUT_MS = 60_000;
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
