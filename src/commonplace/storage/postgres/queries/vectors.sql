-- name: claim_embeddings
-- Lease due chunks to a worker: either never tried or tried before. The attempts are counted now.
UPDATE chunks
SET embedding_due = :lease_until, embedding_attempts = embedding_attempts + 1
WHERE /* held(chunks) */ AND org = :org AND key = ANY (ARRAY(
    SELECT key FROM chunks
    WHERE /* held(chunks) */ AND org = :org AND embedding_urgency BETWEEN :first AND :last AND embedding_due <= :now
      AND least(embedding_attempts, 1) = :tried
    ORDER BY embedding_urgency, embedding_due, key
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
RETURNING key;

-- name: pending_texts
-- The texts of claimed chunks.
SELECT c.key, c.owner_type, c.text_hash, c.token_count, c.embedding_attempts,
       c.embedding_error, c.embedding_urgency, c.owner_key, c.language, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.org = :org AND c.key = ANY (:keys::bigint[])
ORDER BY c.key;

-- name: texts_of_owner
-- The texts of an owner's chunks, with the models that embedded them.
SELECT c.key, c.text_hash, c.token_count, c.embedding_attempts, c.embedding_model, c.embedding_due,
       c.embedding_error, c.embedding_urgency, c.owner_key, c.language, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.org = :org AND c.owner_type = :owner_type AND c.owner_key = :owner_key
ORDER BY c.ordinal, c.key;

-- name: embedding_done
-- Mark a chunk as embedded, unless its text has changed or another model serves.
UPDATE chunks
SET embedding_model = :model, embedding_due = NULL, embedding_error = NULL,
    embedding_attempts = 0
WHERE /* held(chunks) */ AND org = :org AND key = :key AND text_hash = :text_hash
  AND NOT EXISTS (SELECT 1 FROM models m WHERE m.state = 'serving' AND m.model <> :model);

-- name: embedding_previewed
-- Mark a chunk as previewed but still waiting, unless its text has changed or another model serves.
UPDATE chunks
SET embedding_model = :model, embedding_due = :now, embedding_error = NULL,
    embedding_attempts = 0, embedding_urgency = :urgency
WHERE /* held(chunks) */ AND org = :org AND key = :key AND text_hash = :text_hash AND embedding_due IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM models m WHERE m.state = 'serving' AND m.model <> :model);

-- name: seek_embeddings
-- Move waiting chunks that a search wanted to the front of the queue.
UPDATE chunks SET embedding_urgency = 0
WHERE /* held(chunks) */ AND org = :org AND key = ANY (:keys::bigint[]) AND embedding_due IS NOT NULL AND embedding_urgency > 0;

-- name: insert_vector
-- Insert the vector of one window.
INSERT INTO vectors (part, org, shared, chunk_key, model, "window", vector)
SELECT c.part, c.org, c.visibility = 'network' OR c.org = 'system', c.key, :model, :window, :vector
FROM chunks c
WHERE /* held(c) */ AND c.org = :org AND c.key = :chunk_key;

-- name: vectors_of_chunk
-- All vectors of a chunk, to reinsert them when its readers change.
SELECT model, "window", vector::text AS vector FROM vectors
WHERE /* held(vectors) */ AND org = :org AND chunk_key = :chunk_key
ORDER BY "window";

-- name: embedded_twins
-- For each text, one chunk of another file that has the same text and is embedded.
SELECT c.text_hash, c.key, c.embedding_model, c.embedding_urgency
FROM unnest(:text_hashes::text[]) AS h (value)
JOIN chunks c ON c.key = (
    SELECT t.key FROM chunks t
    WHERE /* held(t) */ AND t.org = :org AND t.text_hash = h.value AND t.owner_type = 'document'
      AND t.embedding_model IS NOT NULL AND t.embedding_due IS NULL
    ORDER BY t.embedding_urgency = 2, t.key
    LIMIT 1)
WHERE /* held(c) */ AND c.org = :org;

-- name: postpone_embeddings
-- Return chunks to the queue until a time, as if they had never been claimed.
UPDATE chunks SET embedding_due = :due, embedding_attempts = greatest(embedding_attempts - 1, 0)
WHERE /* held(chunks) */ AND org = :org AND key = ANY (:keys::bigint[]) AND embedding_due IS NOT NULL;

-- name: embedding_failed
-- Record a failed attempt; without a time, the chunk is given up.
UPDATE chunks
SET embedding_due = :due, embedding_error = :error
WHERE /* held(chunks) */ AND org = :org AND key = :key AND text_hash = :text_hash AND embedding_due IS NOT NULL;

-- name: retry_failed_embeddings
-- Queue again the chunks that were given up.
UPDATE chunks
SET embedding_due = :now, embedding_error = NULL, embedding_attempts = 0
WHERE /* held(chunks) */ AND org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL;

-- name: reopen_embeddings
-- Queue some chunks that have vectors of another model.
UPDATE chunks
SET embedding_model = NULL, embedding_due = :now, embedding_urgency = 1
WHERE /* held(chunks) */ AND org = :org AND key = ANY (:keys::bigint[]) AND embedding_model <> :model;

-- name: remove_previews
-- Delete the previews of chunks whose model no longer serves, so that nobody takes them for final.
DELETE FROM vectors
WHERE /* held(vectors) */ AND org = :org AND chunk_key = ANY (:keys::bigint[])
  AND EXISTS (SELECT 1 FROM chunks c
              WHERE /* held(c) */ AND c.key = vectors.chunk_key AND c.embedding_due IS NOT NULL
                AND c.embedding_model = vectors.model AND c.embedding_model <> :model);

-- name: vectors_of_chunks
-- Vectors of some readable chunks, for exact comparison.
SELECT v.chunk_key, v.vector
FROM vectors v
JOIN chunks c ON c.key = v.chunk_key AND /* held(c) */
WHERE /* held(v) */ AND v.chunk_key = ANY (:keys::bigint[]) AND v.model = :model
  AND /* readable(c) */
ORDER BY v.chunk_key, v."window";

-- name: spread_vectors
-- For each document, one vector each of some chunks spread evenly across it.
SELECT c.owner_key, v.vector
FROM (
    SELECT owner_key, (count(*) + :most - 1) / :most AS step
    FROM chunks
    WHERE /* held(chunks) */ AND org = :org AND owner_type = 'document' AND owner_key = ANY (:documents::bigint[])
    GROUP BY owner_key) AS file
JOIN chunks c ON /* held(c) */ AND c.org = :org AND c.owner_type = 'document' AND c.owner_key = file.owner_key
JOIN vectors v ON /* held(v) */ AND v.chunk_key = c.key AND v.model = :model AND v."window" = 0
WHERE c.ordinal % file.step = 0
  AND /* readable(c) */
ORDER BY c.owner_key, c.ordinal;

-- name: open_nearest
-- Set the search width of the vector index for this transaction, by how much it holds, and count the candidates up to a limit.
-- only here: SQLite vectors are compared outside the database.
SELECT set_config('hnsw.ef_search', least(greatest(:width::bigint, held.vectors / :one_in::bigint), :widest::bigint)::text, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       least(
           readable_vectors(:model, :most::bigint),
           CASE WHEN :tags::text[] IS NOT NULL THEN
               (SELECT count(*) FROM (SELECT tagged_chunks(:tags) LIMIT :most) AS tagged)
           END) AS vectors
FROM (SELECT coalesce(sum(greatest(k.vectors, 0)), 0)::bigint AS vectors
      FROM (SELECT c.reltuples AS vectors, substring(c.relname FROM '\d+$')::integer AS part
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'commonplace.vectors'::regclass) AS k
      WHERE /* held(k) */) AS held;

-- name: nearest_vectors
-- The nearest vectors by the model's index, in approximate order; the caller checks what may be read.
-- only here: SQLite has no vector index. 384 stands for the model's dimension.
SELECT v.chunk_key AS key, 1 - (v.vector::halfvec(384) <=> :vector::halfvec(384)) AS cosine
FROM vectors v
WHERE /* held(v) */ AND v.model = :model AND (v.org = :org OR v.shared)
ORDER BY v.vector::halfvec(384) <=> :vector::halfvec(384)
LIMIT :limit;

-- name: nearest_among
-- The nearest of some chunks, each by its best window; the caller checks what may be read.
-- only here: SQLite vectors are compared outside the database.
SELECT v.chunk_key AS key, 1 - min(v.vector <=> :vector::halfvec) AS cosine
FROM vectors v
WHERE /* held(v) */ AND v.chunk_key = ANY (:keys::bigint[]) AND v.model = :model
  AND (v.org = :org OR v.shared)
GROUP BY v.chunk_key
ORDER BY cosine DESC, v.chunk_key
LIMIT :limit;

-- name: nearest_passing
-- The nearest vectors that pass a filter, by the model's index, in approximate order.
-- only here: SQLite has no vector index. 384 stands for the model's dimension.
SELECT v.chunk_key AS key, 1 - (v.vector::halfvec(384) <=> :vector::halfvec(384)) AS cosine
FROM vectors v
JOIN chunks c ON c.key = v.chunk_key AND /* held(c) */
WHERE /* held(v) */ AND v.model = :model
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY v.vector::halfvec(384) <=> :vector::halfvec(384)
LIMIT :limit;

-- name: nearest_exactly
-- The nearest chunks that pass a filter, by their best windows, compared exactly.
-- only here: SQLite vectors are compared outside the database.
SELECT c.key, 1 - min(v.vector <=> :vector::halfvec) AS cosine
FROM chunks c
JOIN vectors v ON /* held(v) */ AND v.chunk_key = c.key AND v.model = :model
WHERE /* held(c) */
  AND /* readable(c) */
  AND /* tagged_chunk(c) */
  AND /* wanted_chunk(c) */
GROUP BY c.key
ORDER BY cosine DESC, c.key
LIMIT :limit;

-- name: ensure_vector_index
-- Create the index of a model's vectors, unless it exists.
-- only here: SQLite has no vector index.
SELECT ensure_vector_index(:model, :dimension::integer) AS made;

-- name: announce_work
-- Notify the workers of all processes when the transaction commits.
-- only here: processes on one SQLite file poll it.
SELECT pg_notify('commonplace_work', '');

-- name: count_vector_indexes
-- The number of models with a usable vector index.
-- only here: SQLite has no vector index.
SELECT count(*) AS indexes
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'commonplace'::regnamespace
  AND c.relname LIKE 'vectors\_of\_%' AND i.indisvalid;

-- name: bring_chunks_forward
-- Make chunks due that wait for a time beyond all plans, because the clock was set back since.
UPDATE chunks SET embedding_due = :now WHERE /* held(chunks) */ AND org = :org AND embedding_due > :latest;

-- name: adopt_embeddings
-- Mark chunks as embedded for which the model already has vectors.
UPDATE chunks
SET embedding_model = :model, embedding_due = NULL, embedding_error = NULL, embedding_attempts = 0
WHERE /* held(chunks) */ AND org = :org AND key = ANY (:keys::bigint[])
  AND EXISTS (SELECT 1 FROM vectors v WHERE /* held(v) */ AND v.chunk_key = chunks.key AND v.model = :model);

-- name: embedded_otherwise
-- Chunks whose vectors are of another model.
SELECT key FROM chunks
WHERE /* held(chunks) */ AND org = :org AND embedding_model IS NOT NULL AND embedding_model <> :model
ORDER BY key
LIMIT :limit;
