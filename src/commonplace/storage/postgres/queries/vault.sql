-- name: table_references()
-- Every table with the tables that its rows refer to.
-- only here: an SQLite file is copied whole.
SELECT c.relname AS table_name,
       ARRAY(SELECT r.confrelid::regclass::text
             FROM pg_constraint r
             WHERE r.conrelid = c.oid AND r.contype = 'f') AS refers_to
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
ORDER BY c.relname;

-- name: copied_columns(table)
-- The columns of a table that a copy holds; transaction ids mean something on one server only.
-- only here: an SQLite file is copied whole.
SELECT a.attname AS column_name
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relname = :table
  AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  AND a.atttypid <> 'xid8'::regtype
ORDER BY a.attnum;

-- name: schema_removal()
-- The commands that empty the schema of tables and functions.
-- only here: an SQLite file is overwritten whole.
SELECT format('DROP TABLE IF EXISTS %s CASCADE', c.oid::regclass) AS command
FROM pg_class c
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind IN ('r', 'p')
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
FROM pg_proc p
WHERE p.pronamespace = 'commonplace'::regnamespace;

-- name: sequence_resets()
-- The commands that let keys go on after the largest one that is there.
-- only here: an SQLite file holds its own counters.
SELECT format('SELECT setval(%L, coalesce((SELECT max(%I) FROM %s), 0) + 1, false)',
              pg_get_serial_sequence(c.oid::regclass::text, a.attname), a.attname,
              c.oid::regclass) AS command
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'
  AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL;

-- name: vector_models()
-- The models that have vectors, with their dimensions; no content, so not bound to a tenant.
-- only here: SQLite has no vector index.
SELECT DISTINCT ON (v.model) v.model, vector_dims(v.vector) AS dimension
FROM vectors v
ORDER BY v.model;
