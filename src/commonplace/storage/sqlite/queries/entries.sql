-- name: ensure_org
-- Insert the tenant's row on its first write.
INSERT INTO orgs (org, created_at) VALUES (:org, :now) ON CONFLICT (org) DO NOTHING;

-- name: insert_entry
-- Insert an entry with revision 1.
INSERT INTO entries (org, id, kind, category, domain, title, body, tags, visibility, workspace, space,
                     project, resource_key, confidence, expires_at, attributes, source, agent, revision,
                     created_at, updated_at)
VALUES (:org, :id, :kind, :category, :domain, :title, :body, :tags, :visibility, :workspace, :space,
        :project, :resource_key, :confidence, :expires_at, :attributes, :source, :agent, 1, :now, :now)
RETURNING *;

-- name: get_entry
-- A readable entry by its public id; the org's own before a shared one.
SELECT e.*
FROM entries e
WHERE e.id = :id
  AND (:kind IS NULL OR e.kind = :kind)
  AND (e.deleted_at IS NULL OR e.org = :org)
  AND /* readable(e) */
ORDER BY e.org <> :org, e.key
LIMIT 1;

-- name: ids_beginning
-- Ids of the org's own readable entries with a prefix, including deleted ones.
SELECT e.id
FROM entries e
WHERE e.org = :org
  AND e.id >= :beginning
  AND e.id < :beyond
  AND /* readable(e) */
ORDER BY e.id
LIMIT :limit;

-- name: entries_changed_since
-- The org's own readable entries written since a time, newest first, including deleted ones.
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
-- The org's own entries, locked until the transaction ends.
SELECT e.*
FROM entries e
WHERE +e.org = :org
  AND e.key IN (SELECT value FROM json_each(:keys))
ORDER BY e.key;

-- name: update_entry
-- Update an entry if it still has the given revision.
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
-- Store computed values of an entry; its revision stays, because its author changed nothing.
UPDATE entries SET confidence = :confidence, attributes = :attributes
WHERE org = :org AND key = :key;

-- name: lock_chains
-- Lock the supersession chains of an org.
SELECT :org AS held;

-- name: entries_with_head
-- The entries whose newest successor is a given one, locked.
SELECT e.*
FROM entries e
WHERE e.org = :org AND e.kind = :kind AND e.head = :head
ORDER BY e.key;

-- name: chain_of_entries
-- The readable entries of the org that an entry has superseded, and the entry itself, oldest first.
-- Sorted without an index, which would scan all entries of the kind.
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
-- Readable entries that pass a filter, newest first, from a list position on.
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
-- Readable entries of one kind that pass a filter, newest first, from a list position on.
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
-- The number of readable entries that pass a filter, per category.
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
-- The number of readable entries of one kind that pass a filter, per category.
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
-- Delete an entry permanently.
DELETE FROM entries WHERE org = :org AND key = :key;

-- name: insert_change
-- Record a canonical write.
INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision, before)
VALUES (:org, :agent, :client, :now, :operation, :entity, :entity_id, :revision, :before);

-- name: blank_changes
-- Erase an entity's content from the change record.
UPDATE changes SET before = NULL
WHERE org = :org AND entity = :entity AND entity_id = :entity_id;

-- name: forget_answers
-- Delete the answers to calls that stored an entry.
DELETE FROM replays WHERE org = :org AND json_extract(answer, '$.id') = :id;

-- name: forget_comments
-- Erase comments on an entry, and on the moment that became it.
UPDATE feedback SET comment = NULL
WHERE org = :org AND comment IS NOT NULL AND (
    subject = :id
    OR subject IN (SELECT id FROM reviews WHERE org = :org AND entry_id = :id)
);

-- name: blank_attachments
-- Erase the attachments of a resource from the change record.
UPDATE changes SET before = NULL
WHERE org = :org AND entity = 'attachment' AND json_extract(before, '$.resource') = :resource;

-- name: erase_record
-- Delete the resource of a record permanently.
DELETE FROM resources WHERE org = :org AND key = :resource_key AND type = 'record';

-- name: forget_moment
-- Empty the text of the moment that became an entry.
UPDATE reviews SET moment = '{}' WHERE org = :org AND status = 'confirmed' AND entry_id = :id;

-- name: history_of
-- The changes of one entity, oldest first.
SELECT * FROM changes
WHERE org = :org AND entity = :entity AND entity_id = :entity_id
ORDER BY sequence;

-- name: changes_since
-- The org's changes after a sequence number.
SELECT * FROM changes
WHERE org = :org AND sequence > :sequence
ORDER BY sequence
LIMIT :limit;

-- name: last_change_by
-- When an agent last wrote something.
SELECT at FROM changes
WHERE org = :org AND agent = :author
ORDER BY sequence DESC
LIMIT 1;

-- name: latest_changes
-- The org's changes before a sequence number, newest first, without old states.
SELECT sequence, org, agent, client, at, operation, entity, entity_id, revision, NULL AS before
FROM changes
WHERE org = :org AND sequence < :sequence
ORDER BY sequence DESC
LIMIT :limit;

-- name: audit_page
-- The org's changes after a sequence number that match a query.
SELECT sequence, org, agent, client, at, operation, entity, entity_id, revision, NULL AS before
FROM changes
WHERE org = :org AND sequence > :sequence
  AND (:since IS NULL OR at >= :since)
  AND (:author IS NULL OR agent = :author)
  AND (:entity IS NULL OR entity = :entity)
  AND (:entity_id IS NULL OR entity_id = :entity_id)
ORDER BY sequence
LIMIT :limit;
