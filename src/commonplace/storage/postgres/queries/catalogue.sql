-- name: table_references
-- Every table with the tables that its rows refer to, or that say which partitions it has.
-- only here: an SQLite file is copied whole.
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
-- The columns of a table that a copy holds; transaction ids mean something on one server only.
-- only here: an SQLite file is copied whole.
SELECT a.attname AS column_name
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relname = :table
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  AND a.atttypid <> 'xid8'::regtype
ORDER BY a.attnum;

-- name: schema_removal
-- The commands that empty the schema of tables and functions.
-- only here: an SQLite file is overwritten whole.
SELECT format('DROP TABLE IF EXISTS %s CASCADE', c.oid::regclass) AS command
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind IN ('r', 'p')
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
FROM pg_proc p
WHERE p.pronamespace = 'commonplace'::regnamespace;

-- name: sequence_resets
-- The commands that let keys go on after the largest one that is there.
-- only here: an SQLite file holds its own counters.
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
-- Every column that a copy holds, with its type, table by table.
-- only here: SQLite says these by a pragma.
SELECT c.relname AS table_name, a.attname AS column_name,
       format_type(a.atttypid, NULL) AS type
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'commonplace'::regnamespace
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
ORDER BY c.relname, a.attnum;

-- name: table_shapes
-- Of every table: the column that is numbered, the columns that refer to one, what is unique.
-- only here: SQLite says these by pragmas.
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
-- Make the partitions that orgs have and that are not there.
-- only here: an SQLite file has no partitions.
SELECT make_partition(p.part) FROM org_partitions p
WHERE to_regclass(format('commonplace.chunks_%s', p.part)) IS NULL;

-- name: empty_partition
-- Empty an org's own partition, if it has one; how many rows it held.
-- only here: an SQLite file has no partitions.
SELECT empty_partition(:org) AS rows;

-- name: partition_work
-- What there is to do about partitions: an org to move, one to give a partition, one to drop.
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
-- The commands that check, while others work, that the shared partition holds what it should.
-- only here: an SQLite file has no partitions.
SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS command
FROM pg_constraint
WHERE conname = 'shared_part' AND NOT convalidated
  AND connamespace = 'commonplace'::regnamespace;

-- name: give_partition
-- Name an org as one that has a partition of its own.
-- only here: an SQLite file has no partitions.
INSERT INTO org_partitions (org) VALUES (:org);

-- name: move_to_partition
-- Move some of an org's chunks into its partition; how many.
-- only here: an SQLite file has no partitions.
SELECT move_to_partition(:org, :most::integer) AS moved;

-- name: analyze_partition
-- The command that counts an org's own partition for the planner.
-- only here: an SQLite file has no partitions.
SELECT format('ANALYZE chunks_%1$s, passages_%1$s, vectors_%1$s', part) AS command
FROM org_partitions WHERE org = :org;

-- name: claim_move
-- Let one command at a time move an org; false where another does, or this one in the same database.
-- only here: orgs are moved between PostgreSQL databases.
SELECT pg_try_advisory_lock(hashtextextended('commonplace.move.' || :moved, 0)) AS claimed;

-- name: move_of
-- Whether an org has gone or is on its way.
-- only here: orgs are moved between PostgreSQL databases.
SELECT state FROM org_moves WHERE moved = :moved;

-- name: say_arriving
-- Let nobody use an org before all of it is here.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'arriving', '', :now)
ON CONFLICT (moved) DO UPDATE SET state = 'arriving', place = '', since = excluded.since;

-- name: say_gone
-- Let nobody use an org here any more.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'gone', :place, :now);

-- name: orgs_gone
-- The orgs that have gone to another database.
-- only here: orgs are moved between PostgreSQL databases.
SELECT moved, place, since FROM org_moves WHERE state = 'gone';

-- name: stay_gone
-- Let nobody use an org that had gone before a backup was restored.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_moves (moved, state, place, since) VALUES (:moved, 'gone', :place, :since)
ON CONFLICT (moved) DO UPDATE SET state = 'gone', place = excluded.place, since = excluded.since;

-- name: forget_move
-- Let an org be used that has arrived.
-- only here: orgs are moved between PostgreSQL databases.
DELETE FROM org_moves WHERE moved = :moved AND state = 'arriving';

-- name: take_org_name
-- Let nobody else make an org; no row where there is one, or somebody was faster.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO orgs (org, created_at) VALUES (:org, :now) ON CONFLICT (org) DO NOTHING
RETURNING org;

-- name: has_org
-- Whether there is an org.
-- only here: orgs are moved between PostgreSQL databases.
SELECT EXISTS (SELECT FROM orgs WHERE org = :org) AS found;

-- name: lock_org
-- Wait until nobody writes for an org, and let nobody until this transaction has ended.
-- only here: orgs are moved between PostgreSQL databases.
SELECT set_config('lock_timeout', '60s', true),
       pg_advisory_xact_lock(hashtextextended('commonplace.org.' || :org, 0));

-- name: largest_number
-- The largest key that the database has given out.
-- only here: orgs are moved between PostgreSQL databases.
SELECT coalesce(max(last_value), 0)::bigint AS largest FROM pg_sequences
WHERE schemaname = 'commonplace' AND data_type = 'bigint'::regtype;

-- name: reserve_numbers
-- Give out no key up to a number: rows that have them are coming.
-- only here: orgs are moved between PostgreSQL databases.
SELECT setval(format('commonplace.%I', sequencename)::regclass,
              greatest(coalesce(last_value, 1), :up_to::bigint))
FROM pg_sequences
WHERE schemaname = 'commonplace' AND data_type = 'bigint'::regtype;

-- name: counted_chunks
-- How many chunks an org had when they were counted last.
-- only here: orgs are moved between PostgreSQL databases.
SELECT chunks FROM statistics WHERE org = :org;

-- name: give_partition_once
-- Name an org as one that has a partition of its own, unless it is.
-- only here: orgs are moved between PostgreSQL databases.
INSERT INTO org_partitions (org) VALUES (:org) ON CONFLICT (org) DO NOTHING;

-- name: partitions_held
-- The partitions that an org's rows may lie in.
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
-- Say that all rows of an org are in its partition; which that is.
-- only here: orgs are moved between PostgreSQL databases.
UPDATE org_partitions SET settled = true WHERE org = :org RETURNING part;

-- name: oldest_running
-- The oldest transaction that this one does not see the end of.
-- only here: orgs are moved between PostgreSQL databases.
SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text AS oldest;

-- name: primary_key
-- The columns of a table that tell its rows apart, in each of its partitions.
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
-- Give up in this transaction before anybody has to wait for it, or the server takes it for a deadlock.
-- only here: SQLite has one lock, which is waited for in one place.
SELECT set_config('lock_timeout', '500ms', true);

-- name: wait_for_nobody_long
-- Give up in this transaction rather than wait for somebody who works on what is to be replaced.
-- only here: SQLite has one lock, which is waited for in one place.
SELECT set_config('lock_timeout', '30s', true);
