-- name: list_models
-- Every model that has vectors or is about to, and what it is for.
SELECT model, state, since FROM models ORDER BY model;

-- name: put_model
-- Say what a model is for from now on.
INSERT INTO models (model, state, since) VALUES (:model, :state, :now)
ON CONFLICT (model) DO UPDATE SET state = excluded.state, since = excluded.since;

-- name: remove_model
-- Forget a model that has no vectors any more.
DELETE FROM models WHERE model = :model;

-- name: lacking_texts
-- What is to be embedded of chunks without vectors of a model, in key order.
SELECT c.key, c.text_hash, c.token_count, c.embedding_attempts,
       c.embedding_error, p.text, p.context
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE +c.org = :org AND c.key > :key
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_key = c.key AND v.model = :model)
ORDER BY c.key
LIMIT :limit;

-- name: same_text
-- Whether a chunk still has the text that was embedded.
SELECT c.key FROM chunks c WHERE c.org = :org AND c.key = :key AND c.text_hash = :text_hash;

-- name: remove_vectors_of
-- Drop the vectors that one model made of some chunks.
DELETE FROM vectors WHERE org = :org AND model = :model AND chunk_key IN (SELECT value FROM json_each(:keys));

-- name: chunk_keys_after
-- The org's own chunks in key order.
SELECT c.key FROM chunks c WHERE +c.org = :org AND c.key > :key ORDER BY c.key LIMIT :limit;

-- name: count_embedded_by
-- How many of the org's chunks have vectors of a model.
SELECT count(*) AS chunks FROM chunks c
WHERE c.org = :org
  AND EXISTS (SELECT 1 FROM vectors v WHERE v.chunk_key = c.key AND v.model = :model);
