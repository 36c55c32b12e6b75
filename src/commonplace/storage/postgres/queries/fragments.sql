-- fragment: readable(row)
-- The read predicate: own org, or shared where orgs are a network, or of the system; private is the author's.
(row.org = :org OR (:network::boolean AND row.visibility = 'network') OR row.org = 'system')
AND (row.visibility <> 'private' OR (row.org = :org AND row.agent = :agent))

-- fragment: wanted_entry(row)
-- What a filter asks of an entry.
(:kinds::text[] IS NULL OR row.kind = ANY (:kinds))
AND (:categories::text[] IS NULL OR row.category = ANY (:categories))
AND (:tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT tagged_entries(:tags))))
AND (:any_tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT entries_tagged_any(:any_tags))))
AND (:domain::text IS NULL OR row.domain = :domain)
AND (:min_confidence::double precision IS NULL OR row.confidence >= :min_confidence)
AND (:workspace::text IS NULL OR row.workspace = :workspace)
AND (:space::text IS NULL OR row.space = :space)
AND (:project::text IS NULL OR row.project = :project)
AND (:author::text IS NULL OR row.agent = :author)
AND (:include_superseded::boolean OR row.head IS NULL)
AND (:include_expired::boolean OR row.expires_at IS NULL OR row.expires_at > :now)

-- fragment: wanted_chunk(row)
-- What a filter asks of a chunk.
(:kinds::text[] IS NULL OR row.kind = ANY (:kinds))
AND (:categories::text[] IS NULL OR row.category = ANY (:categories))
AND (:tags::text[] IS NULL OR row.tags @> :tags)
AND (:any_tags::text[] IS NULL OR row.tags && :any_tags)
AND (:domain::text IS NULL OR row.domain = :domain)
AND (:min_confidence::double precision IS NULL OR row.confidence >= :min_confidence)
AND (:workspace::text IS NULL OR row.workspace = :workspace)
AND (:space::text IS NULL OR row.space = :space)
AND (:project::text IS NULL OR row.project = :project)
AND (:author::text IS NULL OR row.agent = :author)
AND (:languages::text[] IS NULL OR row.language = ANY (:languages))
AND (:reach_workspace::text IS NULL OR row.org = 'system'
     OR (row.workspace = :reach_workspace AND (row.space IS NULL OR row.space = :reach_space::text)))
AND (:resources::bigint[] IS NULL OR row.resource_key = ANY (:resources))
AND (:symbol_kinds::text[] IS NULL OR row.symbol_kind = ANY (:symbol_kinds))
AND (:paths::text[] IS NULL OR EXISTS (
    SELECT 1 FROM unnest(:paths::text[]) AS located (prefix)
    WHERE starts_with(row.resource_key || '/' || row.path || '/', located.prefix)))
AND (:include_superseded::boolean OR NOT row.superseded)
AND (:include_expired::boolean OR row.expires_at IS NULL OR row.expires_at > :now)

-- fragment: tagged_chunk(row)
-- The tags that a filter asks for, found through their index.
(:tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT tagged_chunks(:tags))))
AND (:any_tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT chunks_tagged_any(:any_tags))))
