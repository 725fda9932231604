-- Aggregates hold only states that a repeated row doesn't change: distinct ids, greatest, least, latest by offset.

CREATE TABLE IF NOT EXISTS content_engagement
(
    tenant_id LowCardinality(String) COMMENT 'Tenant whose users reacted',
    content_id String COMMENT 'Article',
    day Date COMMENT 'Day of receipt, UTC',
    impressions AggregateFunction(uniqExact, String) COMMENT 'Ids of impression events: uniqExactMerge counts them',
    clicks AggregateFunction(uniqExact, String) COMMENT 'Ids of click, like and share events: uniqExactMerge counts them'
)
ENGINE = AggregatingMergeTree
ORDER BY (tenant_id, day, content_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Engagement of articles by tenant and day';

CREATE MATERIALIZED VIEW IF NOT EXISTS content_engagement_of_events TO content_engagement AS
SELECT
    tenant_id,
    content_id,
    toDate(received_at) AS day,
    uniqExactStateIf(event_id, kind = 'impression') AS impressions,
    uniqExactStateIf(event_id, kind IN ('click', 'like', 'share')) AS clicks
FROM events
WHERE content_id != '' AND kind IN ('impression', 'click', 'like', 'share')
GROUP BY tenant_id, content_id, day;

CREATE TABLE IF NOT EXISTS user_states
(
    tenant_id LowCardinality(String) COMMENT 'Tenant of the user',
    subject_id String COMMENT 'Pseudonym of the user',
    created SimpleAggregateFunction(max, UInt8) COMMENT '1 once anything created the user',
    deleted SimpleAggregateFunction(max, UInt8) COMMENT '1 once the user was deleted; a new user of the same id is a new subject',
    last_active_at SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))) COMMENT 'Latest activity; NULL without an event',
    first_event AggregateFunction(argMin, DateTime64(3, 'UTC'), UInt64) COMMENT 'Time of the first event by order in the log',
    registered AggregateFunction(argMax, Tuple(Nullable(DateTime64(3, 'UTC'))), UInt64) COMMENT 'registered_at as last set'
)
ENGINE = AggregatingMergeTree
ORDER BY (tenant_id, subject_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Users as their facts add up to; read through view users';

CREATE MATERIALIZED VIEW IF NOT EXISTS user_states_of_changes TO user_states AS
SELECT
    tenant_id,
    subject_id,
    max(toUInt8(creates)) AS created,
    max(toUInt8(deletes)) AS deleted,
    argMaxStateIf(tuple(registered_at), log_offset, sets_registered) AS registered
FROM user_changes
GROUP BY tenant_id, subject_id;

CREATE MATERIALIZED VIEW IF NOT EXISTS user_states_of_events TO user_states AS
SELECT
    tenant_id,
    subject_id,
    toUInt8(1) AS created,
    toUInt8(0) AS deleted,
    max(toNullable(least(occurred_at, received_at))) AS last_active_at,
    argMinState(occurred_at, log_offset) AS first_event
FROM events
WHERE of_user
GROUP BY tenant_id, subject_id;

CREATE VIEW IF NOT EXISTS users
(
    tenant_id String COMMENT 'Tenant of the user',
    subject_id String COMMENT 'Pseudonym of the user',
    user_id Nullable(String) COMMENT 'The application''s identifier',
    registered_at Nullable(DateTime64(3, 'UTC')) COMMENT 'registered_at as set, else time of the first event, else NULL',
    last_active_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Latest activity; NULL without an event'
) AS
SELECT
    states.tenant_id AS tenant_id,
    states.subject_id AS subject_id,
    nullIf(names.user_id, '') AS user_id,
    coalesce(states.set_at, if(states.active_at IS NULL, NULL, states.first_at)) AS registered_at,
    states.active_at AS last_active_at
FROM
(
    SELECT
        tenant_id,
        subject_id,
        max(user_states.last_active_at) AS active_at,
        argMinMerge(first_event) AS first_at,
        tupleElement(argMaxMerge(registered), 1) AS set_at
    FROM user_states
    GROUP BY tenant_id, subject_id
    HAVING max(created) = 1 AND max(deleted) = 0
) AS states
LEFT JOIN (SELECT tenant_id, subject_id, any(user_id) AS user_id FROM identities GROUP BY tenant_id, subject_id) AS names
    ON names.tenant_id = states.tenant_id AND names.subject_id = states.subject_id;
