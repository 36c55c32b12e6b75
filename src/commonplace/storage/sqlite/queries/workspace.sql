-- name: insert_project
-- Insert a project.
INSERT INTO projects (org, id, handle, name, roots, repository, agent, revision, created_at)
VALUES (:org, :id, :handle, :name, :roots, :repository, :agent, 1, :now)
RETURNING *;

-- name: get_project
-- A project by its id.
SELECT * FROM projects WHERE org = :org AND id = :id AND deleted_at IS NULL;

-- name: project_by_handle
-- A project by its handle.
SELECT * FROM projects WHERE org = :org AND handle = :handle AND deleted_at IS NULL;

-- name: project_by_repository
-- The project of a repository; the oldest one if there are several.
SELECT * FROM projects
WHERE org = :org AND repository = :repository AND deleted_at IS NULL
ORDER BY key
LIMIT 1;

-- name: all_projects
-- The projects of an org, ordered by handle.
SELECT * FROM projects WHERE org = :org AND deleted_at IS NULL ORDER BY handle, key;

-- name: update_project
-- Update a project if it still has the given revision.
UPDATE projects
SET handle = :handle, name = :name, roots = :roots, repository = :repository,
    deleted_at = :deleted_at, revision = revision + 1
WHERE org = :org AND key = :key AND revision = :revision
RETURNING *;

-- name: insert_workspace_resource
-- Insert a resource of a workspace that waits to be read.
INSERT INTO resources (org, id, type, knowledge_type, locator, name, media_type, agent, revision,
                       created_at, status, generation, etag, last_modified)
VALUES (:org, :id, :type, :knowledge_type, :locator, :name, '', :agent, 1,
        :now, 'pending', 1, '', '')
RETURNING *;

-- name: get_workspace_resource
-- A resource of a workspace by its id.
SELECT * FROM resources
WHERE org = :org AND id = :id AND knowledge_type IS NOT NULL AND deleted_at IS NULL;

-- name: resource_at
-- The resource of a workspace with this locator.
SELECT * FROM resources
WHERE org = :org AND knowledge_type = :knowledge_type AND locator = :locator
  AND deleted_at IS NULL;

-- name: histories
-- The histories of the folders that an org has attached.
SELECT * FROM resources
WHERE org = :org AND knowledge_type = 'history' AND deleted_at IS NULL
ORDER BY key;

-- name: lock_workspace_resource
-- A resource of a workspace, locked until the transaction ends.
SELECT * FROM resources
WHERE org = :org AND key = :key AND knowledge_type IS NOT NULL AND deleted_at IS NULL;

-- name: queue_resources
-- Queue resources to be read again.
UPDATE resources
SET status = 'pending', error = NULL, generation = generation + 1, run_id = :run_id
WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys)) AND deleted_at IS NULL;

-- name: settle_resource
-- Record how far reading has come, unless it was requested again or the resource is gone.
UPDATE resources
SET status = :status, error = :error, synced_at = coalesce(:indexed_at, synced_at),
    etag = coalesce(:version, etag)
WHERE org = :org AND key = :key AND generation = :generation AND deleted_at IS NULL;

-- name: watch_resources
-- Record until when a living process watches resources.
UPDATE resources SET watched_until = :until WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys));

-- name: remove_resource
-- Hide a resource of a workspace.
UPDATE resources SET deleted_at = :now, revision = revision + 1
WHERE org = :org AND key = :key AND knowledge_type IS NOT NULL AND deleted_at IS NULL;

-- name: file_counts
-- Files per resource and language.
SELECT resource_key, language, count(*) AS files
FROM documents
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:keys))
GROUP BY resource_key, language
ORDER BY resource_key, language;

-- name: chunk_counts_of_resources
-- Chunks per resource, and how many of them have no embedding yet, a preview only, or never any.
SELECT resource_key, count(*) AS chunks,
       sum(embedding_due IS NOT NULL AND embedding_model IS NULL) AS unembedded,
       sum(embedding_due IS NOT NULL AND embedding_model IS NOT NULL) AS previewed,
       sum(embedding_urgency = 9) AS left_out
FROM chunks
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:keys))
GROUP BY resource_key;

-- name: entry_counts_of_resources
-- Entries per resource.
SELECT resource_key, count(*) AS entries
FROM entries
WHERE org = :org AND resource_key IN (SELECT value FROM json_each(:keys)) AND deleted_at IS NULL
GROUP BY resource_key;

-- name: entries_of_resource
-- The entries of a resource, oldest first.
SELECT key FROM entries
WHERE org = :org AND resource_key = :resource_key AND deleted_at IS NULL
ORDER BY key;

-- name: attach
-- Attach a resource to a scope.
INSERT INTO attachments (org, id, resource_key, scope, project_id, label, trust, weight, enabled)
VALUES (:org, :id, :resource_key, :scope, :project_id, :label, :trust, :weight, :enabled)
RETURNING key;

-- name: lock_attachments
-- Lock the attachments of an org.
SELECT :org AS held;

-- name: get_attached
-- An attachment with its resource, by its id.
SELECT a.key, a.org, a.id, a.resource_key, a.project_id, a.label, a.trust, a.weight, a.enabled,
       r.id AS resource_id, r.type, r.knowledge_type, r.locator, r.name, r.status, r.error,
       r.generation, r.etag, r.synced_at, r.run_id, r.watched_until, r.agent, r.revision, r.created_at
FROM attachments a
JOIN resources r ON r.key = a.resource_key
WHERE a.org = :org AND a.id = :id AND r.deleted_at IS NULL;

-- name: all_attached
-- The attachments of an org with their resources, in order of creation.
SELECT a.key, a.org, a.id, a.resource_key, a.project_id, a.label, a.trust, a.weight, a.enabled,
       r.id AS resource_id, r.type, r.knowledge_type, r.locator, r.name, r.status, r.error,
       r.generation, r.etag, r.synced_at, r.run_id, r.watched_until, r.agent, r.revision, r.created_at
FROM attachments a
JOIN resources r ON r.key = a.resource_key
WHERE a.org = :org AND a.id IS NOT NULL AND r.deleted_at IS NULL
ORDER BY a.key;

-- name: attachments_of_resource
-- The attachments of one resource.
SELECT * FROM attachments
WHERE org = :org AND resource_key = :resource_key AND id IS NOT NULL
ORDER BY key;

-- name: update_attachment
-- Update the options of an attachment.
UPDATE attachments
SET label = :label, trust = :trust, weight = :weight, enabled = :enabled
WHERE org = :org AND key = :key;

-- name: detach
-- Delete an attachment.
DELETE FROM attachments WHERE org = :org AND key = :key;

-- name: files_of_resource
-- The files of a resource, ordered by path.
SELECT * FROM documents WHERE org = :org AND resource_key = :resource_key ORDER BY path;

-- name: files_named
-- Files of a resource with a name, in whatever folder.
SELECT * FROM documents
WHERE org = :org AND resource_key = :resource_key
  AND (path = :name OR substr(path, -1 - length(:name)) = '/' || :name)
ORDER BY path;

-- name: files_after
-- Files of a resource after a path, ordered by path.
SELECT * FROM documents
WHERE org = :org AND resource_key = :resource_key AND path > :after
ORDER BY path LIMIT :limit;

-- name: files_by_keys
-- Files by key.
SELECT * FROM documents WHERE org = :org AND key IN (SELECT value FROM json_each(:keys)) ORDER BY key;

-- name: put_file
-- Insert a file, or update its state.
INSERT INTO documents (org, resource_key, path, content_hash, chunk_count, size, modified_ns,
                       language, digest)
VALUES (:org, :resource_key, :path, :content_hash, :chunk_count, :size, :modified_ns,
        :language, :digest)
ON CONFLICT (resource_key, path) DO UPDATE
SET content_hash = excluded.content_hash, chunk_count = excluded.chunk_count,
    size = excluded.size, modified_ns = excluded.modified_ns, language = excluded.language,
    digest = excluded.digest
RETURNING key;

-- name: move_file
-- Give a file another path.
UPDATE documents SET path = :path, modified_ns = :modified_ns WHERE org = :org AND key = :key;

-- name: move_chunks
-- Give the chunks of a file its new path.
UPDATE chunks SET path = :path
WHERE org = :org AND owner_type = 'document' AND owner_key = :key;

-- name: remove_files
-- Delete files.
DELETE FROM documents WHERE +org = :org AND key IN (SELECT value FROM json_each(:keys));

-- name: put_touched_files
-- Insert the files that a commit touched.
INSERT INTO touched_files (org, document_key, path)
SELECT :org, :document_key, value FROM json_each(:paths) WHERE true
ON CONFLICT DO NOTHING;

-- name: touched_files
-- The files that commits touched, ordered by path.
SELECT document_key, path FROM touched_files
WHERE org = :org AND document_key IN (SELECT value FROM json_each(:keys))
ORDER BY document_key, path;
