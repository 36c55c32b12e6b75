-- name: code_files_of
-- The code files of some resources, without their facts.
SELECT document_key, resource_key, path, language, content_hash, version, package, interface,
       problem, reads, packages, linked
FROM code_files
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:resource_keys))
ORDER BY resource_key, path;

-- name: code_files_waiting
-- The code files of some resources that wait to be linked.
SELECT document_key, resource_key, path, language, content_hash, version, package, interface,
       problem, reads, packages, linked
FROM code_files
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:resource_keys)) AND NOT linked
ORDER BY resource_key, path;

-- name: tallies_of
-- What the linked code files of some resources add to the counts.
SELECT document_key, tally FROM code_files
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:resource_keys)) AND tally <> '{}';

-- name: code_problems_of
-- The code files of some resources that could not be read, or only in part, with the reason.
SELECT resource_key, document_key, path, problem FROM code_files
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:resource_keys)) AND problem <> ''
ORDER BY resource_key, path;

-- name: facts_of
-- The facts extracted from some files.
SELECT document_key, facts FROM code_files
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys));

-- name: specifiers_of
-- The modules that the code files of some resources name.
SELECT document_key, specifiers FROM code_files
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:resource_keys)) AND specifiers <> '[]';

-- name: lookups_of
-- A digest of the names that the links of some files looked up.
SELECT document_key, json_extract(tally, '$.asked') AS lookups FROM code_files
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys));

-- name: put_code_file
-- Insert or replace a file's facts; it then waits to be linked.
INSERT INTO code_files (document_key, org, resource_key, path, language, content_hash, version,
                        package, interface, problem, specifiers, facts)
VALUES (:document_key, :org, :resource_key, :path, :language, :content_hash, :version,
        :package, :interface, :problem, :specifiers, :facts)
ON CONFLICT (document_key) DO UPDATE
SET path = excluded.path, language = excluded.language, content_hash = excluded.content_hash,
    version = excluded.version, package = excluded.package, interface = excluded.interface,
    problem = excluded.problem, specifiers = excluded.specifiers, facts = excluded.facts,
    linked = false;

-- name: remove_code_files
-- Delete code files with their symbols and edges.
DELETE FROM code_files
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys));

-- name: unlink_code_files
-- Mark files as waiting to be linked again.
UPDATE code_files SET linked = false
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys));

-- name: settle_code_file
-- Mark a file as linked, with what its links depend on and what it counts.
UPDATE code_files SET reads = :reads, packages = :packages, tally = :tally, linked = true
WHERE org = :org AND document_key = :document_key;

-- name: put_compiled_file
-- Insert or replace a compiler's data on a file.
INSERT INTO compiled_files (document_key, org, content_hash, data)
VALUES (:document_key, :org, :content_hash, :data)
ON CONFLICT (document_key) DO UPDATE
SET content_hash = excluded.content_hash, data = excluded.data;

-- name: compiled_files_of
-- A compiler's data on files that have not changed since.
SELECT f.document_key, f.content_hash, f.data
FROM compiled_files f
JOIN documents d ON d.key = f.document_key AND d.content_hash = f.content_hash
WHERE f.org = :org AND f.document_key IN (SELECT value FROM json_each(:keys))
ORDER BY f.document_key;

-- name: symbols_of_documents
-- The symbols of some files, in order.
SELECT * FROM symbols
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys))
ORDER BY document_key, number;

-- name: symbols_by_keys
-- Symbols by their keys.
SELECT * FROM symbols
WHERE org = :org AND key IN (SELECT value FROM json_each(:keys));

-- name: symbols_named
-- Symbols of some resources with one of the names, ignoring case.
SELECT * FROM symbols
WHERE org = :org AND folded IN (SELECT value FROM json_each(:names))
  AND resource_key IN (SELECT value FROM json_each(:resource_keys))
ORDER BY resource_key, document_key, number
LIMIT :limit;

-- name: put_symbol
-- Insert or replace a symbol.
INSERT INTO symbols (key, org, document_key, resource_key, number, name, folded, path, kind,
                     exported, line, column_at, first_line, last_line, signature, doc)
VALUES (:key, :org, :document_key, :resource_key, :number, :name, :folded, :path, :kind,
        :exported, :line, :column_at, :first_line, :last_line, :signature, :doc)
ON CONFLICT (key) DO UPDATE
SET number = excluded.number, exported = excluded.exported, line = excluded.line,
    column_at = excluded.column_at, first_line = excluded.first_line,
    last_line = excluded.last_line, signature = excluded.signature, doc = excluded.doc;

-- name: remove_symbols
-- Delete symbols.
DELETE FROM symbols WHERE org = :org AND key IN (SELECT value FROM json_each(:keys));

-- name: release_edges
-- Remove the targets of edges to symbols that are deleted.
UPDATE edges SET target_key = NULL
WHERE org = :org AND target_key IN (SELECT value FROM json_each(:keys));

-- name: remove_edges
-- Delete the edges of a file.
DELETE FROM edges WHERE org = :org AND document_key = :document_key;

-- name: put_edge
-- Insert an edge.
INSERT INTO edges (document_key, ordinal, org, resource_key, source_key, name, "use", target_key,
                   "rank", resolution, confidence, lines)
VALUES (:document_key, :ordinal, :org, :resource_key, :source_key, :name, :use, :target_key,
        :rank, :resolution, :confidence, :lines);

-- name: edges_to
-- The edges to some symbols from files of some resources, most certain first.
SELECT * FROM edges
WHERE org = :org AND target_key IN (SELECT value FROM json_each(:keys))
  AND resource_key IN (SELECT value FROM json_each(:resource_keys))
ORDER BY "rank", confidence DESC, document_key, ordinal
LIMIT :limit;

-- name: edges_of_documents
-- All edges of some files, in order.
SELECT * FROM edges
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys))
ORDER BY document_key, ordinal;

-- name: documents_using
-- The files of some resources that use one of the names.
SELECT DISTINCT document_key FROM edges
WHERE org = :org AND name IN (SELECT value FROM json_each(:names))
  AND resource_key IN (SELECT value FROM json_each(:resource_keys))
ORDER BY document_key;

-- name: count_unlinked
-- The number of unresolved uses of a name in files of some resources.
SELECT coalesce(sum(json_array_length(lines)), 0) AS uses FROM edges
WHERE org = :org AND name = :name AND target_key IS NULL
  AND resource_key IN (SELECT value FROM json_each(:resource_keys));

-- name: edges_unlinked
-- The unresolved uses of a name in files of some resources, in order.
SELECT * FROM edges
WHERE org = :org AND name = :name AND target_key IS NULL
  AND resource_key IN (SELECT value FROM json_each(:resource_keys))
ORDER BY document_key, ordinal
LIMIT :limit;

-- name: unused_symbols
-- Symbols that only they themselves use, and whose name occurs in no unresolved use.
SELECT s.* FROM code_files f
JOIN symbols s ON s.document_key = f.document_key
WHERE f.org = :org AND s.org = :org AND f.resource_key IN (SELECT value FROM json_each(:resource_keys))
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
WHERE f.org = :org AND e.org = :org AND s.org = :org AND f.resource_key IN (SELECT value FROM json_each(:resource_keys))
  AND e."use" = 'import' AND e."rank" = 0 AND s.document_key <> e.document_key
ORDER BY e.document_key, e.ordinal
LIMIT :limit;

-- name: graph_coverage
-- Whether some resources have any symbol, and whether they have any edge.
SELECT EXISTS (
           SELECT 1 FROM code_files f JOIN symbols s ON s.document_key = f.document_key
           WHERE f.org = :org AND f.resource_key IN (SELECT value FROM json_each(:resource_keys))
       ) AS symbols,
       EXISTS (
           SELECT 1 FROM code_files f JOIN edges e ON e.document_key = f.document_key
           WHERE f.org = :org AND f.resource_key IN (SELECT value FROM json_each(:resource_keys))
       ) AS edges;
