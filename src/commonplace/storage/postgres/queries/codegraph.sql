-- name: code_files_of
-- What is known of the files of code of some resources, without their facts.
SELECT document_key, resource_key, path, language, content_hash, version, package, interface,
       problem, specifiers, reads, packages, linked, tally ->> 'asked' AS asked
FROM code_files
WHERE org = :org AND resource_key = ANY (:resource_keys::bigint[])
ORDER BY resource_key, path;

-- name: code_files_waiting
-- What is known of the files of code of some resources whose links have to be made.
SELECT document_key, resource_key, path, language, content_hash, version, package, interface,
       problem, specifiers, reads, packages, linked, tally ->> 'asked' AS asked
FROM code_files
WHERE org = :org AND resource_key = ANY (:resource_keys::bigint[]) AND NOT linked
ORDER BY resource_key, path;

-- name: tallies_of
-- What the files of code of some resources count, as far as they were linked.
SELECT document_key, tally FROM code_files
WHERE org = :org AND resource_key = ANY (:resource_keys::bigint[]) AND tally <> '{}';

-- name: code_problems_of
-- The files of code of some resources that are not read, or only in part, and why.
SELECT resource_key, document_key, path, problem FROM code_files
WHERE org = :org AND resource_key = ANY (:resource_keys::bigint[]) AND problem <> ''
ORDER BY resource_key, path;

-- name: facts_of
-- What was extracted of some files.
SELECT document_key, facts FROM code_files
WHERE org = :org AND document_key = ANY (:keys::bigint[]);

-- name: put_code_file
-- Add or replace what was extracted of a file; it waits to be linked then.
INSERT INTO code_files (document_key, org, resource_key, path, language, content_hash, version,
                        package, interface, problem, specifiers, facts)
VALUES (:document_key, :org, :resource_key, :path, :language, :content_hash, :version,
        :package, :interface, :problem, :specifiers::text[], :facts)
ON CONFLICT (document_key) DO UPDATE
SET path = excluded.path, language = excluded.language, content_hash = excluded.content_hash,
    version = excluded.version, package = excluded.package, interface = excluded.interface,
    problem = excluded.problem, specifiers = excluded.specifiers, facts = excluded.facts,
    linked = false;

-- name: remove_code_files
-- Forget files of code, with their symbols and edges.
DELETE FROM code_files
WHERE org = :org AND document_key = ANY (:keys::bigint[]);

-- name: unlink_code_files
-- Let files wait to be linked again.
UPDATE code_files SET linked = false
WHERE org = :org AND document_key = ANY (:keys::bigint[]);

-- name: settle_code_file
-- Keep what a file's links depend on and what it counts.
UPDATE code_files SET reads = :reads::bigint[], packages = :packages::text[], tally = :tally::jsonb, linked = true
WHERE org = :org AND document_key = :document_key;

-- name: put_compiled_file
-- Add or replace what a compiler said of a file.
INSERT INTO compiled_files (document_key, org, content_hash, data)
VALUES (:document_key, :org, :content_hash, :data)
ON CONFLICT (document_key) DO UPDATE
SET content_hash = excluded.content_hash, data = excluded.data;

-- name: compiled_files_of
-- What a compiler said of files that have not changed since.
SELECT f.document_key, f.content_hash, f.data
FROM compiled_files f
JOIN documents d ON d.key = f.document_key AND d.content_hash = f.content_hash
WHERE f.org = :org AND f.document_key = ANY (:keys::bigint[])
ORDER BY f.document_key;

-- name: symbols_of_documents
-- The symbols of some files, in their order.
SELECT * FROM symbols
WHERE org = :org AND document_key = ANY (:keys::bigint[])
ORDER BY document_key, number;

-- name: symbols_by_keys
-- Symbols by their keys.
SELECT * FROM symbols
WHERE org = :org AND key = ANY (:keys::bigint[]);

-- name: symbols_named
-- Symbols of some resources that have one of the names, in any letter case.
SELECT * FROM symbols
WHERE org = :org AND folded = ANY (:names::text[])
  AND resource_key = ANY (:resource_keys::bigint[])
ORDER BY resource_key, document_key, number
LIMIT :limit;

-- name: put_symbol
-- Add a symbol, or replace the one of the same key.
INSERT INTO symbols (key, org, document_key, resource_key, number, name, folded, path, kind,
                     exported, line, column_at, first_line, last_line, signature, doc)
VALUES (:key, :org, :document_key, :resource_key, :number, :name, :folded, :path, :kind,
        :exported, :line, :column_at, :first_line, :last_line, :signature, :doc)
ON CONFLICT (key) DO UPDATE
SET number = excluded.number, exported = excluded.exported, line = excluded.line,
    column_at = excluded.column_at, first_line = excluded.first_line,
    last_line = excluded.last_line, signature = excluded.signature, doc = excluded.doc;

-- name: remove_symbols
-- Forget symbols.
DELETE FROM symbols WHERE org = :org AND key = ANY (:keys::bigint[]);

-- name: release_edges
-- Leave the uses of symbols that go without a target.
UPDATE edges SET target_key = NULL
WHERE org = :org AND target_key = ANY (:keys::bigint[]);

-- name: remove_edges
-- Forget the edges of a file.
DELETE FROM edges WHERE org = :org AND document_key = :document_key;

-- name: put_edge
-- Add an edge.
INSERT INTO edges (document_key, ordinal, org, resource_key, source_key, name, "use", target_key,
                   "rank", resolution, confidence, lines)
VALUES (:document_key, :ordinal, :org, :resource_key, :source_key::bigint, :name, :use, :target_key::bigint,
        :rank, :resolution, :confidence, :lines::bigint[]);

-- name: edges_to
-- The edges that lead to some symbols from files of some resources, the surest first.
SELECT * FROM edges
WHERE org = :org AND target_key = ANY (:keys::bigint[])
  AND resource_key = ANY (:resource_keys::bigint[])
ORDER BY "rank", confidence DESC, document_key, ordinal
LIMIT :limit;

-- name: edges_of_documents
-- All edges of some files, in their order.
SELECT * FROM edges
WHERE org = :org AND document_key = ANY (:keys::bigint[])
ORDER BY document_key, ordinal;

-- name: documents_using
-- The files of some resources that use one of the names.
SELECT DISTINCT document_key FROM edges
WHERE org = :org AND name = ANY (:names::text[])
  AND resource_key = ANY (:resource_keys::bigint[])
ORDER BY document_key;

-- name: count_unlinked
-- How many uses of a name in files of some resources lead to no symbol.
SELECT coalesce(sum(cardinality(lines)), 0) AS uses FROM edges
WHERE org = :org AND name = :name AND target_key IS NULL
  AND resource_key = ANY (:resource_keys::bigint[]);

-- name: edges_unlinked
-- The uses of a name in files of some resources that lead to no symbol, in their order.
SELECT * FROM edges
WHERE org = :org AND name = :name AND target_key IS NULL
  AND resource_key = ANY (:resource_keys::bigint[])
ORDER BY document_key, ordinal
LIMIT :limit;

-- name: unused_symbols
-- Symbols that nothing but themselves is known to use, and whose name no unlinked use has.
SELECT s.* FROM code_files f
JOIN symbols s ON s.document_key = f.document_key
WHERE f.org = :org AND s.org = :org AND f.resource_key = ANY (:resource_keys::bigint[])
  AND NOT EXISTS (
      SELECT 1 FROM edges e
      WHERE e.org = :org AND e.target_key = s.key AND e."use" <> 'export'
        AND (e.source_key IS NULL OR e.source_key <> s.key)
  )
  AND NOT EXISTS (
      SELECT 1 FROM edges e WHERE e.org = :org AND e.name = s.name AND e.target_key IS NULL
  )
ORDER BY s.document_key, s.number
LIMIT :limit;

-- name: module_imports
-- Which files of some resources import which others, and on which lines.
SELECT e.document_key AS importer, s.document_key AS imported, e.lines
FROM code_files f
JOIN edges e ON e.document_key = f.document_key
JOIN symbols s ON s.key = e.target_key
WHERE f.org = :org AND e.org = :org AND s.org = :org AND f.resource_key = ANY (:resource_keys::bigint[])
  AND e."use" = 'import' AND e."rank" = 0 AND s.document_key <> e.document_key
ORDER BY e.document_key, e.ordinal
LIMIT :limit;

-- name: graph_coverage
-- Whether there is any symbol, any edge, of some resources.
SELECT EXISTS (
           SELECT 1 FROM code_files f JOIN symbols s ON s.document_key = f.document_key
           WHERE f.org = :org AND f.resource_key = ANY (:resource_keys::bigint[])
       ) AS symbols,
       EXISTS (
           SELECT 1 FROM code_files f JOIN edges e ON e.document_key = f.document_key
           WHERE f.org = :org AND f.resource_key = ANY (:resource_keys::bigint[])
       ) AS edges;
