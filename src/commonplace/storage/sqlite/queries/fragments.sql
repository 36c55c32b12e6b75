-- A `+` before a column stops SQLite from scanning a whole org by that column when keys are given.

-- fragment: readable(row)
-- The read predicate: own org, shared if orgs form a network, or system; private entries only for their author.
(row.org = :org OR (:network AND row.visibility = 'network') OR row.org = 'system')
AND (row.visibility <> 'private' OR (row.org = :org AND row.agent = :agent))

-- fragment: wanted_entry(row)
-- The filter for entries.
(:kinds IS NULL OR row.kind IN (SELECT value FROM json_each(:kinds)))
AND (:categories IS NULL OR row.category IN (SELECT value FROM json_each(:categories)))
AND (:tags IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(:tags) tag
    WHERE tag.value NOT IN (SELECT value FROM json_each(row.tags))))
AND (:any_tags IS NULL OR EXISTS (
    SELECT 1 FROM json_each(:any_tags) tag
    WHERE tag.value IN (SELECT value FROM json_each(row.tags))))
AND (:domain IS NULL OR row.domain = :domain)
AND (:min_confidence IS NULL OR row.confidence >= :min_confidence)
AND (:workspace IS NULL OR row.workspace = :workspace)
AND (:space IS NULL OR row.space = :space)
AND (:project IS NULL OR row.project = :project)
AND (:author IS NULL OR row.agent = :author)
AND (:project_names IS NULL
     OR lower(row.project) IN (SELECT value FROM json_each(:project_names))
     OR lower(row.workspace) IN (SELECT value FROM json_each(:project_names))
     OR row.resource_key IN (SELECT value FROM json_each(:project_resources)))
AND (:since IS NULL OR row.updated_at >= :since)
AND (:until IS NULL OR row.updated_at < :until)
AND (:include_superseded OR row.head IS NULL)
AND (:include_expired OR row.expires_at IS NULL OR row.expires_at > :now)

-- fragment: wanted_chunk(row)
-- The filter for chunks.
(:kinds IS NULL OR row.kind IN (SELECT value FROM json_each(:kinds)))
AND (:categories IS NULL OR row.category IN (SELECT value FROM json_each(:categories)))
AND (:tags IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(:tags) tag
    WHERE tag.value NOT IN (SELECT value FROM json_each(row.tags))))
AND (:any_tags IS NULL OR EXISTS (
    SELECT 1 FROM json_each(:any_tags) tag
    WHERE tag.value IN (SELECT value FROM json_each(row.tags))))
AND (:domain IS NULL OR row.domain = :domain)
AND (:min_confidence IS NULL OR row.confidence >= :min_confidence)
AND (:workspace IS NULL OR row.workspace = :workspace)
AND (:space IS NULL OR row.space = :space)
AND (:project IS NULL OR row.project = :project)
AND (:author IS NULL OR row.agent = :author)
AND (:languages IS NULL OR coalesce(row.language, '') IN (SELECT value FROM json_each(:languages)))
AND (:reach_workspace IS NULL OR row.org = 'system'
     OR (row.workspace = :reach_workspace AND (row.space IS NULL OR row.space = :reach_space)))
AND (:resources IS NULL OR row.resource_key IN (SELECT value FROM json_each(:resources)))
AND (:symbol_kinds IS NULL OR row.symbol_kind IN (SELECT value FROM json_each(:symbol_kinds)))
AND (:paths IS NULL OR EXISTS (
    SELECT 1 FROM json_each(:paths) prefix
    WHERE substr(row.resource_key || '/' || row.path || '/', 1, length(prefix.value)) = prefix.value)
     OR (row.kind = 'commit' AND EXISTS (
    SELECT 1 FROM touched_files touched JOIN json_each(:paths) prefix
    WHERE touched.document_key = row.owner_key AND touched.org = row.org
      AND substr(row.resource_key || '/' || touched.path || '/', 1, length(prefix.value))
          = prefix.value)))
AND (:project_names IS NULL
     OR lower(row.project) IN (SELECT value FROM json_each(:project_names))
     OR lower(row.workspace) IN (SELECT value FROM json_each(:project_names))
     OR row.resource_key IN (SELECT value FROM json_each(:project_resources)))
AND ((:since IS NULL AND :until IS NULL) OR EXISTS (
    SELECT 1 FROM entries written
    WHERE row.owner_type = 'entry' AND written.key = row.owner_key AND written.org = row.org
      AND written.updated_at >= coalesce(:since, written.updated_at)
      AND written.updated_at < coalesce(:until, written.updated_at + 1)
    UNION ALL
    SELECT 1 FROM documents read JOIN resources origin ON origin.key = read.resource_key
    WHERE row.owner_type = 'document' AND read.key = row.owner_key AND read.org = row.org
      AND coalesce(nullif(read.modified_ns / 1000, 0), origin.synced_at, origin.created_at)
          BETWEEN coalesce(:since, 0) AND coalesce(:until, 1 << 62) - 1))
AND (:include_superseded OR NOT row.superseded)
AND (:include_expired OR row.expires_at IS NULL OR row.expires_at > :now)
