-- Tables of the activity store. Every row has an id that a repeat gives again, so replaying a topic changes no
-- answer. Tables are partitioned by month of receipt, never of occurrence: one insert stays in few partitions.
-- A table remembers its last inserts and drops one that comes again, as after an answer that was lost.

CREATE TABLE IF NOT EXISTS events
(
    tenant_id LowCardinality(String) COMMENT 'Tenant the event belongs to',
    subject_id String COMMENT 'Pseudonym of the user, or of the session where no user was named; join identities for user_id',
    of_user Bool COMMENT 'Whether the subject is a user',
    event_id String COMMENT 'Id of the event; events sent twice within 7 days share it',
    kind LowCardinality(String) COMMENT 'login, session_start, click, impression, return, share, like or dislike',
    session_ref String COMMENT 'Pseudonym of the session; empty without one',
    content_id String COMMENT 'Article the event is about; empty without one',
    surface LowCardinality(String) COMMENT 'feed or push where a tracking token linked the event to a delivery, else empty',
    scenario LowCardinality(String) COMMENT 'Scenario of that delivery, else empty',
    delivery_id String COMMENT 'Request id of a feed or job id of a push, else empty',
    position Int32 COMMENT 'Place in that delivery, from 0; -1 without one',
    occurred_at DateTime64(3, 'UTC') COMMENT 'When it happened, as the tenant says',
    received_at DateTime64(3, 'UTC') COMMENT 'When the service received it',
    log_offset UInt64 COMMENT 'Offset of the fact in its partition of topic users: the order of a subject''s events'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (tenant_id, kind, event_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Behavioural events, one row an event';

CREATE TABLE IF NOT EXISTS user_changes
(
    tenant_id LowCardinality(String) COMMENT 'Tenant of the user',
    subject_id String COMMENT 'Pseudonym of the user',
    log_offset UInt64 COMMENT 'Offset of the fact in its partition of topic users: the order of changes',
    changed_at DateTime64(3, 'UTC') COMMENT 'When the service accepted the change',
    creates Bool COMMENT 'Whether the change creates the user where there is none',
    deletes Bool COMMENT 'Whether the change deletes the user',
    sets_registered Bool COMMENT 'Whether the change sets or clears registered_at',
    registered_at Nullable(DateTime64(3, 'UTC')) COMMENT 'registered_at as set; NULL where cleared'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(changed_at)
ORDER BY (tenant_id, subject_id, log_offset)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Changes to users that are no behavioural events';

CREATE TABLE IF NOT EXISTS identities
(
    tenant_id LowCardinality(String) COMMENT 'Tenant of the user',
    subject_id String COMMENT 'Pseudonym of the user',
    user_id String COMMENT 'The application''s identifier; this is the only table that holds it'
)
ENGINE = ReplacingMergeTree
ORDER BY (tenant_id, subject_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Who a subject is; a deleted user has no row';

CREATE TABLE IF NOT EXISTS deliveries
(
    tenant_id LowCardinality(String) COMMENT 'Tenant served',
    request_id String COMMENT 'Request that was answered or push job, the key it is charged under',
    endpoint LowCardinality(String) COMMENT 'feed, content or push',
    subject_id String COMMENT 'Pseudonym of the reader; empty for an anonymous or unregistered one',
    scenario LowCardinality(String) COMMENT 'Scenario of a feed; empty for content',
    content_ids Array(String) COMMENT 'Articles served, in order',
    positions Array(UInt16) COMMENT 'Place of each article in its walk, from 0',
    scores Array(Float32) COMMENT 'Score of each article of a feed, 0 to 1',
    credits_tenths UInt32 COMMENT 'Credits charged, in tenths',
    served_at DateTime64(3, 'UTC') COMMENT 'When it was answered'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(served_at)
ORDER BY (tenant_id, request_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Charged answers, one row a request';

CREATE TABLE IF NOT EXISTS usage_caps
(
    tenant_id LowCardinality(String) COMMENT 'Tenant the cap is for',
    log_offset UInt64 COMMENT 'Offset of the fact in its partition of topic credits',
    cap_tenths Nullable(UInt64) COMMENT 'Cap in tenths of a credit; NULL lifts it',
    actor String COMMENT 'Who set it',
    set_at DateTime64(3, 'UTC') COMMENT 'When it was set'
)
ENGINE = ReplacingMergeTree
ORDER BY (tenant_id, log_offset)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Usage caps as they were set';

CREATE TABLE IF NOT EXISTS contents
(
    content_id String COMMENT 'Article',
    source_id LowCardinality(String) COMMENT 'Its publisher',
    title String COMMENT 'Title of the latest revision; empty once withdrawn',
    category LowCardinality(String) COMMENT 'Category of the fixed taxonomy',
    language LowCardinality(String) COMMENT 'Primary language, BCP 47',
    published_at DateTime64(3, 'UTC') COMMENT 'When the publisher published it, or when it was withdrawn',
    withdrawn Bool COMMENT 'Whether it has been withdrawn',
    log_offset UInt64 COMMENT 'Offset of the fact: the highest is the latest revision'
)
ENGINE = ReplacingMergeTree(log_offset)
ORDER BY content_id
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Articles, for joining';

CREATE TABLE IF NOT EXISTS projection_positions
(
    topic LowCardinality(String) COMMENT 'Topic projected',
    log_partition UInt16 COMMENT 'Partition of the topic',
    next_offset UInt64 COMMENT 'Every record below it has been projected'
)
ENGINE = ReplacingMergeTree(next_offset)
ORDER BY (topic, log_partition)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Where each projection resumes';
