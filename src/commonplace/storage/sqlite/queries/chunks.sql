-- name: chunks_of_owner
-- The stored chunks of an owner, to compare with the new ones.
SELECT * FROM chunks
WHERE org = :org AND owner_type = :owner_type AND owner_key = :owner_key
ORDER BY ordinal, key;

-- name: insert_chunk
-- Insert a chunk that waits for its embedding.
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, category, domain,
                    confidence, agent, visibility,
                    workspace, space, project, resource_key, tags, superseded, expires_at, trust, language, path,
                    symbol_kind, symbol_path, char_start, char_end, line_start, line_end, page,
                    token_count, text_hash, embedding_due, embedding_urgency)
VALUES (:org, :owner_type, :owner_key, :ordinal, :kind, :category, :domain,
        :confidence, :agent, :visibility,
        :workspace, :space, :project, :resource_key, :tags, :superseded, :expires_at, :trust, :language, :path,
        :symbol_kind, :symbol_path, :char_start, :char_end, :line_start, :line_end, :page,
        :token_count, :text_hash, CASE WHEN :urgency = 9 THEN NULL ELSE :now END, :urgency)
RETURNING key;

-- name: insert_passage
-- Insert a chunk's text and tokens.
-- only here: FTS5 stores the tokens in columns.
INSERT INTO passages (chunk_key, org, text, context, headings, terms, context_terms, tokens)
VALUES (:chunk_key, :org, :text, :context, :headings, :terms, :context_terms,
        packed(:words, :title_grams, :scope, :text));

-- name: keep_chunk
-- Update the metadata and position of a chunk whose text is unchanged.
UPDATE chunks
SET ordinal = :ordinal, kind = :kind, category = :category, domain = :domain,
    confidence = :confidence, agent = :agent,
    visibility = :visibility, workspace = :workspace, space = :space, project = :project,
    resource_key = :resource_key, tags = :tags,
    superseded = :superseded, expires_at = :expires_at, trust = :trust, language = :language,
    path = :path, symbol_kind = :symbol_kind, symbol_path = :symbol_path,
    char_start = :char_start, char_end = :char_end, line_start = :line_start,
    line_end = :line_end, page = :page
WHERE org = :org AND key = :key;

-- name: reindex_passage
-- Reindex a chunk of unchanged text under another context, scope or name.
-- only here: FTS5 stores the tokens in columns.
UPDATE passages
SET context = :context, headings = :headings, terms = :terms, context_terms = :context_terms,
    tokens = packed(:words, :title_grams, :scope, text)
WHERE org = :org AND chunk_key = :chunk_key;

-- name: outdate_chunk
-- Let a chunk of unchanged text wait for vectors in another context; until then it has its old ones.
UPDATE chunks
SET text_hash = :text_hash, token_count = :token_count, embedding_urgency = :urgency,
    embedding_due = CASE WHEN :urgency = 9 THEN NULL ELSE :now END,
    embedding_model = CASE WHEN :urgency = 9 THEN NULL ELSE embedding_model END,
    embedding_error = NULL, embedding_attempts = 0
WHERE org = :org AND key = :key;

-- name: remove_unused_vectors
-- Delete the vectors of chunks that are not of the model which the chunk names.
DELETE FROM vectors
WHERE +org = :org AND chunk_key IN (SELECT value FROM json_each(:keys))
  AND NOT EXISTS (SELECT 1 FROM chunks c
                  WHERE c.key = vectors.chunk_key AND c.embedding_model = vectors.model);

-- name: remove_chunks
-- Delete chunks with their texts and vectors.
DELETE FROM chunks WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys));

-- name: chunk_terms
-- What scoring reads of chunks that pass a filter.
SELECT c.key, c.owner_type, c.owner_key, c.workspace, c.space, c.resource_key, c.path, c.kind,
       c.category, p.terms, p.context_terms
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: chunk_owners
-- The columns of `chunk_terms` without the terms.
SELECT c.key, c.owner_type, c.owner_key, c.workspace, c.space, c.resource_key, c.path, c.kind,
       c.category
FROM chunks c
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: chunk_words
-- The exact words of chunks.
SELECT c.key, p.words
FROM chunks c
JOIN passage_tokens p ON p.chunk_key = c.key
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND /* readable(c) */
ORDER BY c.key;

-- name: fetch_chunks
-- Chunks with their texts, where they pass a filter.
SELECT c.*, p.text, p.context, p.headings
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: has_strangers
-- Whether the file contains orgs whose content the org may not read.
-- only here: an embedded file usually has one org, and then the match needs no tenant.
SELECT EXISTS (SELECT 1 FROM orgs WHERE org NOT IN (:org, 'system')) AS found;

-- name: lexical_best
-- The best matches by the store's ranking, before the filters that the text index cannot apply.
-- only here: the match is one FTS5 expression.
SELECT rowid AS key
FROM passages_fts
WHERE passages_fts MATCH :match AND rank MATCH 'bm25(0.0, 2.0, 1.0, 1.0, 0.0)'
  AND :org IS NOT NULL
ORDER BY rank
LIMIT :limit;

-- name: lexical_filtered
-- The best matches by the store's ranking among chunks that pass a filter.
-- only here: the match is one FTS5 expression.
SELECT c.key
FROM passages_fts
JOIN chunks c ON c.key = passages_fts.rowid
WHERE passages_fts MATCH :match
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY bm25(passages_fts, 0.0, 2.0, 1.0, 1.0, 0.0), c.key
LIMIT :limit;

-- name: passing_keys
-- The keys that pass a filter, without reading texts.
SELECT c.key
FROM chunks c
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND /* readable(c) */
  AND /* wanted_chunk(c) */;

-- name: wanted_keys
-- All chunks that pass a filter: the candidates of an exact search under a selective filter.
-- only here: PostgreSQL compares vectors in SQL.
-- only here: PostgreSQL filters while comparing vectors.
SELECT c.key
FROM chunks c
WHERE c.org = :org
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
UNION ALL
SELECT c.key
FROM chunks c INDEXED BY chunks_shared
WHERE +c.org <> :org AND (c.visibility = 'network' OR c.org = 'system')
  AND /* readable(c) */
  AND /* wanted_chunk(c) */;

-- name: wanted_tagged_keys
-- All chunks that pass a filter with tags, by way of the text index.
-- only here: PostgreSQL compares vectors in SQL.
SELECT c.key
FROM passages_fts
JOIN chunks c ON c.key = passages_fts.rowid
WHERE passages_fts MATCH :match
  AND /* readable(c) */
  AND /* wanted_chunk(c) */;

-- name: owner_states
-- The embedding states of an owner's chunks.
SELECT count(*) AS total,
       coalesce(sum(embedding_due IS NOT NULL AND embedding_model IS NULL), 0) AS pending,
       coalesce(sum(embedding_due IS NOT NULL AND embedding_model IS NOT NULL), 0) AS previewed,
       coalesce(sum(embedding_due IS NULL AND embedding_error IS NOT NULL), 0) AS failed,
       coalesce(sum(embedding_urgency = 9), 0) AS left_out
FROM chunks
WHERE org = :org AND owner_type = :owner_type AND owner_key = :owner_key;

-- name: chunk_counts
-- The org's chunks by embedding state. Bulk text with a preview waits at a later urgency, so the others are outdated.
SELECT (SELECT count(*) FROM chunks WHERE org = :org) AS total,
       (SELECT count(*) FROM chunks
        WHERE org = :org AND embedding_due IS NOT NULL AND embedding_model IS NULL) AS pending,
       (SELECT count(*) FROM chunks
        WHERE org = :org AND embedding_due IS NOT NULL AND embedding_model IS NOT NULL) AS previewed,
       (SELECT count(*) FROM chunks
        WHERE org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL) AS failed,
       (SELECT count(*) FROM chunks WHERE org = :org AND embedding_urgency = 9) AS left_out,
       (SELECT count(*) FROM chunks
        WHERE org = :org AND embedding_urgency IN (1, 2) AND embedding_due IS NOT NULL
          AND embedding_model IS NOT NULL) AS outdated;

-- name: any_unembedded
-- Whether any chunk waits for its embedding or was given up.
SELECT EXISTS (SELECT 1 FROM chunks c
               WHERE c.org = :org AND c.embedding_due IS NOT NULL)
    OR EXISTS (SELECT 1 FROM chunks c
               WHERE c.org = :org AND c.embedding_error IS NOT NULL AND c.embedding_due IS NULL) AS found;

-- name: count_unembedded
-- Chunks that pass a filter without an embedding, with a preview only, or given up; each counted up to a limit.
SELECT (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE c.org = :org AND c.embedding_due IS NOT NULL AND c.embedding_model IS NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS waiting) AS pending,
       (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE c.org = :org AND c.embedding_due IS NOT NULL AND c.embedding_model IS NOT NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS shown) AS previewed,
       (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE c.org = :org AND c.embedding_error IS NOT NULL AND c.embedding_due IS NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS failed) AS failed;

-- name: sample_terms
-- The terms of an even sample of the chunks that everybody in the org may read, chosen by hash.
SELECT p.terms, p.context_terms
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE c.org = :org AND c.visibility <> 'private'
ORDER BY c.text_hash, c.key
LIMIT :limit;

-- name: failed_chunks
-- Chunks whose embedding was given up.
SELECT owner_type, owner_key, embedding_error FROM chunks
WHERE org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL
ORDER BY key
LIMIT :limit;

-- name: page_of_chunks
-- The chunks of an owner, in text order.
SELECT c.*, p.text, p.context, p.headings
FROM chunks c
JOIN passages p ON p.chunk_key = c.key
WHERE c.org IN (:org, 'system') AND c.owner_type = :owner_type AND c.owner_key = :owner_key
ORDER BY c.ordinal, c.key
LIMIT :limit OFFSET :offset;

-- name: remove_vectors
-- Delete all vectors of a chunk.
DELETE FROM vectors WHERE org = :org AND chunk_key = :chunk_key;

-- name: chunks_around
-- For chunks of short entries, the short ones that the same author wrote right before and after.
-- An index range ends at a moment, so entries of the same moment are found by their keys, apart from the others.
SELECT c.key, n.key AS other, (o.created_at, o.key) < (e.created_at, e.key) AS before
FROM chunks c
JOIN entries e ON e.key = c.owner_key AND e.org = c.org
JOIN entries o ON o.key IN (
    SELECT key FROM (
        SELECT created_at, key FROM (
            SELECT b.created_at, b.key FROM entries b
            WHERE b.org = e.org AND b.deleted_at IS NULL AND b.kind = e.kind AND b.agent = e.agent
              AND b.visibility = e.visibility
              AND coalesce(b.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(b.project, '') = coalesce(e.project, '')
              AND b.created_at = e.created_at AND b.key < e.key
            ORDER BY b.key DESC LIMIT :steps
        ) UNION ALL SELECT created_at, key FROM (
            SELECT b.created_at, b.key FROM entries b
            WHERE b.org = e.org AND b.deleted_at IS NULL AND b.kind = e.kind AND b.agent = e.agent
              AND b.visibility = e.visibility
              AND coalesce(b.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(b.project, '') = coalesce(e.project, '')
              AND b.created_at >= e.created_at - :span AND b.created_at < e.created_at
            ORDER BY b.created_at DESC, b.key DESC LIMIT :steps
        ) ORDER BY created_at DESC, key DESC LIMIT :steps
    ) UNION ALL SELECT key FROM (
        SELECT created_at, key FROM (
            SELECT a.created_at, a.key FROM entries a
            WHERE a.org = e.org AND a.deleted_at IS NULL AND a.kind = e.kind AND a.agent = e.agent
              AND a.visibility = e.visibility
              AND coalesce(a.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(a.project, '') = coalesce(e.project, '')
              AND a.created_at = e.created_at AND a.key > e.key
            ORDER BY a.key LIMIT :steps
        ) UNION ALL SELECT created_at, key FROM (
            SELECT a.created_at, a.key FROM entries a
            WHERE a.org = e.org AND a.deleted_at IS NULL AND a.kind = e.kind AND a.agent = e.agent
              AND a.visibility = e.visibility
              AND coalesce(a.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(a.project, '') = coalesce(e.project, '')
              AND a.created_at <= e.created_at + :span AND a.created_at > e.created_at
            ORDER BY a.created_at, a.key LIMIT :steps
        ) ORDER BY created_at, key LIMIT :steps
    ))
JOIN chunks n ON n.org = o.org AND n.owner_type = 'entry' AND n.owner_key = o.key AND n.ordinal = 0
WHERE c.key IN (SELECT value FROM json_each(:keys))
  AND c.owner_type = 'entry' AND c.ordinal = 0 AND c.token_count <= :tokens AND n.token_count <= :tokens
  AND /* readable(c) */
ORDER BY c.key, o.created_at, o.key;
