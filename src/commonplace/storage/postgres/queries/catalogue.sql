-- name: table_references
-- Every table with the tables that it refers to, or that say which partitions it has.
-- only here: an SQLite file is copied as a whole.
SELECT c.relname AS table_name,
       ARRAY(SELECT coalesce(whole.relname, referred.relname)::text
             FROM pg_constraint r
             JOIN pg_class referred ON referred.oid = r.confrelid
             LEFT JOIN pg_inherits part ON part.inhrelid = referred.oid
             LEFT JOIN pg_class whole ON whole.oid = part.inhparent
             WHERE r.contype = 'f' AND (r.conrelid = c.oid OR r.conrelid IN (
                 SELECT inhrelid FROM pg_inherits WHERE inhparent = c.oid))
             UNION ALL
             SELECT 'org_partitions' WHERE c.relkind = 'p') AS refers_to
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname;

-- name: copied_columns
-- The columns of a table to copy; transaction ids are only meaningful on one server.
-- only here: an SQLite file is copied as a whole.
SELECT a.attname AS column_name
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relname = :table
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  AND a.atttypid <> 'xid8'::regtype
ORDER BY a.attnum;

-- name: schema_removal
-- The commands that drop all tables and functions of the schema.
-- only here: an SQLite file is overwritten as a whole.
SELECT format('DROP TABLE IF EXISTS %s CASCADE', c.oid::regclass) AS command
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind IN ('r', 'p')
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
FROM pg_proc p
WHERE p.pronamespace = 'commonplace'::regnamespace;

-- name: sequence_resets
-- The commands that set sequences to the largest existing key.
-- only here: an SQLite file contains its counters.
SELECT format('SELECT setval(%L, coalesce((SELECT max(%I) FROM %s), 0) + 1, false)',
              pg_get_serial_sequence(c.oid::regclass::text, a.attname), a.attname,
              c.oid::regclass) AS command
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind IN ('r', 'p')
  AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL;

-- name: vector_models
-- The models that have vectors, with their dimensions; no content, so not bound to a tenant.
-- only here: SQLite has no vector index.
SELECT DISTINCT ON (v.model) v.model, vector_dims(v.vector) AS dimension
FROM vectors v
ORDER BY v.model;

-- name: column_types
-- Every column to copy with its type, by table.
-- only here: SQLite has a pragma for this.
SELECT c.relname AS table_name, a.attname AS column_name,
       format_type(a.atttypid, NULL) AS type
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'commonplace'::regnamespace
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
ORDER BY c.relname, a.attnum;

-- name: table_shapes
-- For every table: the numbered column, the referring columns, and the unique keys.
-- only here: SQLite has pragmas for this.
SELECT c.relname AS table_name,
       (SELECT a.attname FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attidentity <> '') AS numbered,
       ARRAY(SELECT a.attname::text
             FROM pg_constraint f
             JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
             JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
             WHERE f.conrelid = c.oid AND f.contype = 'f' AND r.attidentity <> ''
             ORDER BY f.oid) AS referring,
       ARRAY(SELECT t.relname::text
             FROM pg_constraint f
             JOIN pg_class t ON t.oid = f.confrelid
             JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
             WHERE f.conrelid = c.oid AND f.contype = 'f' AND r.attidentity <> ''
             ORDER BY f.oid) AS referred,
       ARRAY(SELECT t.relname::text
             FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
             WHERE f.conrelid = c.oid AND f.contype = 'f') AS refers_to,
       coalesce((SELECT json_agg(names ORDER BY is_primary DESC, names::text)
                 FROM (SELECT i.indisprimary AS is_primary,
                              (SELECT json_agg(a.attname ORDER BY k.place)
                               FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
                               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
                              ) AS names
                       FROM pg_index i
                       WHERE i.indrelid = c.oid AND i.indisunique AND i.indpred IS NULL
                      ) AS found), '[]')::text AS uniques
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname;

-- name: make_partitions
-- Create missing partitions of orgs.
-- only here: an SQLite file has no partitions.
SELECT make_partition(p.part) FROM org_partitions p
WHERE to_regclass(format('commonplace.chunks_%s', p.part)) IS NULL;

-- name: empty_partition
-- Empty an org's own partition, if it has one; returns how many rows it had.
-- only here: an SQLite file has no partitions.
SELECT empty_partition(:org) AS rows;

-- name: partition_work
-- The next step for partitions: an org to move, one that needs a partition, or a partition to drop.
-- only here: an SQLite file has no partitions.
SELECT pg_try_advisory_xact_lock(hashtextextended('commonplace.partitions', 0)) AS alone,
       (SELECT p.org FROM org_partitions p WHERE NOT p.settled ORDER BY p.part LIMIT 1) AS moving,
       (SELECT s.org FROM statistics s
        WHERE s.chunks >= :large AND NOT EXISTS (SELECT FROM org_partitions p WHERE p.org = s.org)
        ORDER BY s.chunks DESC LIMIT 1) AS large,
       EXISTS (SELECT FROM org_partitions p WHERE p.org = 'system') AS system_apart,
       (SELECT substring(c.relname FROM '^chunks_([0-9]+)$')::integer
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'commonplace.chunks'::regclass AND c.relname <> 'chunks_0'
          AND substring(c.relname FROM '^chunks_([0-9]+)$')::integer NOT IN (SELECT part FROM org_partitions)
        LIMIT 1) AS left_over;

-- name: unchecked_partitions
-- The commands that validate the shared partition's constraints, concurrently with other work.
-- only here: an SQLite file has no partitions.
SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS command
FROM pg_constraint
WHERE conname = 'shared_part' AND NOT convalidated
  AND connamespace = 'commonplace'::regnamespace;

-- name: give_partition
-- Assign an org a partition of its own.
-- only here: an SQLite file has no partitions.
INSERT INTO org_partitions (org) VALUES (:org);

-- name: move_to_partition
-- Move some of an org's chunks into its partition; returns how many.
-- only here: an SQLite file has no partitions.
SELECT move_to_partition(:org, :most::integer) AS moved;

-- name: analyze_partition
-- The command that updates the planner's statistics of an org's partition.
-- only here: an SQLite file has no partitions.
SELECT format('ANALYZE chunks_%1$s, passages_%1$s, vectors_%1$s', part) AS command
FROM org_partitions WHERE org = :org;

-- name: claim_move
-- Lock an org for one move; false if it is being moved, or source and target are the same database.
-- only here: orgs are moved between PostgreSQL databases.
SELECT pg_try_advisory_lock(hashtextextended('commonplace.move.' || :moved, 0)) AS claimed;

-- name: move_of
-- Whether an org has moved away or is arriving.
-- only here: orgs are moved between PostgreSQL databases.
SELECT state FROM org_moves WHERE moved = :moved;

-- name: say_arriving
-- Mark an org as arriving, so that nobody uses it before it is complete.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'arriving', '', :now)
ON CONFLICT (moved) DO UPDATE SET state = 'arriving', place = '', since = excluded.since;

-- name: say_gone
-- Mark an org as gone, so that nobody uses it here any more.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'gone', :place, :now);

-- name: orgs_gone
-- The orgs that moved to another database.
-- only here: orgs are moved between PostgreSQL databases.
SELECT moved, place, since FROM org_moves WHERE state = 'gone';

-- name: stay_gone
-- Mark an org as gone again that had moved away before a backup was restored.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'gone', :place, :since)
ON CONFLICT (moved) DO UPDATE SET state = 'gone', place = excluded.place, since = excluded.since;

-- name: forget_move
-- Delete the mark of an org that has arrived.
-- only here: orgs are moved between PostgreSQL databases.
DELETE FROM org_moves WHERE moved = :moved AND state = 'arriving';

-- name: take_org_name
-- Create an org; no row if it exists or another process was faster.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO orgs (org, created_at) VALUES (:org, :now) ON CONFLICT (org) DO NOTHING
RETURNING org;

-- name: has_org
-- Whether an org exists.
-- only here: orgs are moved between PostgreSQL databases.
SELECT EXISTS (SELECT FROM orgs WHERE org = :org) AS found;

-- name: lock_org
-- Wait until nobody writes for an org, and block writers until this transaction ends.
-- only here: orgs are moved between PostgreSQL databases.
SELECT set_config('lock_timeout', '60s', true),
       pg_advisory_xact_lock(hashtextextended('commonplace.org.' || :org, 0));

-- name: largest_number
-- The largest key that the database has assigned.
-- only here: orgs are moved between PostgreSQL databases.
SELECT coalesce(max(last_value), 0)::bigint AS largest FROM pg_sequences
WHERE schemaname = 'commonplace' AND data_type = 'bigint'::regtype;

-- name: reserve_numbers
-- Advance the sequences past a number, because rows with keys up to it are coming.
-- only here: orgs are moved between PostgreSQL databases.
SELECT setval(format('commonplace.%I', sequencename)::regclass,
              greatest(coalesce(last_value, 1), :up_to::bigint))
FROM pg_sequences
WHERE schemaname = 'commonplace' AND data_type = 'bigint'::regtype;

-- name: counted_chunks
-- The number of an org's chunks at the last count.
-- only here: orgs are moved between PostgreSQL databases.
SELECT chunks FROM statistics WHERE org = :org;

-- name: give_partition_once
-- Assign an org a partition of its own, unless it has one.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_partitions (org) VALUES (:org) ON CONFLICT (org) DO NOTHING;

-- name: partitions_held
-- The partitions that may contain an org's rows.
-- only here: orgs are moved between PostgreSQL databases.
SELECT ARRAY(SELECT 0 UNION SELECT part FROM org_partitions WHERE org = :org) AS parts;

-- name: models_held
-- The models that have vectors of an org, with their dimensions.
-- only here: orgs are moved between PostgreSQL databases.
SELECT DISTINCT ON (v.model) v.model, vector_dims(v.vector) AS dimension
FROM vectors v
WHERE v.part = ANY (:numbers::integer[]) AND v.org = :org
ORDER BY v.model;

-- name: settle_partition
-- Mark an org's partition as complete; returns its number.
-- only here: orgs are moved between PostgreSQL databases.
UPDATE org_partitions SET settled = true WHERE org = :org RETURNING part;

-- name: oldest_running
-- The oldest transaction that is still running in this snapshot.
-- only here: orgs are moved between PostgreSQL databases.
SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text AS oldest;

-- name: primary_key
-- The columns that identify a table's rows, in each of its partitions.
-- only here: orgs are moved between PostgreSQL databases.
SELECT ARRAY(SELECT a.attname::text
             FROM unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
             ORDER BY k.place) AS columns
FROM pg_index i
WHERE i.indisprimary AND i.indrelid = coalesce(
    (SELECT p.inhrelid FROM pg_inherits p
     WHERE p.inhparent = format('commonplace.%I', :table::text)::regclass LIMIT 1),
    format('commonplace.%I', :table::text)::regclass);

-- name: wait_for_nobody
-- Set a lock timeout for this transaction, shorter than the one for detecting deadlocks.
-- only here: SQLite has a single lock with one timeout.
SELECT set_config('lock_timeout', '500ms', true);

-- name: wait_for_nobody_long
-- Set a lock timeout for this transaction, for replacing tables that others may be using.
-- only here: SQLite has a single lock with one timeout.
SELECT set_config('lock_timeout', '30s', true);
