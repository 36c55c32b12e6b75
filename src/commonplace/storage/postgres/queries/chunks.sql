-- name: chunks_of_owner
-- The stored chunks of an owner, to compare with the new ones.
SELECT * FROM chunks
WHERE /* held(chunks) */ AND org = :org AND owner_type = :owner_type AND owner_key = :owner_key
ORDER BY ordinal, key;

-- name: insert_chunk
-- Insert a chunk that waits for its embedding.
INSERT INTO chunks (part, org, owner_type, owner_key, ordinal, kind, category, domain,
                    confidence, agent, visibility,
                    workspace, space, project, resource_key, tags, superseded, expires_at, trust, language, path,
                    symbol_kind, symbol_path, char_start, char_end, line_start, line_end, page,
                    token_count, text_hash, embedding_due, embedding_urgency)
VALUES (:part, :org, :owner_type, :owner_key, :ordinal, :kind, :category, :domain,
        :confidence, :agent, :visibility,
        :workspace, :space, :project, :resource_key, :tags, :superseded, :expires_at, :trust, :language, :path,
        :symbol_kind, :symbol_path, :char_start, :char_end, :line_start, :line_end, :page,
        :token_count, :text_hash, CASE WHEN :urgency::bigint = 9 THEN NULL ELSE :now::bigint END, :urgency)
RETURNING key;

-- name: insert_passage
-- Insert a chunk's text and tokens.
-- only here: PostgreSQL stores the tokens in one tsvector.
INSERT INTO passages (part, chunk_key, org, shared, text, context, headings, terms, context_terms,
                      words, search)
SELECT c.part, c.key, c.org, c.visibility = 'network' OR c.org = 'system', :text, :context,
       :headings::text[], :terms, :context_terms, :words, :search::tsvector
FROM chunks c
WHERE /* held(c) */ AND c.org = :org AND c.key = :chunk_key;

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
WHERE /* held(chunks) */ AND org = :org AND key = :key;

-- name: reindex_passage
-- Reindex a chunk of unchanged text under another context, scope or name.
-- only here: PostgreSQL stores the tokens in one tsvector.
UPDATE passages p
SET context = :context, headings = :headings::text[], terms = :terms, context_terms = :context_terms,
    words = :words, search = :search::tsvector, shared = c.visibility = 'network' OR c.org = 'system'
FROM chunks c
WHERE /* held(c) */ AND /* held(p) */
  AND c.key = p.chunk_key AND p.org = :org AND p.chunk_key = :chunk_key;

-- name: outdate_chunk
-- Let a chunk of unchanged text wait for vectors in another context; until then it has its old ones.
UPDATE chunks
SET text_hash = :text_hash, token_count = :token_count, embedding_urgency = :urgency,
    embedding_due = CASE WHEN :urgency::bigint = 9 THEN NULL ELSE :now::bigint END,
    embedding_model = CASE WHEN :urgency::bigint = 9 THEN NULL ELSE embedding_model END,
    embedding_error = NULL, embedding_attempts = 0
WHERE /* held(chunks) */ AND org = :org AND key = :key;

-- name: remove_unused_vectors
-- Delete the vectors of chunks that are not of the model which the chunk names.
DELETE FROM vectors
WHERE /* held(vectors) */ AND org = :org AND chunk_key = ANY (:keys::bigint[])
  AND NOT EXISTS (SELECT 1 FROM chunks c
                  WHERE /* held(c) */ AND c.key = vectors.chunk_key AND c.embedding_model = vectors.model);

-- name: remove_chunks
-- Delete chunks with their texts and vectors.
DELETE FROM chunks WHERE /* held(chunks) */ AND org = :org AND key = ANY (:keys::bigint[]);

-- name: chunk_terms
-- What scoring reads of chunks that pass a filter.
SELECT c.key, c.owner_type, c.owner_key, c.workspace, c.space, c.resource_key, c.path, c.kind,
       c.category, p.terms, p.context_terms
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: chunk_owners
-- The columns of `chunk_terms` without the terms.
SELECT c.key, c.owner_type, c.owner_key, c.workspace, c.space, c.resource_key, c.path, c.kind,
       c.category
FROM chunks c
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: chunk_words
-- The exact words of chunks.
SELECT c.key, p.words
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND /* readable(c) */
ORDER BY c.key;

-- name: fetch_chunks
-- Chunks with their texts, where they pass a filter.
SELECT c.*, p.text, p.context, p.headings
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND /* readable(c) */
  AND /* wanted_chunk(c) */
ORDER BY c.key;

-- name: lexical_best
-- The best matches by the store's ranking, before the filters that the text index cannot apply.
-- only here: a match consists of what to rank by and a scope.
SELECT m.chunk_key AS key
FROM matching_passages(:matches::text[], :scope, :limit, NULL) m
WHERE :org::text IS NOT NULL
ORDER BY m.rank DESC, m.chunk_key;

-- name: lexical_filtered
-- The best matches by the store's ranking among chunks that pass a filter.
-- only here: a match consists of what to rank by and a scope.
SELECT m.chunk_key AS key
FROM matching_passages(:matches::text[], :scope, :limit, ARRAY(
    SELECT c.key
    FROM chunks c
    WHERE /* held(c) */
      AND /* readable(c) */
      AND /* tagged_chunk(c) */
      AND /* wanted_chunk(c) */)) m
ORDER BY m.rank DESC, m.chunk_key;

-- name: passing_keys
-- The keys that pass a filter, without reading texts.
SELECT c.key
FROM chunks c
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND /* readable(c) */
  AND /* wanted_chunk(c) */;

-- name: owner_states
-- The embedding states of an owner's chunks.
SELECT count(*) AS total,
       count(*) FILTER (WHERE embedding_due IS NOT NULL AND embedding_model IS NULL) AS pending,
       count(*) FILTER (WHERE embedding_due IS NOT NULL AND embedding_model IS NOT NULL) AS previewed,
       count(*) FILTER (WHERE embedding_due IS NULL AND embedding_error IS NOT NULL) AS failed,
       count(*) FILTER (WHERE embedding_urgency = 9) AS left_out
FROM chunks
WHERE /* held(chunks) */ AND org = :org AND owner_type = :owner_type AND owner_key = :owner_key;

-- name: chunk_counts
-- The org's chunks by embedding state. Bulk text with a preview waits at a later urgency, so the others are outdated.
SELECT (SELECT count(*) FROM chunks WHERE /* held(chunks) */ AND org = :org) AS total,
       (SELECT count(*) FROM chunks
        WHERE /* held(chunks) */ AND org = :org AND embedding_due IS NOT NULL AND embedding_model IS NULL) AS pending,
       (SELECT count(*) FROM chunks
        WHERE /* held(chunks) */ AND org = :org AND embedding_due IS NOT NULL AND embedding_model IS NOT NULL) AS previewed,
       (SELECT count(*) FROM chunks
        WHERE /* held(chunks) */ AND org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL) AS failed,
       (SELECT count(*) FROM chunks WHERE /* held(chunks) */ AND org = :org AND embedding_urgency = 9) AS left_out,
       (SELECT count(*) FROM chunks
        WHERE /* held(chunks) */ AND org = :org AND embedding_urgency IN (1, 2) AND embedding_due IS NOT NULL
          AND embedding_model IS NOT NULL) AS outdated;

-- name: any_unembedded
-- Whether any chunk waits for its embedding or was given up.
SELECT EXISTS (SELECT 1 FROM chunks c
               WHERE /* held(c) */ AND c.org = :org AND c.embedding_due IS NOT NULL)
    OR EXISTS (SELECT 1 FROM chunks c
               WHERE /* held(c) */ AND c.org = :org AND c.embedding_error IS NOT NULL AND c.embedding_due IS NULL) AS found;

-- name: count_unembedded
-- Chunks that pass a filter without an embedding, with a preview only, or given up; each counted up to a limit.
SELECT (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE /* held(c) */ AND c.org = :org AND c.embedding_due IS NOT NULL AND c.embedding_model IS NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS waiting) AS pending,
       (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE /* held(c) */ AND c.org = :org AND c.embedding_due IS NOT NULL AND c.embedding_model IS NOT NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS shown) AS previewed,
       (SELECT count(*)
        FROM (SELECT 1 FROM chunks c
              WHERE /* held(c) */ AND c.org = :org AND c.embedding_error IS NOT NULL AND c.embedding_due IS NULL
                AND /* wanted_chunk(c) */
              LIMIT :limit) AS failed) AS failed;

-- name: sample_terms
-- The terms of an even sample of the chunks that everybody in the org may read, chosen by hash.
SELECT p.terms, p.context_terms
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.org = :org AND c.visibility <> 'private'
ORDER BY c.text_hash, c.key
LIMIT :limit;

-- name: failed_chunks
-- Chunks whose embedding was given up.
SELECT owner_type, owner_key, embedding_error FROM chunks
WHERE /* held(chunks) */ AND org = :org AND embedding_error IS NOT NULL AND embedding_due IS NULL
ORDER BY key
LIMIT :limit;

-- name: page_of_chunks
-- The chunks of an owner, in text order.
SELECT c.*, p.text, p.context, p.headings
FROM chunks c
JOIN passages p ON p.chunk_key = c.key AND /* held(p) */
WHERE /* held(c) */ AND c.org IN (:org, 'system') AND c.owner_type = :owner_type AND c.owner_key = :owner_key
ORDER BY c.ordinal, c.key
LIMIT :limit OFFSET :offset;

-- name: remove_vectors
-- Delete all vectors of a chunk.
DELETE FROM vectors WHERE /* held(vectors) */ AND org = :org AND chunk_key = :chunk_key;

-- name: chunks_around
-- For chunks of short entries, the short ones that the same author wrote right before and after.
SELECT c.key, n.key AS other, (o.created_at, o.key) < (e.created_at, e.key) AS before
FROM chunks c
JOIN entries e ON e.key = c.owner_key AND e.org = c.org
CROSS JOIN LATERAL (
    (       SELECT b.key FROM entries b
            WHERE b.org = e.org AND b.deleted_at IS NULL AND b.agent = e.agent AND b.kind = e.kind
              AND b.visibility = e.visibility
              AND coalesce(b.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(b.project, '') = coalesce(e.project, '')
              AND b.created_at >= e.created_at - :span::bigint
              AND (b.created_at, b.key) < (e.created_at, e.key)
            ORDER BY b.created_at DESC, b.key DESC LIMIT :steps::bigint
    ) UNION ALL (
            SELECT a.key FROM entries a
            WHERE a.org = e.org AND a.deleted_at IS NULL AND a.agent = e.agent AND a.kind = e.kind
              AND a.visibility = e.visibility
              AND coalesce(a.workspace, '') = coalesce(e.workspace, '')
              AND coalesce(a.project, '') = coalesce(e.project, '')
              AND a.created_at <= e.created_at + :span::bigint
              AND (a.created_at, a.key) > (e.created_at, e.key)
            ORDER BY a.created_at, a.key LIMIT :steps::bigint
    )) AS around
JOIN entries o ON o.key = around.key
JOIN chunks n ON /* held(n) */ AND n.org = o.org AND n.owner_type = 'entry' AND n.owner_key = o.key AND n.ordinal = 0
WHERE /* held(c) */ AND c.key = ANY (:keys::bigint[])
  AND c.owner_type = 'entry' AND c.ordinal = 0 AND c.token_count <= :tokens::bigint AND n.token_count <= :tokens::bigint
  AND /* readable(c) */
ORDER BY c.key, o.created_at, o.key;
