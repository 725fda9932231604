-- Push jobs and what they sent. Opens are events with surface 'push': join them by delivery_id = job_id.

CREATE TABLE IF NOT EXISTS push_jobs
(
    tenant_id LowCardinality(String) COMMENT 'Tenant of the job',
    job_id String COMMENT 'Push job; delivery_id of the events it led to',
    scenario LowCardinality(String) COMMENT 'Push scenario; empty for a cancelled job',
    status LowCardinality(String) COMMENT 'completed or failed',
    error_code LowCardinality(String) COMMENT 'Why it failed; empty for a completed job',
    target_users UInt32 COMMENT 'Lines of the result; 0 for a failed job',
    users_failed UInt32 COMMENT 'Users whose generation failed',
    candidates UInt32 COMMENT 'Candidates of all users',
    credits_tenths UInt32 COMMENT 'Credits charged, in tenths',
    ended_at DateTime64(3, 'UTC') COMMENT 'When it ended',
    precedence UInt64 COMMENT 'Highest for the first end in the log, which stands'
)
ENGINE = ReplacingMergeTree(precedence)
ORDER BY (tenant_id, job_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Push jobs that have ended, one row a job';

CREATE TABLE IF NOT EXISTS push_sent
(
    tenant_id LowCardinality(String) COMMENT 'Tenant of the job',
    job_id String COMMENT 'Push job',
    scenario LowCardinality(String) COMMENT 'Push scenario',
    content_id String COMMENT 'Article given to users',
    users UInt32 COMMENT 'Users who got it in this job',
    sent_at DateTime64(3, 'UTC') COMMENT 'When the result was ready'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(sent_at)
ORDER BY (tenant_id, job_id, content_id)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'Articles in the results of push jobs, one row a job and article (only jobs completed in push_jobs count)';
