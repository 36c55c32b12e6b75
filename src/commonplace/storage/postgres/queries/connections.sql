-- name: missing_setup
-- What must be set up before the schema can be created, as commands.
-- only here: an SQLite file needs no roles or extensions.
SELECT command
FROM (VALUES
    (1, 'CREATE ROLE commonplace_owner NOLOGIN',
     EXISTS (SELECT FROM pg_roles WHERE rolname = 'commonplace_owner')),
    (2, 'CREATE ROLE commonplace_app NOLOGIN',
     EXISTS (SELECT FROM pg_roles WHERE rolname = 'commonplace_app')),
    (3, format('GRANT commonplace_owner, commonplace_app TO %I', current_user),
     2 = (SELECT count(*) FROM pg_roles
          WHERE rolname IN ('commonplace_owner', 'commonplace_app')
            AND pg_has_role(current_user, oid, CASE
                    WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET'
                    ELSE 'MEMBER' END))),
    (4, 'CREATE EXTENSION vector',
     EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')),
    (5, 'ALTER EXTENSION vector UPDATE',
     NOT EXISTS (SELECT FROM pg_extension
                 WHERE extname = 'vector'
                   AND string_to_array(extversion, '.')::integer[] < ARRAY[0, 8])),
    (6, 'CREATE SCHEMA commonplace AUTHORIZATION commonplace_owner',
     EXISTS (SELECT FROM pg_namespace WHERE nspname = 'commonplace'))
) AS steps (step, command, done)
WHERE NOT done
ORDER BY step;

-- name: search_path
-- The search path on which the schema and the vector type are found.
-- only here: an SQLite file has one schema.
SELECT format('commonplace, %I, pg_temp', n.nspname) AS path
FROM pg_extension e
JOIN pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname = 'vector';

-- name: answering_process
-- The process id of the server process; behind a pooler it differs from the one at connection.
-- only here: an SQLite file has no server process.
SELECT pg_backend_pid() AS process;

-- name: become
-- Assume a role and a search path, for this transaction or this session.
-- only here: an SQLite file has no roles.
SELECT set_config('role', :role, :locally::boolean),
       set_config('search_path', :path, :locally::boolean);

-- name: bind_tenant
-- Bind the transaction to a tenant and set how it plans and waits; returns the schema version and the tenant's partitions.
-- only here: row security needs the tenant, and whether orgs form a network. Plans need the values of
-- filters, which NULL disables, and of the model, unless the same few statements are repeated.
-- Partitions are selected by their numbers, without checking constraints.
SELECT set_config('commonplace.org', :org, true),
       set_config('commonplace.network', CASE WHEN :network::boolean THEN 'on' ELSE 'off' END, true),
       set_config('commonplace.parts', CASE WHEN :network::boolean THEN '' ELSE home.parts::text END, true),
       set_config('plan_cache_mode',
                  CASE WHEN :plans_kept::boolean THEN 'auto' ELSE 'force_custom_plan' END, true),
       set_config('synchronous_commit',
                  CASE WHEN :derived::boolean THEN 'off' ELSE current_setting('synchronous_commit') END, true),
       set_config('constraint_exclusion', 'off', true),
       set_config('jit', 'off', true),
       set_config('lock_timeout', '30s', true),
       set_config('statement_timeout', '120s', true),
       (SELECT m.state FROM org_moves m WHERE m.moved = :org) AS away,
       home.part, CASE WHEN NOT :network::boolean THEN home.parts END AS parts,
       (SELECT max(version) FROM migrations) AS version
FROM partitions_of(:org) AS home;

-- name: hold_place
-- Keep the tenant's rows in their partitions until this transaction ends.
-- only here: SQLite has one write lock for everything.
SELECT set_config('lock_timeout', '30s', true),
       pg_advisory_xact_lock_shared(hashtextextended('commonplace.org.' || :org, 0));

-- name: has_schema
-- Whether any migration was ever applied.
-- only here: SQLite keeps the schema version in the file's header.
SELECT EXISTS (
    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'commonplace' AND c.relname = 'migrations') AS found;

-- name: schema_version
-- The newest migration that was applied.
-- only here: SQLite keeps the schema version in the file's header.
SELECT coalesce(max(version), 0) AS version FROM migrations;

-- name: lock_migrations
-- Lock migrations, so that one process at a time migrates.
-- only here: SQLite has one write lock for everything.
SELECT pg_advisory_xact_lock(hashtextextended('commonplace.migrations', 0));

-- name: record_migration
-- Record a migration, in its own transaction.
-- only here: SQLite keeps the schema version in the file's header.
INSERT INTO migrations (version, name) VALUES (:version, :name);

-- name: database_facts
-- The database's facts about itself.
-- only here: SQLite needs no statement for this.
SELECT current_setting('server_version') AS version,
       pg_database_size(current_database()) AS size_bytes;

-- name: flushed_position
-- The flushed log position and the timeline of the primary; every flushed commit is before it.
-- only here: an SQLite file has no replicas.
SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint AS position,
       ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::integer AS timeline;

-- name: replayed_position
-- The replayed log position of a replica, whether it is receiving, and its timeline if known.
-- only here: an SQLite file has no replicas.
SELECT coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint, 0) AS position,
       pg_is_in_recovery() AND EXISTS (SELECT FROM pg_stat_wal_receiver WHERE pid IS NOT NULL) AS receiving,
       (SELECT received_tli FROM pg_stat_wal_receiver) AS timeline;

-- name: others_connected
-- The number of other connections of this product to the database.
-- only here: a lock file shows who has an SQLite file open.
SELECT count(*) AS others
FROM pg_stat_activity
WHERE datname = current_database() AND application_name = :application
  AND pid <> pg_backend_pid();
