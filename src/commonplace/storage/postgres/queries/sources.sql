-- name: insert_resource
-- Insert a resource that waits to be read.
INSERT INTO resources (org, id, type, locator, digest, media_type, agent, revision, created_at,
                       status, generation, etag, last_modified)
VALUES (:org, :id, :type, :locator, :digest, :media_type, :agent, 1, :now,
        'pending', 1, '', '')
RETURNING key;

-- name: insert_attachment
-- Attach a resource to a scope.
INSERT INTO attachments (org, resource_key, scope, workspace, space, label)
VALUES (:org, :resource_key, :scope, :workspace, :space, :label);

-- name: put_document
-- Store the state of a resource's chunked content.
INSERT INTO documents (org, resource_key, content_hash, chunk_count)
VALUES (:org, :resource_key, :content_hash, :chunk_count)
ON CONFLICT (resource_key, path) DO UPDATE
SET content_hash = excluded.content_hash, chunk_count = excluded.chunk_count
RETURNING key;

-- name: remove_document
-- Delete the state of a resource's chunked content.
DELETE FROM documents WHERE org = :org AND resource_key = :resource_key;

-- name: get_source
-- A source by its public id: the org's own before one of the system.
SELECT r.*, a.scope, a.workspace, a.space, a.label,
       d.key AS document_key, d.content_hash, d.chunk_count
FROM resources r
JOIN attachments a ON a.resource_key = r.key
LEFT JOIN documents d ON d.resource_key = r.key
WHERE r.org IN (:org, 'system') AND r.id = :id AND r.knowledge_type IS NULL
  AND (r.deleted_at IS NULL OR r.org = :org)
ORDER BY r.org <> :org, r.key
LIMIT 1;

-- name: source_ids_beginning
-- Ids of readable sources with a prefix, including the org's own deleted ones.
SELECT r.id
FROM resources r
WHERE r.org IN (:org, 'system') AND r.knowledge_type IS NULL
  AND r.id COLLATE "C" >= :beginning
  AND r.id COLLATE "C" < :beyond
  AND (r.deleted_at IS NULL OR r.org = :org)
ORDER BY r.id
LIMIT :limit;

-- name: lock_source
-- One of the org's own sources, locked until the transaction ends.
SELECT r.*, a.scope, a.workspace, a.space, a.label,
       d.key AS document_key, d.content_hash, d.chunk_count
FROM resources r
JOIN attachments a ON a.resource_key = r.key
LEFT JOIN documents d ON d.resource_key = r.key
WHERE r.org = :org AND r.key = :key AND r.knowledge_type IS NULL
FOR UPDATE OF r;

-- name: sources_in_reach
-- The sources that a workspace and one of its spaces can see; without a workspace, all of the org. Newest first.
SELECT r.*, a.scope, a.workspace, a.space, a.label,
       d.key AS document_key, d.content_hash, d.chunk_count
FROM resources r
JOIN attachments a ON a.resource_key = r.key
LEFT JOIN documents d ON d.resource_key = r.key
WHERE r.org IN (:org, 'system') AND r.deleted_at IS NULL AND r.knowledge_type IS NULL
  AND (:workspace::text IS NULL OR a.scope = 'system'
       OR (a.workspace = :workspace::text AND (a.space IS NULL OR a.space = :space::text)))
ORDER BY r.created_at DESC, r.key DESC;

-- name: source_of_origin
-- The org's latest source from one origin in one place, unless reading it failed.
SELECT r.*, a.scope, a.workspace, a.space, a.label,
       d.key AS document_key, d.content_hash, d.chunk_count
FROM resources r
JOIN attachments a ON a.resource_key = r.key
LEFT JOIN documents d ON d.resource_key = r.key
WHERE r.org = :org AND r.deleted_at IS NULL AND r.knowledge_type IS NULL
  AND r.type = :type AND r.locator = :locator AND r.digest IS NOT DISTINCT FROM :digest::text
  AND r.media_type = :media_type AND r.status <> 'error'
  AND a.scope = :scope AND a.workspace IS NOT DISTINCT FROM :workspace::text AND a.space IS NOT DISTINCT FROM :space::text
ORDER BY r.created_at DESC, r.key DESC
LIMIT 1;

-- name: page_of_sources
-- Sources of the org and the system, newest first, from a list position on.
(SELECT r.*, a.scope, a.workspace, a.space, a.label,
        d.key AS document_key, d.content_hash, d.chunk_count
 FROM resources r
 JOIN attachments a ON a.resource_key = r.key
 LEFT JOIN documents d ON d.resource_key = r.key
 WHERE r.org = :org AND r.deleted_at IS NULL AND r.knowledge_type IS NULL
   AND (r.created_at, r.key) < (:before_at::bigint, :before_key::bigint)
 ORDER BY r.created_at DESC, r.key DESC
 LIMIT :limit)
UNION ALL
(SELECT r.*, a.scope, a.workspace, a.space, a.label,
        d.key AS document_key, d.content_hash, d.chunk_count
 FROM resources r
 JOIN attachments a ON a.resource_key = r.key
 LEFT JOIN documents d ON d.resource_key = r.key
 WHERE r.org = 'system' AND :org <> 'system' AND r.deleted_at IS NULL AND r.knowledge_type IS NULL
   AND (r.created_at, r.key) < (:before_at::bigint, :before_key::bigint)
 ORDER BY r.created_at DESC, r.key DESC
 LIMIT :limit)
ORDER BY created_at DESC, key DESC
LIMIT :limit;

-- name: sources_of_documents
-- The readable sources of some documents.
SELECT r.*, a.scope, a.workspace, a.space, a.label,
       d.key AS document_key, d.content_hash, d.chunk_count
FROM documents d
JOIN resources r ON r.key = d.resource_key
JOIN attachments a ON a.resource_key = r.key
WHERE d.key = ANY (:keys::bigint[]) AND d.org IN (:org, 'system')
  AND r.knowledge_type IS NULL
ORDER BY d.key;

-- name: queue_source
-- Queue a source to be read again.
UPDATE resources
SET status = 'pending', error = NULL, generation = generation + 1
WHERE org = :org AND key = :key
RETURNING generation;

-- name: settle_source
-- Record how far reading has come, unless it was requested again or the source is gone.
UPDATE resources
SET status = :status, error = :error, etag = :etag, last_modified = :last_modified,
    synced_at = :synced_at
WHERE org = :org AND key = :key AND generation = :generation AND deleted_at IS NULL;

-- name: update_resource
-- Update a source if it still has the given revision.
UPDATE resources
SET locator = :locator, digest = :digest, media_type = :media_type, deleted_at = :deleted_at,
    revision = revision + 1
WHERE org = :org AND key = :key AND revision = :revision;

-- name: erase_resource
-- Delete a source with its attachment and document.
DELETE FROM resources WHERE org = :org AND key = :key;
