-- name: list_models
-- The models that have or will have vectors, with their states.
SELECT model, state, since FROM models ORDER BY model;

-- name: put_model
-- Set the state of a model.
INSERT INTO models (model, state, since) VALUES (:model, :state, :now)
ON CONFLICT (model) DO UPDATE SET state = excluded.state, since = excluded.since;

-- name: remove_model
-- Delete a model that has no vectors.
DELETE FROM models WHERE model = :model;

-- name: lacking_texts
-- The texts of chunks without vectors of a model, in key order.
SELECT c.key, c.text_hash, c.token_count, coalesce(a.attempts, 0) AS embedding_attempts,
       c.embedding_error, c.embedding_urgency, c.owner_key, c.language, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
LEFT JOIN reembedding_attempts a ON a.org = :org AND a.chunk_key = c.key AND a.model = :model
WHERE +c.org = :org AND c.key > :key
  AND c.embedding_urgency <> 9
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_key = c.key AND v.model = :model)
ORDER BY c.key
LIMIT :limit;

-- name: same_text
-- Whether a chunk still has the text that was embedded.
SELECT c.key FROM chunks c WHERE c.org = :org AND c.key = :key AND c.text_hash = :text_hash;

-- name: remove_vectors_of
-- Delete one model's vectors of some chunks.
DELETE FROM vectors WHERE org = :org AND model = :model AND chunk_key IN (SELECT value FROM json_each(:keys));

-- name: chunk_keys_after
-- The org's own chunks in key order.
SELECT c.key FROM chunks c WHERE +c.org = :org AND c.key > :key ORDER BY c.key LIMIT :limit;

-- name: count_embedded_by
-- The number of the org's chunks that have vectors of a model.
SELECT count(*) AS chunks FROM chunks c
WHERE c.org = :org
  AND EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_key = c.key AND v.model = :model);

-- name: begin_reembedding
-- Count an attempt before it starts, because it may crash the worker.
INSERT INTO reembedding_attempts (org, chunk_key, model, attempts)
SELECT c.org, c.key, :model, 1 FROM chunks c WHERE +c.org = :org AND c.key IN (SELECT value FROM json_each(:keys))
ON CONFLICT (org, model, chunk_key) DO UPDATE SET attempts = reembedding_attempts.attempts + 1;

-- name: take_back_reembedding
-- Uncount attempts that did not take place.
UPDATE reembedding_attempts SET attempts = attempts - 1
WHERE org = :org AND model = :model AND chunk_key IN (SELECT value FROM json_each(:keys));

-- name: end_reembedding
-- Delete the attempts of chunks whose last attempt has ended.
DELETE FROM reembedding_attempts WHERE org = :org AND model = :model AND chunk_key IN (SELECT value FROM json_each(:keys));

-- name: forget_reembedding
-- Delete all attempts with a model.
DELETE FROM reembedding_attempts WHERE org = :org AND model = :model;

-- name: count_deadly
-- The number of chunks with at least so many attempts with a model that never ended.
SELECT count(*) AS chunks FROM reembedding_attempts
WHERE org = :org AND model = :model AND attempts >= :least;
