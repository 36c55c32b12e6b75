-- name: posting_index
-- The state of the org's posting lists, if it has any.
SELECT filled_to, fill_until FROM posting_indexes WHERE org = :org;

-- name: hold_postings
-- The state of the org's posting lists, locked until the transaction ends.
SELECT filled_to, fill_until FROM posting_indexes WHERE org = :org;

-- name: ready_segments
-- The complete segments with the queue of changes: together they cover everything.
SELECT s.segment, s.first_key, s.last_key, s.chunks, s.tokens, s.blocks, s.gone,
       (SELECT json_group_array(chunk_key)
        FROM (SELECT DISTINCT u.chunk_key FROM unposted u WHERE u.org = :org
              ORDER BY u.chunk_key LIMIT :most)) AS unposted,
       EXISTS (SELECT 1 FROM chunks c
               WHERE (c.visibility = 'network' OR c.org = 'system') AND c.org <> :org
                 AND (:network OR c.org = 'system')) AS shared
FROM posting_segments s
JOIN posting_indexes i ON i.org = s.org
WHERE s.org = :org AND s.ready AND i.filled_to >= i.fill_until
ORDER BY s.segment;

-- name: posting_segments
-- The complete segments, whether or not the index is complete.
SELECT segment, first_key, last_key, chunks, tokens, blocks, gone
FROM posting_segments
WHERE org = :org AND ready
ORDER BY segment;

-- name: unfinished_segments
-- Segments that are still being written.
SELECT segment FROM posting_segments WHERE org = :org AND NOT ready ORDER BY segment;

-- name: remove_unfinished_segments
-- Retire segments that are still being written; whoever writes them finds that out.
DELETE FROM posting_segments WHERE org = :org AND NOT ready;

-- name: lost_segments
-- Segments of which only blocks are left.
SELECT DISTINCT p.place >> 32 AS segment
FROM postings p
WHERE p.org = :org
  AND NOT EXISTS (SELECT 1 FROM posting_segments s WHERE s.segment = p.place >> 32);

-- name: posting_blocks
-- Blocks of posting lists by their positions.
SELECT place, data FROM postings
WHERE place IN (SELECT value FROM json_each(:places)) AND org = :org;

-- name: unposted_keys
-- Chunks for which the lists are missing or outdated.
SELECT DISTINCT chunk_key FROM unposted WHERE org = :org ORDER BY chunk_key LIMIT :most;

-- name: unposted_batch
-- The oldest changes that are not in the lists yet.
SELECT sequence, chunk_key FROM unposted WHERE org = :org ORDER BY sequence LIMIT :limit;

-- name: newest_unposted
-- The newest change that is not in the lists yet.
SELECT coalesce(max(sequence), 0) AS sequence FROM unposted WHERE org = :org;

-- name: unposted_matching
-- Tokens of matching chunks that are in no list of the org: queued, or shared by other orgs.
-- `others` counts the tokens of titles and scopes.
-- only here: the match is one FTS5 expression.
SELECT p.chunk_key AS key, p.terms, p.context_terms, p.words,
       length(p.title_grams || ' ' || p.scope) - length(replace(p.title_grams || p.scope, ' ', ''))
           + (p.title_grams <> '') AS others
FROM passages_fts
JOIN passage_tokens p ON p.chunk_key = passages_fts.rowid
WHERE passages_fts MATCH :match AND passages_fts.rowid > :after
  AND (p.org <> :org
       OR EXISTS (SELECT 1 FROM unposted u
                  WHERE u.org = :org AND u.chunk_key = passages_fts.rowid))
ORDER BY p.chunk_key;

-- name: posting_feed
-- Tokens of the org's chunks, in key order.
SELECT chunk_key AS key, terms, context_terms, words, title_grams, scope
FROM passage_tokens
WHERE org = :org AND chunk_key > :after AND chunk_key <= :until
ORDER BY chunk_key
LIMIT :limit;

-- name: tokens_of_chunks
-- Tokens of some of the org's chunks.
SELECT chunk_key AS key, terms, context_terms, words, title_grams, scope
FROM passage_tokens
WHERE +org = :org AND chunk_key IN (SELECT value FROM json_each(:keys))
ORDER BY chunk_key;

-- name: count_chunks
-- The number of the org's chunks, counted up to a limit.
SELECT count(*) AS chunks FROM (SELECT 1 FROM chunks WHERE org = :org LIMIT :most);

-- name: begin_postings
-- Start the org's posting lists with the chunks stored now.
INSERT INTO posting_indexes (org, filled_to, fill_until)
VALUES (:org, 0, coalesce((SELECT max(chunk_key) FROM passages), 0))
ON CONFLICT (org) DO NOTHING;

-- name: filled_postings
-- Record how far the lists have come, unless another process got further.
UPDATE posting_indexes SET filled_to = :after WHERE org = :org AND filled_to = :before;

-- name: end_postings
-- Delete the state of the org's posting lists.
DELETE FROM posting_indexes WHERE org = :org;

-- name: open_segment
-- Insert a segment that is not used until it is complete.
INSERT INTO posting_segments (org, ready, first_key, last_key, chunks, tokens, blocks, gone)
VALUES (:org, 0, :first_key, :last_key, :chunks, :tokens, :blocks, x'')
RETURNING segment;

-- name: ready_segment
-- Mark a segment as complete, except for chunks deleted from it meanwhile.
UPDATE posting_segments SET ready = 1, gone = :gone WHERE org = :org AND segment = :segment;

-- name: remove_segments
-- Retire segments; their blocks are deleted gradually.
DELETE FROM posting_segments
WHERE +org = :org AND segment IN (SELECT value FROM json_each(:segments));

-- name: store_block
-- Insert a block of posting lists.
INSERT INTO postings (place, org, data) VALUES (:place, :org, :data);

-- name: remove_blocks
-- Delete some of the blocks between two positions.
DELETE FROM postings
WHERE +org = :org AND place IN (
    SELECT place FROM postings WHERE place BETWEEN :first AND :last LIMIT :most);

-- name: posted
-- Remove changes from the queue that are in the lists now.
DELETE FROM unposted
WHERE +org = :org AND sequence IN (SELECT value FROM json_each(:sequences));

-- name: forget_unposted
-- Empty the queue of an org without posting lists.
DELETE FROM unposted
WHERE org = :org AND NOT EXISTS (SELECT 1 FROM posting_indexes i WHERE i.org = :org);

-- name: orgs_to_post
-- Orgs with many queued changes or incomplete lists, across tenants: for workers only.
SELECT o.org FROM orgs o
WHERE (SELECT count(*) FROM (SELECT 1 FROM unposted u WHERE u.org = o.org LIMIT :least)) >= :least
   OR EXISTS (SELECT 1 FROM posting_indexes i WHERE i.org = o.org AND i.filled_to < i.fill_until)
ORDER BY o.org;
