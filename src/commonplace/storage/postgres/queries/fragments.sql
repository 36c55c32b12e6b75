-- fragment: readable(row)
-- The read predicate: own org, shared if orgs form a network, or system; private entries only for their author.
(row.org = :org OR (:network::boolean AND row.visibility = 'network') OR row.org = 'system')
AND (row.visibility <> 'private' OR (row.org = :org AND row.agent = :agent))

-- fragment: held(row)
-- The partitions that contain readable rows; any partition if orgs form a network.
(:parts::integer[] IS NULL OR row.part = ANY (:parts))

-- fragment: wanted_entry(row)
-- The filter for entries.
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
AND (:project_names::text[] IS NULL
     OR lower(row.project) = ANY (:project_names)
     OR lower(row.workspace) = ANY (:project_names)
     OR row.resource_key = ANY (:project_resources::bigint[]))
AND (:since::bigint IS NULL OR row.updated_at >= :since)
AND (:until::bigint IS NULL OR row.updated_at < :until)
AND (:include_superseded::boolean OR row.head IS NULL)
AND (:include_expired::boolean OR row.expires_at IS NULL OR row.expires_at > :now)

-- fragment: wanted_chunk(row)
-- The filter for chunks.
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
AND (:languages::text[] IS NULL OR coalesce(row.language, '') = ANY (:languages))
AND (:reach_workspace::text IS NULL OR row.org = 'system'
     OR (row.workspace = :reach_workspace AND (row.space IS NULL OR row.space = :reach_space::text)))
AND (:resources::bigint[] IS NULL OR row.resource_key = ANY (:resources))
AND (:symbol_kinds::text[] IS NULL OR row.symbol_kind = ANY (:symbol_kinds))
AND (:paths::text[] IS NULL OR EXISTS (
    SELECT 1 FROM unnest(:paths::text[]) AS located (prefix)
    WHERE starts_with(row.resource_key || '/' || row.path || '/', located.prefix))
     OR (row.kind = 'commit' AND EXISTS (
    SELECT 1 FROM touched_files touched, unnest(:paths::text[]) AS located (prefix)
    WHERE touched.document_key = row.owner_key AND touched.org = row.org
      AND starts_with(row.resource_key || '/' || touched.path || '/', located.prefix))))
AND (:project_names::text[] IS NULL
     OR lower(row.project) = ANY (:project_names)
     OR lower(row.workspace) = ANY (:project_names)
     OR row.resource_key = ANY (:project_resources::bigint[]))
AND ((:since::bigint IS NULL AND :until::bigint IS NULL) OR EXISTS (
    SELECT 1 FROM entries written
    WHERE row.owner_type = 'entry' AND written.key = row.owner_key AND written.org = row.org
      AND written.updated_at >= coalesce(:since, written.updated_at)
      AND written.updated_at < coalesce(:until, written.updated_at + 1)
    UNION ALL
    SELECT 1 FROM documents read JOIN resources origin ON origin.key = read.resource_key
    WHERE row.owner_type = 'document' AND read.key = row.owner_key AND read.org = row.org
      AND coalesce(nullif(read.modified_ns / 1000, 0), origin.synced_at, origin.created_at)
          BETWEEN coalesce(:since, 0) AND coalesce(:until, 1::bigint << 62) - 1))
AND (:include_superseded::boolean OR NOT row.superseded)
AND (:include_expired::boolean OR row.expires_at IS NULL OR row.expires_at > :now)

-- fragment: tagged_chunk(row)
-- The filter for tags, using their index.
(:tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT tagged_chunks(:tags))))
AND (:any_tags::text[] IS NULL OR row.key = ANY (ARRAY(SELECT chunks_tagged_any(:any_tags))))
