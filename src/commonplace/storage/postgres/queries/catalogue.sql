-- name: table_references
-- Every table with the tables that its rows refer to.
-- only here: an SQLite file is copied whole.
SELECT c.relname AS table_name,
       ARRAY(SELECT r.confrelid::regclass::text
             FROM pg_constraint r
             WHERE r.conrelid = c.oid AND r.contype = 'f') AS refers_to
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
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
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
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
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
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
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname;

-- name: wait_for_nobody_long
-- Give up in this transaction rather than wait for somebody who works on what is to be replaced.
-- only here: SQLite has one lock, which is waited for in one place.
SELECT set_config('lock_timeout', '30s', true);
