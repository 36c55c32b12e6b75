-- name: ensure_org(org, now)!
-- Make the tenant's row on its first write.
INSERT INTO orgs (org, created_at) VALUES (:org, :now) ON CONFLICT (org) DO NOTHING;

-- name: insert_entry(org, id, kind, category, domain, title, body, tags, visibility, workspace, space, project, resource_key, confidence, expires_at, attributes, source, agent, now)^
-- Store a new entry at revision 1.
INSERT INTO entries (org, id, kind, category, domain, title, body, tags, visibility, workspace, space,
                     project, resource_key, confidence, expires_at, attributes, source, agent, revision,
                     created_at, updated_at)
VALUES (:org, :id, :kind, :category, :domain, :title, :body, :tags, :visibility, :workspace, :space,
        :project, :resource_key, :confidence, :expires_at, :attributes, :source, :agent, 1, :now, :now)
RETURNING *;

-- name: get_entry(org, agent, network, id, kind)^
-- One readable entry by its public id; the org's own before a shared one.
SELECT e.*
FROM entries e
WHERE e.id = :id
  AND (:kind IS NULL OR e.kind = :kind)
  AND (e.deleted_at IS NULL OR e.org = :org)
  AND /* readable(e) */
ORDER BY e.org <> :org, e.key
LIMIT 1;

-- name: ids_beginning(org, agent, network, beginning, beyond, limit)
-- Ids of the org's own readable entries that begin so, deleted ones too.
SELECT e.id
FROM entries e
WHERE e.org = :org
  AND e.id >= :beginning
  AND e.id < :beyond
  AND /* readable(e) */
ORDER BY e.id
LIMIT :limit;

-- name: entries_by_keys(org, agent, network, keys)
-- Readable entries by key.
SELECT e.*
FROM entries e
WHERE e.key IN (SELECT value FROM json_each(:keys))
  AND (e.deleted_at IS NULL OR e.org = :org)
  AND /* readable(e) */
ORDER BY e.key;

-- name: lock_entries(org, keys)
-- The org's own entries, held against other writers until the transaction ends.
SELECT e.*
FROM entries e
WHERE +e.org = :org
  AND e.key IN (SELECT value FROM json_each(:keys))
ORDER BY e.key;

-- name: update_entry(org, key, revision, category, domain, title, body, tags, visibility, workspace, space, project, resource_key, confidence, expires_at, attributes, deleted_at, superseded_by, head, now)^
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

-- name: revalue_entry(org, key, confidence, attributes)!
-- Keep what others make of an entry; its author has changed nothing, so its revision stays.
UPDATE entries SET confidence = :confidence, attributes = :attributes
WHERE org = :org AND key = :key;

-- name: hold_chains(org)^
-- Let one at a time change who supersedes whom in an org.
SELECT :org AS held;

-- name: entries_with_head(org, kind, head)
-- Everything whose newest successor is one entry, held against other writers.
SELECT e.*
FROM entries e
WHERE e.org = :org AND e.kind = :kind AND e.head = :head
ORDER BY e.key;

-- name: page_of_entries(org, agent, network, now, kinds, categories, tags, any_tags, domain, min_confidence, workspace, space, project, author, include_superseded, include_expired, limit, offset)
-- Readable entries that pass a filter, newest first.
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org
      AND /* readable(e) */
      AND /* wanted_entry(e) */
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
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
ORDER BY created_at DESC, key DESC
LIMIT :limit OFFSET :offset;

-- name: page_of_kind(org, agent, network, now, kind, kinds, categories, tags, any_tags, domain, min_confidence, workspace, space, project, author, include_superseded, include_expired, limit, offset)
-- Readable entries of one kind that pass a filter, newest first.
SELECT * FROM (
    SELECT e.*
    FROM entries e
    WHERE e.deleted_at IS NULL AND e.org = :org AND e.kind = :kind
      AND /* readable(e) */
      AND /* wanted_entry(e) */
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
    ORDER BY e.created_at DESC, e.key DESC
    LIMIT :limit + :offset)
ORDER BY created_at DESC, key DESC
LIMIT :limit OFFSET :offset;

-- name: tally_entries(org, agent, network, now, kinds, categories, tags, any_tags, domain, min_confidence, workspace, space, project, author, include_superseded, include_expired)
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

-- name: tally_of_kind(org, agent, network, now, kind, kinds, categories, tags, any_tags, domain, min_confidence, workspace, space, project, author, include_superseded, include_expired)
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

-- name: entry_keys_after(org, kind, key, limit)
-- The org's own undeleted entries in key order.
SELECT key FROM entries
WHERE org = :org AND key > :key AND deleted_at IS NULL AND (:kind IS NULL OR kind = :kind)
ORDER BY key
LIMIT :limit;

-- name: erase_entry(org, key)!
-- Remove an entry for good.
DELETE FROM entries WHERE org = :org AND key = :key;

-- name: insert_change(org, agent, client, now, operation, entity, entity_id, revision, before)!
-- Record a canonical write.
INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision, before)
VALUES (:org, :agent, :client, :now, :operation, :entity, :entity_id, :revision, :before);

-- name: blank_changes(org, entity, entity_id)!
-- Forget the content that the record of changes remembers of an entity.
UPDATE changes SET before = NULL
WHERE org = :org AND entity = :entity AND entity_id = :entity_id;

-- name: history_of(org, entity, entity_id)
-- Everything that happened to one entity, oldest first.
SELECT * FROM changes
WHERE org = :org AND entity = :entity AND entity_id = :entity_id
ORDER BY sequence;

-- name: changes_since(org, sequence, limit)
-- The org's changes after a point of the feed.
SELECT * FROM changes
WHERE org = :org AND sequence > :sequence
ORDER BY sequence
LIMIT :limit;

-- name: audit_page(org, sequence, since, author, entity, entity_id, limit)
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
