-- name: ensure_org
-- Make the tenant's row on its first write.
INSERT INTO orgs (org, created_at) VALUES (:org, :now) ON CONFLICT (org) DO NOTHING;

-- name: insert_entry
-- Store a new entry at revision 1.
INSERT INTO entries (org, id, kind, category, domain, title, body, tags, visibility, workspace, space,
                     project, resource_key, confidence, expires_at, attributes, source, agent, revision,
                     created_at, updated_at)
VALUES (:org, :id, :kind, :category, :domain, :title, :body, :tags, :visibility, :workspace, :space,
        :project, :resource_key, :confidence, :expires_at, :attributes, :source, :agent, 1, :now, :now)
RETURNING *;

-- name: get_entry
-- One readable entry by its public id; the org's own before a shared one.
SELECT e.*
FROM entries e
WHERE e.id = :id
  AND (:kind IS NULL OR e.kind = :kind)
  AND (e.deleted_at IS NULL OR e.org = :org)
  AND /* readable(e) */
ORDER BY e.org <> :org, e.key
LIMIT 1;

-- name: ids_beginning
-- Ids of the org's own readable entries that begin so, deleted ones too.
SELECT e.id
FROM entries e
WHERE e.org = :org
  AND e.id >= :beginning
  AND e.id < :beyond
  AND /* readable(e) */
ORDER BY e.id
LIMIT :limit;

-- name: entries_changed_since
-- The org's own readable entries that were written since a moment, deleted ones too, newest first.
SELECT e.*
FROM entries e
WHERE e.org = :org AND e.updated_at >= :since
  AND /* readable(e) */
ORDER BY e.updated_at DESC, e.key DESC
LIMIT :limit;

-- name: entries_by_keys
-- Readable entries by key.
SELECT e.*
FROM entries e
WHERE e.key IN (SELECT value FROM json_each(:keys))
  AND (e.deleted_at IS NULL OR e.org = :org)
  AND /* readable(e) */
ORDER BY e.key;

-- name: lock_entries
-- The org's own entries, held against other writers until the transaction ends.
SELECT e.*
FROM entries e
WHERE +e.org = :org
  AND e.key IN (SELECT value FROM json_each(:keys))
ORDER BY e.key;

-- name: update_entry
-- Replace an entry that still is at the given revision.
UPDATE entries
SET category = :category, domain = :domain, title = :title, body = :body, tags = :tags,
    visibility = :visibility, workspace = :workspace, space = :space, project = :project,
    resource_key = :resource_key, confidence = :confidence,
    expires_at = :expires_at, attributes = :attributes, deleted_at = :deleted_at,
    superseded_by = :superseded_by, head = :head, revision = revision + 1,
    updated_at = max(:now, updated_at + 1000)
WHERE org = :org AND key = :key AND revision = :revision
RETURNING *;

-- name: revalue_entry
-- Keep what others make of an entry; its author has changed nothing, so its revision stays.
UPDATE entries SET confidence = :confidence, attributes = :attributes
WHERE org = :org AND key = :key;

-- name: lock_chains
-- Let one at a time change who supersedes whom in an org.
SELECT :org AS held;

-- name: entries_with_head
-- Everything whose newest successor is one entry, held against other writers.
SELECT e.*
FROM entries e
WHERE e.org = :org AND e.kind = :kind AND e.head = :head
ORDER BY e.key;

-- name: chain_of_entries
-- The readable entries of the org that an entry has replaced, and the entry itself; oldest first.
-- Not in the order of an index: that would lead through all entries of the kind.
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.org = :org AND e.kind = :kind AND e.head = :head AND e.deleted_at IS NULL
      AND /* readable(e) */
    UNION ALL
    SELECT e.*
    FROM entries e
    WHERE e.org = :org AND e.kind = :kind AND e.id = :head AND e.deleted_at IS NULL
      AND e.head IS NOT :head
      AND /* readable(e) */)
ORDER BY +created_at, +key;

-- name: page_of_entries
-- Readable entries that pass a filter, newest first, from a place in that order on.
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org
      AND /* readable(e) */
      AND /* wanted_entry(e) */
      AND (e.created_at, e.key) < (:before_at, :before_key)
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
UNION ALL
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND +e.org <> :org
      AND (e.visibility = 'network' OR e.org = 'system')
      AND /* readable(e) */
      AND /* wanted_entry(e) */
      AND (e.created_at, e.key) < (:before_at, :before_key)
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
ORDER BY created_at DESC, key DESC
LIMIT :limit OFFSET :offset;

-- name: page_of_kind
-- Readable entries of one kind that pass a filter, newest first, from a place in that order on.
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org AND e.kind = :kind
      AND /* readable(e) */
      AND /* wanted_entry(e) */
      AND (e.created_at, e.key) < (:before_at, :before_key)
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
UNION ALL
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND +e.org <> :org AND e.kind = :kind
      AND (e.visibility = 'network' OR e.org = 'system')
      AND /* readable(e) */
      AND /* wanted_entry(e) */
      AND (e.created_at, e.key) < (:before_at, :before_key)
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
ORDER BY created_at DESC, key DESC
LIMIT :limit OFFSET :offset;

-- name: tally_entries
-- How many readable entries of each category pass a filter.
SELECT category, count(*) AS entries
FROM (
    SELECT e.category
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org
      AND /* readable(e) */
      AND /* wanted_entry(e) */
    UNION ALL
    SELECT e.category
    FROM entries e INDEXED BY entries_shared_newest
    WHERE e.deleted_at IS NULL AND +e.org <> :org
      AND (e.visibility = 'network' OR e.org = 'system')
      AND /* readable(e) */
      AND /* wanted_entry(e) */)
GROUP BY category
ORDER BY category;

-- name: tally_of_kind
-- How many readable entries of one kind and each category pass a filter.
SELECT category, count(*) AS entries
FROM (
    SELECT e.category
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org AND e.kind = :kind
      AND /* readable(e) */
      AND /* wanted_entry(e) */
    UNION ALL
    SELECT e.category
    FROM entries e INDEXED BY entries_shared_newest
    WHERE e.deleted_at IS NULL AND +e.org <> :org AND e.kind = :kind
      AND (e.visibility = 'network' OR e.org = 'system')
      AND /* readable(e) */
      AND /* wanted_entry(e) */)
GROUP BY category
ORDER BY category;

-- name: entry_keys_after
-- The org's own undeleted entries in key order.
SELECT key FROM entries
WHERE org = :org AND key > :key AND deleted_at IS NULL AND (:kind IS NULL OR kind = :kind)
ORDER BY key
LIMIT :limit;

-- name: erase_entry
-- Remove an entry for good.
DELETE FROM entries WHERE org = :org AND key = :key;

-- name: insert_change
-- Record a canonical write.
INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision, before)
VALUES (:org, :agent, :client, :now, :operation, :entity, :entity_id, :revision, :before);

-- name: blank_changes
-- Forget the content that the record of changes remembers of an entity.
UPDATE changes SET before = NULL
WHERE org = :org AND entity = :entity AND entity_id = :entity_id;

-- name: history_of
-- Everything that happened to one entity, oldest first.
SELECT * FROM changes
WHERE org = :org AND entity = :entity AND entity_id = :entity_id
ORDER BY sequence;

-- name: changes_since
-- The org's changes after a point of the feed.
SELECT * FROM changes
WHERE org = :org AND sequence > :sequence
ORDER BY sequence
LIMIT :limit;

-- name: last_change_by
-- When an agent wrote last.
SELECT at FROM changes
WHERE org = :org AND agent = :author
ORDER BY sequence DESC
LIMIT 1;

-- name: latest_changes
-- The org's changes before a point of the feed, newest first, without what was before them.
SELECT sequence, org, agent, client, at, operation, entity, entity_id, revision, NULL AS before
FROM changes
WHERE org = :org AND sequence < :sequence
ORDER BY sequence DESC
LIMIT :limit;

-- name: audit_page
-- The org's changes after a point of the feed that somebody looks for.
SELECT sequence, org, agent, client, at, operation, entity, entity_id, revision, NULL AS before
FROM changes
WHERE org = :org AND sequence > :sequence
  AND (:since IS NULL OR at >= :since)
  AND (:author IS NULL OR agent = :author)
  AND (:entity IS NULL OR entity = :entity)
  AND (:entity_id IS NULL OR entity_id = :entity_id)
ORDER BY sequence
LIMIT :limit;
