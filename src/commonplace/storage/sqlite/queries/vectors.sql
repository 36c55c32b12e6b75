-- name: claim_embeddings
-- Lease due chunks to a worker: either never tried or tried before. The attempts are counted now.
UPDATE chunks
SET embedding_due = :lease_until, embedding_attempts = embedding_attempts + 1
WHERE +org = :org AND key IN (
    SELECT key FROM chunks
    WHERE org = :org AND embedding_urgency BETWEEN :first AND :last AND embedding_due <= :now
      AND min(embedding_attempts, 1) = :tried
    ORDER BY embedding_urgency, embedding_due, key
    LIMIT :limit)
RETURNING key;

-- name: pending_texts
-- The texts of claimed chunks.
SELECT c.key, c.owner_type, c.text_hash, c.token_count, c.embedding_attempts,
       c.embedding_error, c.embedding_urgency, c.owner_key, c.language, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE +c.org = :org AND c.key IN (SELECT value FROM json_each(:keys))
ORDER BY c.key;

-- name: texts_of_owner
-- The texts of an owner's chunks, with the models that embedded them.
SELECT c.key, c.text_hash, c.token_count, c.embedding_attempts, c.embedding_model, c.embedding_due,
       c.embedding_error, c.embedding_urgency, c.owner_key, c.language, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE c.org = :org AND c.owner_type = :owner_type AND c.owner_key = :owner_key
ORDER BY c.ordinal, c.key;

-- name: embedding_done
-- Mark a chunk as embedded, unless its text has changed or another model serves.
UPDATE chunks
SET embedding_model = :model, embedding_due = NULL, embedding_error = NULL,
    embedding_attempts = 0
WHERE org = :org AND key = :key AND text_hash = :text_hash
  AND NOT EXISTS (SELECT 1 FROM models m WHERE m.state = 'serving' AND m.model <> :model);

-- name: embedding_previewed
-- Mark a chunk as previewed but still waiting, unless its text has changed or another model serves.
UPDATE chunks
SET embedding_model = :model, embedding_due = :now, embedding_error = NULL,
    embedding_attempts = 0, embedding_urgency = :urgency
WHERE org = :org AND key = :key AND text_hash = :text_hash AND embedding_due IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM models m WHERE m.state = 'serving' AND m.model <> :model);

-- name: seek_embeddings
-- Move waiting chunks that a search wanted to the front of the queue.
UPDATE chunks SET embedding_urgency = 0
WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys)) AND embedding_due IS NOT NULL AND embedding_urgency > 0;

-- name: insert_vector
-- Insert the vector of one window.
INSERT INTO vectors (org, chunk_key, model, window, vector)
VALUES (:org, :chunk_key, :model, :window, :vector);

-- name: vectors_of_chunk
-- All vectors of a chunk, to reinsert them when its readers change.
SELECT model, window, vector FROM vectors
WHERE org = :org AND chunk_key = :chunk_key
ORDER BY window;

-- name: embedded_twins
-- For each text, one chunk of another file that has the same text and is embedded.
SELECT c.text_hash, c.key, c.embedding_model, c.embedding_urgency
FROM json_each(:text_hashes) h
JOIN chunks c ON c.key = (
    SELECT t.key FROM chunks t INDEXED BY chunks_sample
    WHERE t.org = :org AND t.text_hash = h.value AND t.owner_type = 'document'
      AND t.embedding_model IS NOT NULL AND t.embedding_due IS NULL
    ORDER BY t.embedding_urgency = 2, t.key
    LIMIT 1)
WHERE +c.org = :org;

-- name: postpone_embeddings
-- Return chunks to the queue until a time, as if they had never been claimed.
UPDATE chunks SET embedding_due = :due, embedding_attempts = max(embedding_attempts - 1, 0)
WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys)) AND embedding_due IS NOT NULL;

-- name: embedding_failed
-- Record a failed attempt; without a time, the chunk is given up.
UPDATE chunks
SET embedding_due = :due, embedding_error = :error
WHERE org = :org AND key = :key AND text_hash = :text_hash AND embedding_due IS NOT NULL;

-- name: retry_failed_embeddings
-- Queue again the chunks that were given up.
UPDATE chunks
SET embedding_due = :now, embedding_error = NULL, embedding_attempts = 0
WHERE org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL;

-- name: reopen_embeddings
-- Queue some chunks that have vectors of another model.
UPDATE chunks
SET embedding_model = NULL, embedding_due = :now, embedding_urgency = 1
WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys)) AND embedding_model <> :model;

-- name: remove_previews
-- Delete the previews of chunks whose model no longer serves, so that nobody takes them for final.
DELETE FROM vectors
WHERE +org = :org AND chunk_key IN (SELECT value FROM json_each(:keys))
  AND EXISTS (SELECT 1 FROM chunks c
              WHERE c.key = vectors.chunk_key AND c.embedding_due IS NOT NULL
                AND c.embedding_model = vectors.model AND c.embedding_model <> :model);

-- name: vectors_of_chunks
-- Vectors of some readable chunks, for exact comparison.
SELECT v.chunk_key, v.vector
FROM vectors v
JOIN chunks c ON c.key = v.chunk_key
WHERE v.chunk_key IN (SELECT value FROM json_each(:keys)) AND v.model = :model
  AND /* readable(c) */
ORDER BY v.chunk_key, v.window;

-- name: spread_vectors
-- For each document, one vector each of some chunks spread evenly across it.
-- `CROSS` fixes the join order; SQLite would otherwise scan all chunks of the org.
SELECT c.owner_key, v.vector
FROM (
    SELECT owner_key, (count(*) + :most - 1) / :most AS step
    FROM chunks
    WHERE org = :org AND owner_type = 'document' AND owner_key IN (SELECT value FROM json_each(:documents))
    GROUP BY owner_key) AS file
CROSS JOIN chunks c ON c.org = :org AND c.owner_type = 'document' AND c.owner_key = file.owner_key
CROSS JOIN vectors v ON v.chunk_key = c.key AND v.model = :model AND v.window = 0
WHERE c.ordinal % file.step = 0
  AND /* readable(c) */
ORDER BY c.owner_key, c.ordinal;

-- name: vector_feed
-- Readable vectors in order of insertion.
-- only here: PostgreSQL has a vector index.
-- only here: the vector index is in memory and follows this feed.
SELECT v.key, v.chunk_key, v.vector
FROM vectors v
JOIN chunks c ON c.key = v.chunk_key
WHERE v.key > :after AND v.model = :model
  AND (c.org = :org OR (:network AND c.visibility = 'network') OR c.org = 'system')
ORDER BY v.key
LIMIT :limit;

-- name: stored_vectors
-- Some readable vectors by their keys.
-- only here: PostgreSQL has a vector index.
-- only here: identifies what a graph file was built from.
SELECT v.key, v.chunk_key, v.vector
FROM vectors v
JOIN chunks c ON c.key = v.chunk_key
WHERE v.key IN (SELECT value FROM json_each(:keys)) AND v.model = :model
  AND (c.org = :org OR (:network AND c.visibility = 'network') OR c.org = 'system')
ORDER BY v.key;

-- name: count_vectors
-- The number of readable vectors inserted after a key, counted up to a limit.
-- only here: PostgreSQL has a vector index.
-- only here: decides whether a graph file is worth building.
SELECT count(*) AS vectors FROM (
    SELECT 1
    FROM vectors v
    JOIN chunks c ON c.key = v.chunk_key
    WHERE v.key > :after AND v.model = :model
      AND (c.org = :org OR (:network AND c.visibility = 'network') OR c.org = 'system')
    LIMIT :most);

-- name: last_vector
-- The newest key of any vector; no content, so not bound to a tenant.
-- only here: PostgreSQL has a vector index.
-- only here: a cheap way to see how much has changed.
SELECT seq AS key FROM sqlite_sequence WHERE name = 'vectors';

-- name: removed_vectors
-- Vectors deleted since a number, in order; keys without content, so not bound to a tenant.
-- only here: PostgreSQL has a vector index.
-- only here: the vector index is in memory and follows this feed.
SELECT sequence, vector_key FROM vector_removals
WHERE sequence > :after
ORDER BY sequence;

-- name: last_removal
-- The latest number in the record of deletions.
-- only here: PostgreSQL has a vector index.
-- only here: the vector index is in memory and follows this feed.
SELECT coalesce(max(sequence), 0) AS sequence FROM vector_removals;

-- name: bring_chunks_forward
-- Make chunks due that wait for a time beyond all plans, because the clock was set back since.
UPDATE chunks SET embedding_due = :now WHERE org = :org AND embedding_due > :latest;

-- name: adopt_embeddings
-- Mark chunks as embedded for which the model already has vectors.
UPDATE chunks
SET embedding_model = :model, embedding_due = NULL, embedding_error = NULL, embedding_attempts = 0
WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys))
  AND EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_key = chunks.key AND v.model = :model);

-- name: embedded_otherwise
-- Chunks whose vectors are of another model.
SELECT key FROM chunks
WHERE org = :org AND embedding_model IS NOT NULL AND embedding_model <> :model
ORDER BY key
LIMIT :limit;
