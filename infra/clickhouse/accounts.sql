-- Accounts on a ClickHouse server: the service, data teams of the operator, and tenants who query their own rows.
-- For an administrator, after the service has made its views; change the passwords, and feed where the service's
-- address names another prefix. The engine that tests run on has no access control: there these statements are
-- parsed, not run.

-- Tables lie in feed_v1, and in feed_v1_r2 and so on once they were rebuilt; feed has the views over the live version.
CREATE USER IF NOT EXISTS feed IDENTIFIED WITH sha256_password BY 'change-me-service';
GRANT CREATE DATABASE, DROP DATABASE, CREATE TABLE, DROP TABLE, CREATE VIEW, DROP VIEW, ALTER, SELECT, INSERT, TRUNCATE
    ON feed_v1*.* TO feed;
GRANT CREATE DATABASE, CREATE TABLE, DROP TABLE, CREATE VIEW, DROP VIEW, SELECT, INSERT ON feed.* TO feed;
GRANT SELECT ON system.tables TO feed;
GRANT SELECT ON system.columns TO feed;

-- One SELECT at a time within limits: a heavy query must never hold up the projector.
CREATE SETTINGS PROFILE IF NOT EXISTS feed_reading SETTINGS
    readonly = 1,
    max_execution_time = 60,
    max_memory_usage = 2000000000,
    max_threads = 2,
    max_result_rows = 1000000,
    result_overflow_mode = 'throw',
    max_concurrent_queries_for_user = 4,
    priority = 10;

-- The views read with the rights of the service: nobody else needs any on the tables.
CREATE ROLE IF NOT EXISTS feed_data_team SETTINGS PROFILE 'feed_reading';
GRANT SELECT ON feed.* TO feed_data_team;
CREATE USER IF NOT EXISTS analyst IDENTIFIED WITH sha256_password BY 'change-me-analyst' DEFAULT ROLE feed_data_team;

-- A tenant's account has the tenant's id for its name. Articles are of all tenants and therefore of none of them.
CREATE ROLE IF NOT EXISTS feed_tenant SETTINGS PROFILE 'feed_reading';
GRANT SELECT ON feed.events TO feed_tenant;
GRANT SELECT ON feed.user_changes TO feed_tenant;
GRANT SELECT ON feed.user_states TO feed_tenant;
GRANT SELECT ON feed.identities TO feed_tenant;
GRANT SELECT ON feed.users TO feed_tenant;
GRANT SELECT ON feed.deliveries TO feed_tenant;
GRANT SELECT ON feed.usage_caps TO feed_tenant;
GRANT SELECT ON feed.content_engagement TO feed_tenant;
GRANT SELECT ON feed.push_jobs TO feed_tenant;
GRANT SELECT ON feed.push_sent TO feed_tenant;

CREATE ROW POLICY IF NOT EXISTS own_rows ON
    feed.events,
    feed.user_changes,
    feed.user_states,
    feed.identities,
    feed.users,
    feed.deliveries,
    feed.usage_caps,
    feed.content_engagement,
    feed.push_jobs,
    feed.push_sent
FOR SELECT USING tenant_id = currentUser() TO feed_tenant;

-- A view with a policy shows nothing to those whom no policy names.
CREATE ROW POLICY IF NOT EXISTS all_rows ON
    feed.events,
    feed.user_changes,
    feed.user_states,
    feed.identities,
    feed.users,
    feed.deliveries,
    feed.usage_caps,
    feed.content_engagement,
    feed.push_jobs,
    feed.push_sent
FOR SELECT USING true TO feed, feed_data_team;

CREATE USER IF NOT EXISTS `tenant-id` IDENTIFIED WITH sha256_password BY 'change-me-tenant' DEFAULT ROLE feed_tenant;
