-- The authoritative PostgreSQL schema; migrations/ must reproduce it (a test compares them).
-- Everything is in the schema `commonplace` and belongs to the role commonplace_owner.
-- Times are microseconds since 1970 in UTC; JSON is stored as text, unchanged.

-- Applied migrations; read when a transaction is bound.
CREATE TABLE migrations (
    version    integer NOT NULL PRIMARY KEY,
    name       text    NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- Tenants.
CREATE TABLE orgs (
    org        text COLLATE "C" NOT NULL PRIMARY KEY,
    created_at bigint NOT NULL
);

-- Orgs that are arriving here or have moved to another database; they cannot be used here.
CREATE TABLE org_moves (
    moved text COLLATE "C" NOT NULL PRIMARY KEY,
    state text COLLATE "C" NOT NULL CHECK (state IN ('arriving', 'gone')),
    place text   NOT NULL,
    since bigint NOT NULL
);

-- What people and agents wrote. A category is a dialect's own subtype of a kind.
CREATE TABLE entries (
    key           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org           text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id            text COLLATE "C" NOT NULL,
    kind          text COLLATE "C" NOT NULL,
    title         text   NOT NULL,
    body          text   NOT NULL,
    tags          text[] COLLATE "C" NOT NULL,
    visibility    text COLLATE "C" NOT NULL CHECK (visibility IN ('private', 'org', 'network')),
    workspace     text COLLATE "C",
    space         text COLLATE "C",
    project       text COLLATE "C",
    confidence    double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    expires_at    bigint,
    attributes    json   NOT NULL,
    source        text   NOT NULL,
    agent         text COLLATE "C" NOT NULL,
    revision      bigint NOT NULL CHECK (revision > 0),
    created_at    bigint NOT NULL,
    updated_at    bigint NOT NULL,
    deleted_at    bigint,
    superseded_by text COLLATE "C",
    head          text COLLATE "C",
    category      text COLLATE "C",
    domain        text COLLATE "C",
    resource_key  bigint
);

CREATE UNIQUE INDEX entries_id ON entries (org, id, kind);
CREATE INDEX entries_shared_id ON entries (id) WHERE visibility = 'network' OR org = 'system';
CREATE INDEX entries_newest ON entries (org, created_at DESC, key DESC) WHERE deleted_at IS NULL;
CREATE INDEX entries_shared_newest ON entries (created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND (visibility = 'network' OR org = 'system');
CREATE INDEX entries_written ON entries (org, updated_at, key);
CREATE INDEX entries_head ON entries (org, kind, head) WHERE head IS NOT NULL;
CREATE INDEX entries_resource ON entries (org, resource_key)
    WHERE deleted_at IS NULL AND resource_key IS NOT NULL;
CREATE INDEX entries_walk ON entries (org, key) WHERE deleted_at IS NULL;

-- Covers what lists and counts of one kind need, so that they read no text.
CREATE INDEX entries_of_kind ON entries (org, kind, created_at DESC, key DESC)
    INCLUDE (visibility, agent, head, expires_at, category, workspace, space, project)
    WHERE deleted_at IS NULL;
CREATE INDEX entries_tags ON entries USING gin (tags);

-- The partition to which an org's chunks are added, and whether it has all of them: until then, the
-- others are in the shared one, 0. An org without a row has all of its chunks there.
CREATE SEQUENCE org_partitions_part_seq AS integer;
CREATE TABLE org_partitions (
    org     text COLLATE "C" NOT NULL PRIMARY KEY,
    part    integer NOT NULL UNIQUE DEFAULT nextval('org_partitions_part_seq'),
    settled boolean NOT NULL DEFAULT false
);

ALTER SEQUENCE org_partitions_part_seq OWNED BY org_partitions.part;
CREATE SEQUENCE chunks_key_seq;
CREATE SEQUENCE vectors_key_seq;

-- What search finds. Narrow rows, because filters read many of them. Partitioned, like all dependent
-- tables, by make_partition: 0 is for all orgs without a partition of their own. Keys come from one
-- sequence and are unique in each partition.
CREATE TABLE chunks (
    key                bigint NOT NULL DEFAULT nextval('chunks_key_seq'),
    org                text COLLATE "C" NOT NULL REFERENCES orgs (org),
    owner_type         text COLLATE "C" NOT NULL CHECK (owner_type IN ('entry', 'document')),
    owner_key          bigint  NOT NULL,
    ordinal            bigint  NOT NULL,
    kind               text COLLATE "C" NOT NULL,
    agent              text COLLATE "C" NOT NULL,
    visibility         text COLLATE "C" NOT NULL
        CHECK (visibility IN ('private', 'org', 'network')),
    workspace          text COLLATE "C",
    space              text COLLATE "C",
    project            text COLLATE "C",
    tags               text[] COLLATE "C" NOT NULL,
    superseded         boolean NOT NULL,
    expires_at         bigint,
    trust              text COLLATE "C" NOT NULL,
    language           text COLLATE "C",
    path               text COLLATE "C",
    symbol_kind        text COLLATE "C",
    symbol_path        text COLLATE "C",
    char_start         bigint  NOT NULL,
    char_end           bigint  NOT NULL,
    line_start         bigint,
    line_end           bigint,
    page               bigint,
    token_count        bigint  NOT NULL,
    text_hash          text COLLATE "C" NOT NULL,
    -- Waiting for an embedding while embedding_due is set: with a model named, it has a preview of
    -- that model meanwhile. Given up when only the error is set; with urgency 9 never embedded.
    embedding_model    text COLLATE "C",
    embedding_due      bigint,
    embedding_urgency  bigint  NOT NULL,
    embedding_attempts bigint  NOT NULL DEFAULT 0,
    embedding_error    text,
    category           text COLLATE "C",
    domain             text COLLATE "C",
    confidence         double precision,
    resource_key       bigint,
    part               integer NOT NULL DEFAULT 0
) PARTITION BY LIST (part);

ALTER SEQUENCE chunks_key_seq OWNED BY chunks.key;
CREATE INDEX chunks_owner ON chunks (org, owner_type, owner_key, ordinal);
CREATE INDEX chunks_sample ON chunks (org, text_hash, key);
CREATE INDEX chunks_shared ON chunks (key) WHERE visibility = 'network' OR org = 'system';
CREATE INDEX chunks_waiting ON chunks (org, embedding_urgency, embedding_due, key)
    WHERE embedding_due IS NOT NULL;
CREATE INDEX chunks_model ON chunks (org, embedding_model, key) WHERE embedding_model IS NOT NULL;
CREATE INDEX chunks_resource ON chunks (org, resource_key) WHERE resource_key IS NOT NULL;
CREATE INDEX chunks_failed ON chunks (org, key) WHERE embedding_error IS NOT NULL;
CREATE INDEX chunks_pending ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NULL;
CREATE INDEX chunks_previewed ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NOT NULL;
CREATE INDEX chunks_left_out ON chunks (org, key) WHERE embedding_urgency = 9;
CREATE INDEX chunks_tags ON chunks USING gin (tags);

-- The texts of chunks, separate from the rows that filters read.
-- `search` has the analyser's tokens: terms (weight A in the context, D in the text), =words,
-- ~title grams, @scopes. `shared` is set if every org may read the chunk.
CREATE TABLE passages (
    chunk_key     bigint   NOT NULL,
    org           text COLLATE "C" NOT NULL,
    shared        boolean  NOT NULL,
    text          text     NOT NULL,
    context       text     NOT NULL,
    terms         text     NOT NULL,
    context_terms text     NOT NULL,
    words         text     NOT NULL,
    search        tsvector NOT NULL,
    headings      text[] COLLATE "C" NOT NULL DEFAULT '{}',
    part          integer  NOT NULL DEFAULT 0
) PARTITION BY LIST (part);

CREATE INDEX passages_search ON passages USING gin (search);

-- Embeddings, 16-bit floats; a chunk has one per window and model. ensure_vector_index creates an
-- index per model and partition when the model's first vector is stored.
CREATE TABLE vectors (
    key       bigint  NOT NULL DEFAULT nextval('vectors_key_seq'),
    org       text COLLATE "C" NOT NULL,
    shared    boolean NOT NULL,
    chunk_key bigint  NOT NULL,
    model     text COLLATE "C" NOT NULL,
    "window"  bigint  NOT NULL,
    vector    halfvec NOT NULL,
    part      integer NOT NULL DEFAULT 0
) PARTITION BY LIST (part);

ALTER SEQUENCE vectors_key_seq OWNED BY vectors.key;
CREATE INDEX vectors_org ON vectors (org, model);
CREATE INDEX vectors_shared ON vectors (model) WHERE shared;

-- Every canonical write: audit, history and feed.
-- `written_by` lets readers of the feed wait for writers that took an earlier sequence.
CREATE TABLE changes (
    sequence   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org        text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent      text COLLATE "C" NOT NULL,
    client     text   NOT NULL,
    at         bigint NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    entity     text COLLATE "C" NOT NULL,
    entity_id  text COLLATE "C" NOT NULL,
    revision   bigint NOT NULL,
    before     json,
    written_by xid8   NOT NULL DEFAULT pg_current_xact_id()
);

CREATE INDEX changes_entity ON changes (org, entity, entity_id, sequence);
CREATE INDEX changes_feed ON changes (org, sequence);
CREATE INDEX changes_author ON changes (org, agent, sequence);

-- Uploaded bytes; `created_at` is when they were last uploaded or asked for.
CREATE TABLE blobs (
    org        text COLLATE "C" NOT NULL REFERENCES orgs (org),
    digest     text COLLATE "C" NOT NULL,
    media_type text   NOT NULL,
    data       bytea  NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (org, digest)
);

CREATE INDEX blobs_given ON blobs (org, created_at, digest);

-- Background work: both the queue and its report.
CREATE TABLE runs (
    key        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org        text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id         text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    agent      text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL
);

CREATE UNIQUE INDEX runs_id ON runs (org, id);
CREATE INDEX runs_newest ON runs (org, key);

CREATE TABLE targets (
    key      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org      text COLLATE "C" NOT NULL,
    run_key  bigint NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    subject  json   NOT NULL,
    status   text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'done', 'failed')),
    attempts bigint NOT NULL DEFAULT 0,
    due      bigint,
    error    text
);

CREATE INDEX targets_run ON targets (org, run_key, key);
CREATE INDEX targets_waiting ON targets (org, due, key) WHERE due IS NOT NULL;

-- Term frequencies of an org, counted on a sample.
CREATE TABLE statistics (
    org            text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES orgs (org),
    chunks         bigint NOT NULL,
    sampled        bigint NOT NULL,
    average_length double precision NOT NULL,
    frequencies    json   NOT NULL,
    counted_at     bigint NOT NULL
);

-- Leases: work that one process at a time may do. Not tenant data.
CREATE TABLE leases (
    name   text COLLATE "C" NOT NULL PRIMARY KEY,
    holder text   NOT NULL,
    until  bigint NOT NULL
);

CREATE FUNCTION refuse_unbound() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
    RAISE EXCEPTION 'no tenant is bound' USING ERRCODE = 'CP001';
END $$;

-- The tenant that the transaction is bound to; raises an error if there is none, because after its
-- first use on a pooled connection the setting is '' instead of missing. A single expression, so
-- that it is inlined and the planner can estimate the tenant's rows.
CREATE FUNCTION current_org() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(nullif(current_setting('commonplace.org', true), ''),
                    commonplace.refuse_unbound());
$$;

-- Whether orgs form a network, in which shared rows can be read by all. Unset means no.
CREATE FUNCTION network_open() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(current_setting('commonplace.network', true), '') = 'on';
$$;

-- The partitions that contain the tenant's readable rows; NULL if any of them may.
CREATE FUNCTION current_parts() RETURNS integer[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT nullif(current_setting('commonplace.parts', true), '')::integer[];
$$;

-- The partition to which a tenant's chunks are added, and the partitions of its own rows and of the
-- system's, if it has any. Called before the tenant is bound; returns numbers only.
CREATE FUNCTION partitions_of(tenant text) RETURNS TABLE (part integer, parts integer[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT max(coalesce(p.part, 0)) FILTER (WHERE reads.org = tenant),
           array_agg(coalesce(p.part, 0))
               || CASE WHEN bool_or(NOT p.settled) THEN ARRAY[0] ELSE '{}' END
    FROM (VALUES (tenant), ('system')) AS reads (org)
    LEFT JOIN org_partitions p USING (org)
    WHERE reads.org = tenant OR EXISTS (SELECT FROM orgs o WHERE o.org = 'system');
$$;

-- Row security, as a second safeguard. Own rows can be read and written, shared rows read. It only
-- applies to the application role: the owner's functions below check the tenant themselves,
-- because operators that are not leakproof (@@, @>) cannot use an index under row security.
ALTER TABLE orgs ENABLE ROW LEVEL SECURITY;
ALTER TABLE entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE blobs ENABLE ROW LEVEL SECURITY;
ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE targets ENABLE ROW LEVEL SECURITY;
ALTER TABLE statistics ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON orgs USING (org = current_org());
CREATE POLICY own ON entries USING (org = current_org());
CREATE POLICY own ON chunks USING (org = current_org());
CREATE POLICY own ON passages USING (org = current_org());
CREATE POLICY own ON vectors USING (org = current_org());
CREATE POLICY own ON changes USING (org = current_org());
CREATE POLICY own ON blobs USING (org = current_org());
CREATE POLICY own ON runs USING (org = current_org());
CREATE POLICY own ON targets USING (org = current_org());
CREATE POLICY own ON statistics USING (org = current_org());

CREATE POLICY shared ON entries FOR SELECT
    USING ((visibility = 'network' AND (SELECT network_open())) OR org = 'system');
CREATE POLICY shared ON chunks FOR SELECT
    USING ((visibility = 'network' AND (SELECT network_open())) OR org = 'system');
CREATE POLICY shared ON passages FOR SELECT
    USING (shared AND ((SELECT network_open()) OR org = 'system'));
CREATE POLICY shared ON vectors FOR SELECT
    USING (shared AND ((SELECT network_open()) OR org = 'system'));

-- The best readable passages that match any of `matches`, by the store's own ranking. Reading a
-- passage's tokens costs much more than finding it. Passages are therefore ranked by the rarity of
-- what matched, and only the best of them by its frequency, which counts double in the context.
-- `scope` restricts the search within the index, `among` restricts it to some chunks.
CREATE FUNCTION matching_passages(matches text[], scope text, reach bigint, among bigint[])
RETURNS TABLE (chunk_key bigint, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = commonplace, pg_temp SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    held integer[] := current_parts();
BEGIN
    RETURN QUERY
    WITH found AS MATERIALIZED (
        SELECT asked.match, passage.chunk_key
        FROM unnest(matches) AS asked (match)
        CROSS JOIN LATERAL (
            SELECT p.chunk_key
            FROM passages p
            WHERE p.search @@ (asked.match::tsquery && scope::tsquery)
              AND (held IS NULL OR p.part = ANY (held))
              AND (p.org = current_org() OR (p.shared AND (network_open() OR p.org = 'system')))
              AND (among IS NULL OR p.chunk_key = ANY (among))) AS passage
    ), weighed AS MATERIALIZED (
        SELECT f.match, ln(1 + greatest(
                   (SELECT s.chunks FROM statistics s WHERE s.org = current_org()),
                   (SELECT count(*) FROM found)) / count(*)::float8) AS weight
        FROM found f
        GROUP BY f.match
    ), rarest AS MATERIALIZED (
        SELECT f.chunk_key
        FROM found f JOIN weighed w USING (match)
        GROUP BY f.chunk_key
        ORDER BY sum(w.weight) DESC, f.chunk_key DESC
        LIMIT greatest(reach, 3000 / cardinality(matches))
    ), tokens AS MATERIALIZED (
        -- The empty concatenation unpacks the tokens once for all matches.
        SELECT p.chunk_key, p.search || ''::tsvector AS search
        FROM rarest r JOIN passages p USING (chunk_key)
        WHERE held IS NULL OR p.part = ANY (held)
    )
    SELECT t.chunk_key,
           sum(w.weight * ts_rank('{0.5, 0.5, 0.5, 1.0}', t.search, w.match::tsquery, 1)) AS rank
    FROM tokens t CROSS JOIN weighed w
    GROUP BY t.chunk_key
    ORDER BY rank DESC, t.chunk_key
    LIMIT reach;
END $$;

-- Readable entries with all of the tags.
CREATE FUNCTION tagged_entries(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT e.key
    FROM entries e
    WHERE e.tags @> wanted
      AND (e.org = current_org() OR (e.visibility = 'network' AND network_open()) OR e.org = 'system');
$$;

-- Readable chunks with all of the tags.
CREATE FUNCTION tagged_chunks(wanted text[]) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path = commonplace, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    held integer[] := current_parts();
BEGIN
    RETURN QUERY
    SELECT c.key
    FROM chunks c
    WHERE c.tags @> wanted AND (held IS NULL OR c.part = ANY (held))
      AND (c.org = current_org() OR (c.visibility = 'network' AND network_open()) OR c.org = 'system');
END $$;

-- Orgs with due background work, across tenants: names and urgency, no content.
CREATE FUNCTION waiting_orgs(moment bigint)
RETURNS TABLE (org text, urgency bigint, has_targets boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org,
           (SELECT c.embedding_urgency FROM chunks c
            WHERE c.part IN (0, p.part)
              AND c.org = o.org AND c.embedding_due IS NOT NULL AND c.embedding_due <= moment
            ORDER BY c.embedding_urgency, c.embedding_due
            LIMIT 1),
           EXISTS (SELECT 1 FROM targets t WHERE t.org = o.org AND t.due <= moment)
    FROM orgs o LEFT JOIN org_partitions p USING (org)
    WHERE NOT EXISTS (SELECT FROM org_moves m WHERE m.moved = o.org);
$$;

-- The names of all tenants.
CREATE FUNCTION all_orgs() RETURNS TABLE (org text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org FROM orgs o WHERE NOT EXISTS (SELECT FROM org_moves m WHERE m.moved = o.org);
$$;

-- Create the index of a model's vectors; returns whether it was missing. Called in a separate
-- transaction: it blocks all who write vectors, and waiting for one of them would be a deadlock.
CREATE FUNCTION ensure_vector_index(model text, dimension integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
DECLARE
    index_name text := 'vectors_of_' || left(encode(sha256(convert_to(model, 'UTF8')), 'hex'), 16);
    home text;
BEGIN
    IF to_regclass(index_name) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('commonplace.' || index_name, 0));
    SELECT n.nspname INTO STRICT home
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %I ON vectors'
        ' USING hnsw ((vector::%I.halfvec(%s)) %I.halfvec_cosine_ops)'
        ' WITH (m = 32, ef_construction = 128) WHERE model = %L',
        index_name, home, dimension, home, model);
    RETURN true;
END $$;

-- The permissions of the application; everything else is up to the owner.
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA commonplace FROM PUBLIC;
GRANT USAGE ON SCHEMA commonplace TO commonplace_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA commonplace TO commonplace_app;
GRANT SELECT ON migrations, org_moves TO commonplace_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    entries, chunks, passages, vectors, blobs, runs, targets, statistics, leases
    TO commonplace_app;
GRANT SELECT, INSERT ON orgs TO commonplace_app;
GRANT USAGE ON SEQUENCE chunks_key_seq, vectors_key_seq TO commonplace_app;
-- The change record is append-only; a purge may erase old states in it.
GRANT SELECT, INSERT, UPDATE (before) ON changes TO commonplace_app;

-- Idempotent calls: repetitions get the answer of the first call with the same token.
CREATE TABLE replays (
    org       text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent     text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    token     text COLLATE "C" NOT NULL,
    answer    json,
    until     bigint NOT NULL,
    PRIMARY KEY (org, agent, operation, token)
);

CREATE INDEX replays_until ON replays (org, until);

-- Usage of an org's quotas, per calendar month.
CREATE TABLE usage (
    org    text COLLATE "C" NOT NULL REFERENCES orgs (org),
    period text COLLATE "C" NOT NULL,
    metric text COLLATE "C" NOT NULL,
    used   bigint NOT NULL,
    PRIMARY KEY (org, period, metric)
);

ALTER TABLE replays ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON replays USING (org = (SELECT current_org()));
CREATE POLICY own ON usage USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON replays, usage TO commonplace_app;

-- Access counts of entries; separate from them, because reading is not a change.
CREATE TABLE accesses (
    entry_key bigint NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org       text COLLATE "C" NOT NULL,
    count     bigint NOT NULL,
    first_at  bigint NOT NULL,
    last_at   bigint NOT NULL
);

-- Feedback on detections; it affects later detections while `teaches` is set.
CREATE TABLE feedback (
    key        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org        text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent      text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL,
    verdict    text COLLATE "C" NOT NULL CHECK (verdict IN ('confirm', 'reject')),
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    factors    text[]  NOT NULL,
    comment    text,
    teaches    boolean NOT NULL,
    at         bigint  NOT NULL
);

CREATE INDEX feedback_newest ON feedback (org, key);

-- The review queue: detected moments that wait for a decision.
CREATE TABLE reviews (
    key         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org         text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id          text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    agent       text COLLATE "C" NOT NULL,
    moment      json   NOT NULL,
    confidence  double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    level       text   NOT NULL,
    reason      text   NOT NULL,
    status      text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'confirmed', 'rejected')),
    created_at  bigint NOT NULL,
    decided_at  bigint,
    decided_by  text,
    entry_id    text
);

CREATE UNIQUE INDEX reviews_id ON reviews (org, id);
CREATE UNIQUE INDEX reviews_fingerprint ON reviews (org, fingerprint);
CREATE INDEX reviews_status ON reviews (org, status, key);

ALTER TABLE accesses ENABLE ROW LEVEL SECURITY;
ALTER TABLE feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE reviews ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON accesses USING (org = (SELECT current_org()));
CREATE POLICY own ON feedback USING (org = (SELECT current_org()));
CREATE POLICY own ON reviews USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON accesses, feedback, reviews TO commonplace_app;

-- Readable entries with any of the tags.
CREATE FUNCTION entries_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT e.key
    FROM entries e
    WHERE e.tags && wanted
      AND (e.org = current_org() OR (e.visibility = 'network' AND network_open()) OR e.org = 'system');
$$;

-- Readable chunks with any of the tags.
CREATE FUNCTION chunks_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path = commonplace, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    held integer[] := current_parts();
BEGIN
    RETURN QUERY
    SELECT c.key
    FROM chunks c
    WHERE c.tags && wanted AND (held IS NULL OR c.part = ANY (held))
      AND (c.org = current_org() OR (c.visibility = 'network' AND network_open()) OR c.org = 'system');
END $$;

REVOKE EXECUTE ON FUNCTION entries_tagged_any, chunks_tagged_any FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entries_tagged_any, chunks_tagged_any TO commonplace_app;

-- Who is credited with a skill or a unit; `lineage` is equal for versions of one skill.
CREATE TABLE contributions (
    entry_key   bigint NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org         text COLLATE "C" NOT NULL,
    contributor text COLLATE "C" NOT NULL,
    lineage     text COLLATE "C"
);

CREATE INDEX contributions_of ON contributions (contributor);
CREATE INDEX contributions_lineage ON contributions (org, lineage) WHERE lineage IS NOT NULL;

-- Verdicts on units: one per validator. They belong to the unit's org.
CREATE TABLE verdicts (
    entry_key     bigint  NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    org           text COLLATE "C" NOT NULL,
    shared        boolean NOT NULL,
    validator_org text COLLATE "C" NOT NULL,
    validator     text COLLATE "C" NOT NULL,
    valid         boolean NOT NULL,
    feedback      text    NOT NULL,
    at            bigint  NOT NULL,
    PRIMARY KEY (entry_key, validator_org, validator)
);

CREATE INDEX verdicts_org ON verdicts (org, entry_key);
CREATE INDEX verdicts_shared ON verdicts (entry_key) WHERE shared;

-- Who may read an entry may see its contributor and the verdicts on it.
ALTER TABLE contributions ENABLE ROW LEVEL SECURITY;
ALTER TABLE verdicts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON contributions USING (org = (SELECT current_org()));
CREATE POLICY own ON verdicts USING (org = (SELECT current_org()));
CREATE POLICY shared ON contributions FOR SELECT USING (EXISTS (
    SELECT 1 FROM entries e
    WHERE e.key = entry_key AND e.visibility = 'network' AND (SELECT network_open())));
CREATE POLICY shared ON verdicts FOR SELECT USING (shared AND (SELECT network_open()));
GRANT SELECT, INSERT, UPDATE, DELETE ON contributions, verdicts TO commonplace_app;

-- What text is read from: an address, bytes in `blobs`, a folder of files, or the entries that refer
-- to it. `generation` counts requests to read it, so that an outdated reading cannot overwrite a
-- newer one.
CREATE TABLE resources (
    key           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org           text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id            text COLLATE "C" NOT NULL,
    type          text COLLATE "C" NOT NULL
        CHECK (type IN ('url', 'file', 'page', 'folder', 'pushed', 'notebook', 'record')),
    locator       text   NOT NULL,
    digest        text COLLATE "C",
    media_type    text   NOT NULL,
    agent         text COLLATE "C" NOT NULL,
    revision      bigint NOT NULL CHECK (revision > 0),
    created_at    bigint NOT NULL,
    deleted_at    bigint,
    status        text COLLATE "C" NOT NULL
        CHECK (status IN ('pending', 'processing', 'ready', 'error')),
    error         text,
    generation    bigint NOT NULL,
    etag          text   NOT NULL,
    last_modified text   NOT NULL,
    synced_at     bigint,
    -- Of what a workspace attaches; NULL for the sources of documents.
    knowledge_type text COLLATE "C",
    name           text,
    run_id         text COLLATE "C",
    watched_until  bigint
);

CREATE UNIQUE INDEX resources_id ON resources (org, id);
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND knowledge_type IS NULL;
CREATE INDEX resources_digest ON resources (org, digest) WHERE digest IS NOT NULL;
CREATE UNIQUE INDEX resources_locator ON resources (org, knowledge_type, locator)
    WHERE deleted_at IS NULL AND knowledge_type IS NOT NULL;

-- The presence of a resource in one scope, under a name.
CREATE TABLE attachments (
    key          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    scope        text COLLATE "C" NOT NULL
        CHECK (scope IN ('system', 'workspace', 'space', 'project', 'global')),
    workspace    text COLLATE "C",
    space        text COLLATE "C",
    label        text   NOT NULL,
    -- Of what a workspace attaches; NULL for the sources of documents.
    id           text COLLATE "C",
    project_id   text COLLATE "C",
    trust        text COLLATE "C",
    weight       double precision,
    enabled      boolean
);

CREATE INDEX attachments_resource ON attachments (resource_key);
CREATE UNIQUE INDEX attachments_id ON attachments (org, id) WHERE id IS NOT NULL;
CREATE UNIQUE INDEX attachments_once ON attachments (resource_key, coalesce(project_id, ''))
    WHERE id IS NOT NULL;

-- The files of a resource, each at one content hash. The key owns the chunks. A source has one
-- document, with the path ''.
CREATE TABLE documents (
    key          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    content_hash text COLLATE "C" NOT NULL,
    chunk_count  bigint NOT NULL,
    path         text COLLATE "C" NOT NULL DEFAULT '',
    size         bigint NOT NULL DEFAULT 0,
    modified_ns  bigint NOT NULL DEFAULT 0,
    language     text COLLATE "C",
    digest       text COLLATE "C"
);

CREATE UNIQUE INDEX documents_path ON documents (resource_key, path);
CREATE INDEX documents_digest ON documents (org, digest) WHERE digest IS NOT NULL;

ALTER TABLE resources ENABLE ROW LEVEL SECURITY;
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON resources USING (org = (SELECT current_org()));
CREATE POLICY own ON attachments USING (org = (SELECT current_org()));
CREATE POLICY own ON documents USING (org = (SELECT current_org()));
CREATE POLICY shared ON resources FOR SELECT USING (org = 'system');
CREATE POLICY shared ON attachments FOR SELECT USING (org = 'system');
CREATE POLICY shared ON documents FOR SELECT USING (org = 'system');
GRANT SELECT, INSERT, UPDATE, DELETE ON resources, attachments, documents TO commonplace_app;

-- Projects: a repository with its root folders. `repository` is equal for all clones.
CREATE TABLE projects (
    key        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org        text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id         text COLLATE "C" NOT NULL,
    handle     text COLLATE "C" NOT NULL,
    name       text   NOT NULL,
    roots      text[] COLLATE "C" NOT NULL,
    repository text COLLATE "C",
    agent      text COLLATE "C" NOT NULL,
    revision   bigint NOT NULL CHECK (revision > 0),
    created_at bigint NOT NULL,
    deleted_at bigint
);

CREATE UNIQUE INDEX projects_id ON projects (org, id);
CREATE UNIQUE INDEX projects_handle ON projects (org, handle) WHERE deleted_at IS NULL;
CREATE INDEX projects_repository ON projects (org, repository) WHERE deleted_at IS NULL;

ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON projects USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON projects TO commonplace_app;

-- The facts of a code file: enough to link it without parsing it again. `interface` is equal for
-- versions that other files cannot tell apart; its links depend on `reads` and `packages`, and
-- `tally` has a digest of the names that were looked up there.
CREATE TABLE code_files (
    document_key bigint NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL,
    path         text COLLATE "C" NOT NULL,
    language     text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    version      bigint NOT NULL,
    package      text COLLATE "C" NOT NULL,
    interface    text COLLATE "C" NOT NULL,
    problem      text    NOT NULL,
    specifiers   text[]  NOT NULL,
    facts        bytea   NOT NULL,
    linked       boolean NOT NULL DEFAULT false,
    reads        bigint[] NOT NULL DEFAULT '{}',
    packages     text[]  NOT NULL DEFAULT '{}',
    tally        jsonb   NOT NULL DEFAULT '{}'
);

CREATE INDEX code_files_resource ON code_files (resource_key, path);

-- Definitions. The key consists of the document's key and a slot, which a symbol keeps.
CREATE TABLE symbols (
    key          bigint NOT NULL PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    document_key bigint NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    resource_key bigint NOT NULL,
    number       bigint NOT NULL,
    name         text COLLATE "C" NOT NULL,
    folded       text COLLATE "C" NOT NULL,
    path         text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    exported     boolean NOT NULL,
    line         bigint NOT NULL,
    column_at    bigint NOT NULL,
    first_line   bigint NOT NULL,
    last_line    bigint NOT NULL,
    signature    text    NOT NULL,
    doc          text    NOT NULL
);

CREATE INDEX symbols_name ON symbols (folded, resource_key);
CREATE INDEX symbols_document ON symbols (document_key, number);

-- Uses of a name by a symbol or by the file itself; unresolved without a target.
CREATE TABLE edges (
    document_key bigint NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    ordinal      bigint NOT NULL,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL,
    source_key   bigint,
    name         text COLLATE "C" NOT NULL,
    "use"        text COLLATE "C" NOT NULL,
    target_key   bigint,
    "rank"       bigint NOT NULL,
    resolution   text COLLATE "C" NOT NULL,
    confidence   double precision NOT NULL,
    lines        bigint[] NOT NULL,
    PRIMARY KEY (document_key, ordinal)
);

CREATE INDEX edges_target ON edges (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX edges_name ON edges (name, resource_key);

-- What an imported compiler index says about one version of a file.
CREATE TABLE compiled_files (
    document_key bigint NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    data         bytea   NOT NULL
);

ALTER TABLE code_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE symbols ENABLE ROW LEVEL SECURITY;
ALTER TABLE edges ENABLE ROW LEVEL SECURITY;
ALTER TABLE compiled_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON code_files USING (org = (SELECT current_org()));
CREATE POLICY own ON symbols USING (org = (SELECT current_org()));
CREATE POLICY own ON edges USING (org = (SELECT current_org()));
CREATE POLICY own ON compiled_files USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON code_files, symbols, edges, compiled_files
    TO commonplace_app;

-- The files that a commit touched; the commit itself is a document.
CREATE TABLE touched_files (
    document_key bigint NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    path         text COLLATE "C" NOT NULL,
    org          text COLLATE "C" NOT NULL,
    PRIMARY KEY (document_key, path)
);

ALTER TABLE touched_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON touched_files USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON touched_files TO commonplace_app;

-- Tokens are identified by a keyed digest. They are revoked but never deleted: whether one was ever
-- created decides whether callers need one.
CREATE TABLE tokens (
    id           text COLLATE "C" NOT NULL PRIMARY KEY,
    org          text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent        text COLLATE "C" NOT NULL,
    name         text   NOT NULL,
    scopes       text[] COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL,
    created_by   text   NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint,
    revoked_at   bigint,
    last_used_at bigint
);

CREATE UNIQUE INDEX tokens_digest ON tokens (digest);
CREATE INDEX tokens_of_org ON tokens (org, created_at, id);

-- Secrets of the installation, shared by all its processes.
CREATE TABLE server_keys (
    name  text COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);

-- The monthly limits of a plan; a metric without a number is unlimited.
CREATE TABLE plans (
    plan    text COLLATE "C" NOT NULL,
    metric  text COLLATE "C" NOT NULL,
    monthly bigint CHECK (monthly >= 0),
    PRIMARY KEY (plan, metric)
);

-- The plan of an org.
CREATE TABLE org_plans (
    org  text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES orgs (org),
    plan text COLLATE "C" NOT NULL
);

-- Exceptions of an org from its plan.
CREATE TABLE quota_overrides (
    org     text COLLATE "C" NOT NULL REFERENCES orgs (org),
    metric  text COLLATE "C" NOT NULL,
    monthly bigint CHECK (monthly >= 0),
    PRIMARY KEY (org, metric)
);

-- Tokens are looked up before the tenant is known; the caller has the token's digest or id.
CREATE FUNCTION token_by_digest(wanted text) RETURNS SETOF tokens
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT t.* FROM tokens t WHERE t.digest = wanted;
$$;

CREATE FUNCTION token_by_id(wanted text) RETURNS SETOF tokens
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT t.* FROM tokens t WHERE t.id = wanted;
$$;

-- Whether any token was ever created.
CREATE FUNCTION any_token() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT EXISTS (SELECT FROM tokens);
$$;

-- Whether any org is on a plan.
CREATE FUNCTION plan_in_use(wanted text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT EXISTS (SELECT FROM org_plans o WHERE o.plan = wanted);
$$;

ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE org_plans ENABLE ROW LEVEL SECURITY;
ALTER TABLE quota_overrides ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tokens USING (org = (SELECT current_org()));
CREATE POLICY own ON org_plans USING (org = (SELECT current_org()));
CREATE POLICY own ON quota_overrides USING (org = (SELECT current_org()));
REVOKE EXECUTE ON FUNCTION token_by_digest, token_by_id, any_token, plan_in_use FROM PUBLIC;
GRANT EXECUTE ON FUNCTION token_by_digest, token_by_id, any_token, plan_in_use
    TO commonplace_app;
-- A token only changes by being revoked or used.
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON tokens TO commonplace_app;
GRANT SELECT, INSERT ON server_keys TO commonplace_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plans, org_plans, quota_overrides TO commonplace_app;

-- Embedding models: the one that serves, one being prepared, and retired ones.
-- Not tenant data.
CREATE TABLE models (
    model text COLLATE "C" NOT NULL PRIMARY KEY,
    state text COLLATE "C" NOT NULL CHECK (state IN ('serving', 'preparing', 'retired')),
    since bigint NOT NULL
);

CREATE UNIQUE INDEX models_in_use ON models (state) WHERE state <> 'retired';
GRANT SELECT, INSERT, UPDATE, DELETE ON models TO commonplace_app;

-- The background work that waits in all orgs, and since when: numbers only.
CREATE FUNCTION work_waiting(moment bigint)
RETURNS TABLE (chunks bigint, previewed bigint, oldest_chunk bigint, failed bigint,
               targets bigint, oldest_target bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT (SELECT count(*) FROM chunks c
            WHERE c.embedding_due IS NOT NULL AND c.embedding_model IS NULL),
           (SELECT count(*) FROM chunks c
            WHERE c.embedding_due IS NOT NULL AND c.embedding_model IS NOT NULL),
           (SELECT min(c.embedding_due) FROM chunks c
            WHERE c.embedding_due <= moment AND c.embedding_model IS NULL),
           (SELECT count(*) FROM chunks c
            WHERE c.embedding_error IS NOT NULL AND c.embedding_due IS NULL),
           (SELECT count(*) FROM targets t WHERE t.due IS NOT NULL),
           (SELECT min(t.due) FROM targets t WHERE t.due <= moment);
$$;

REVOKE EXECUTE ON FUNCTION work_waiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION work_waiting TO commonplace_app;

-- The blobs of skills' files, so that they are not deleted. A trigger on entries maintains it; blobs
-- of earlier revisions stay, because these may be restored.
CREATE TABLE skill_files (
    org       text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    entry_key bigint NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    PRIMARY KEY (org, digest, entry_key)
);

CREATE INDEX skill_files_entry ON skill_files (entry_key);

CREATE FUNCTION digests_of_files(attributes json) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT file ->> 'digest'
    FROM json_array_elements(
        CASE json_typeof(attributes -> 'files') WHEN 'array' THEN attributes -> 'files'
             ELSE '[]' END) AS file
    WHERE file ->> 'digest' IS NOT NULL;
$$;

CREATE FUNCTION keep_skill_files() RETURNS trigger
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
BEGIN
    INSERT INTO skill_files (org, digest, entry_key)
    SELECT new.org, digest, new.key FROM digests_of_files(new.attributes) AS digest
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER skill_written AFTER INSERT OR UPDATE OF attributes ON entries
FOR EACH ROW WHEN (new.kind = 'skill') EXECUTE FUNCTION keep_skill_files();

ALTER TABLE skill_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON skill_files USING (org = (SELECT current_org()));
REVOKE EXECUTE ON FUNCTION digests_of_files, keep_skill_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION digests_of_files, keep_skill_files TO commonplace_app;
GRANT SELECT, INSERT ON skill_files TO commonplace_app;

-- The number of a model's vectors that the tenant can read, counted up to a limit. A function,
-- because row security would read the rows although the indexes suffice.
CREATE FUNCTION readable_vectors(wanted text, most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = commonplace, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    held integer[] := current_parts();
BEGIN
    RETURN (SELECT count(*) FROM (
        SELECT FROM vectors v
        WHERE v.model = wanted AND v.org = current_org() AND (held IS NULL OR v.part = ANY (held))
        UNION ALL
        SELECT FROM vectors v
        WHERE v.model = wanted AND v.shared AND v.org <> current_org()
            AND (held IS NULL OR v.part = ANY (held)) AND (network_open() OR v.org = 'system')
        LIMIT most) AS readable);
END $$;

REVOKE EXECUTE ON FUNCTION readable_vectors FROM PUBLIC;
GRANT EXECUTE ON FUNCTION readable_vectors TO commonplace_app;

-- Attempts to embed chunks with a model being prepared: inserted when they start, deleted when they
-- end. Those that stay have crashed the worker.
CREATE TABLE reembedding_attempts (
    org       text COLLATE "C" NOT NULL,
    chunk_key bigint NOT NULL,
    model     text COLLATE "C" NOT NULL,
    attempts  bigint NOT NULL,
    part      integer NOT NULL DEFAULT 0
) PARTITION BY LIST (part);

CREATE UNIQUE INDEX reembedding_attempts_once ON reembedding_attempts (org, model, chunk_key, part);
CREATE INDEX reembedding_attempts_chunk ON reembedding_attempts (chunk_key);

ALTER TABLE reembedding_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON reembedding_attempts USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON reembedding_attempts TO commonplace_app;

-- What agents asked recently. Answers are stored as references, resolved with the reader's rights.
CREATE TABLE questions (
    key      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org      text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent    text COLLATE "C" NOT NULL,
    client   text   NOT NULL,
    at       bigint NOT NULL,
    tool     text COLLATE "C" NOT NULL,
    question text   NOT NULL,
    outcome  text COLLATE "C" NOT NULL
        CHECK (outcome IN ('answered', 'related', 'found', 'nothing')),
    given    text[] NOT NULL
);

CREATE INDEX questions_newest ON questions (org, key);
CREATE INDEX questions_outcome ON questions (org, outcome, key);
CREATE INDEX questions_at ON questions (org, at, outcome);

-- Calls per hour, by status and by duration in logarithmic steps.
CREATE TABLE call_counts (
    org    text COLLATE "C" NOT NULL REFERENCES orgs (org),
    hour   bigint NOT NULL,
    tool   text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    step   bigint NOT NULL,
    count  bigint NOT NULL,
    PRIMARY KEY (org, hour, tool, status, step)
);

ALTER TABLE questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON questions USING (org = (SELECT current_org()));
CREATE POLICY own ON call_counts USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON questions, call_counts TO commonplace_app;

-- Posting lists: which chunks have a token, for orgs with many chunks. Derived from passages.

CREATE TABLE posting_indexes (
    org        text COLLATE "C" NOT NULL PRIMARY KEY,
    filled_to  bigint NOT NULL,
    fill_until bigint NOT NULL
);

CREATE TABLE posting_segments (
    segment   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org       text COLLATE "C" NOT NULL,
    ready     boolean NOT NULL,
    first_key bigint NOT NULL,
    last_key  bigint NOT NULL,
    chunks    bigint NOT NULL,
    tokens    bigint NOT NULL,
    blocks    bigint NOT NULL,
    gone      bytea  NOT NULL
);

CREATE INDEX posting_segments_org ON posting_segments (org, segment);

CREATE TABLE postings (
    place bigint NOT NULL PRIMARY KEY,
    org   text COLLATE "C" NOT NULL,
    data  bytea  NOT NULL
);

-- Already packed: compressing it again would slow down every search.
ALTER TABLE postings ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE INDEX postings_org ON postings (org, place);

CREATE TABLE unposted (
    sequence  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org       text COLLATE "C" NOT NULL,
    chunk_key bigint NOT NULL
);

CREATE INDEX unposted_chunk ON unposted (org, chunk_key);

ALTER TABLE posting_indexes ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting_segments ENABLE ROW LEVEL SECURITY;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE unposted ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON posting_indexes USING (org = (SELECT current_org()));
CREATE POLICY own ON posting_segments USING (org = (SELECT current_org()));
CREATE POLICY own ON postings USING (org = (SELECT current_org()));
CREATE POLICY own ON unposted USING (org = (SELECT current_org()));

CREATE FUNCTION queue_for_posting() RETURNS trigger
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
BEGIN
    IF current_setting('commonplace.rows_move', true) = 'on' THEN
        RETURN NULL;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO unposted (org, chunk_key) VALUES (OLD.org, OLD.chunk_key);
    ELSE
        INSERT INTO unposted (org, chunk_key) VALUES (NEW.org, NEW.chunk_key);
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER passage_to_post AFTER INSERT OR DELETE OR UPDATE OF search, context_terms ON passages
    FOR EACH ROW EXECUTE FUNCTION queue_for_posting();

-- The tokens with one prefix in a chunk's tsvector, without the prefix.
CREATE FUNCTION lexemes_under(prefix text, search tsvector) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = commonplace, pg_temp AS $$
    SELECT coalesce(string_agg(substr(lexeme, 2), ' '), '')
    FROM unnest(tsvector_to_array(search)) AS lexeme
    WHERE left(lexeme, 1) = prefix;
$$;

-- Orgs whose posting lists are out of date, across tenants: names, no content.
CREATE FUNCTION orgs_with_unposted(enough bigint) RETURNS TABLE (org text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org FROM orgs o
    WHERE (SELECT count(*)
           FROM (SELECT FROM unposted u WHERE u.org = o.org LIMIT enough) AS queued) >= enough
       OR EXISTS (SELECT FROM posting_indexes i WHERE i.org = o.org AND i.filled_to < i.fill_until);
$$;

REVOKE EXECUTE ON FUNCTION queue_for_posting, lexemes_under, orgs_with_unposted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION queue_for_posting, lexemes_under, orgs_with_unposted TO commonplace_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON posting_indexes, posting_segments, postings, unposted
    TO commonplace_app;

-- Create a partition of chunks and their dependent tables. The application only accesses it through
-- the partitioned tables. Number 0 is for rows without a partition of their own.
CREATE FUNCTION make_partition(number integer) RETURNS void
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
DECLARE
    name text;
    constraints text;
    bounds text := CASE number
        WHEN 0 THEN '(CONSTRAINT shared_part CHECK (part = 0)) DEFAULT'
        ELSE format('FOR VALUES IN (%s)', number) END;
    hangs text := format(
        'ADD FOREIGN KEY (chunk_key) REFERENCES chunks_%s (key) ON DELETE CASCADE', number);
BEGIN
    FOR name, constraints IN VALUES
        ('chunks', 'ADD PRIMARY KEY (key)'),
        ('passages', 'ADD PRIMARY KEY (chunk_key), ' || hangs),
        ('vectors', 'ADD PRIMARY KEY (key), ' || hangs),
        ('reembedding_attempts', hangs)
    LOOP
        EXECUTE format('CREATE TABLE %1$s_%2$s PARTITION OF %1$s %3$s', name, number, bounds);
        EXECUTE format('ALTER TABLE %s_%s %s, ENABLE ROW LEVEL SECURITY', name, number, constraints);
        EXECUTE format('REVOKE ALL ON %s_%s FROM commonplace_app', name, number);
    END LOOP;
    EXECUTE format('CREATE UNIQUE INDEX vectors_%1$s_chunk'
                   ' ON vectors_%1$s (chunk_key, model, "window")', number);
END $$;

-- Move some of a tenant's chunks from the shared partition to its own; returns how many. Writers of
-- the tenant hold the same lock, shared, until their transactions end.
CREATE FUNCTION move_to_partition(tenant text, most integer) RETURNS integer
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
DECLARE
    number integer;
    keys bigint[];
    name text;
    key text;
    columns text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('commonplace.org.' || tenant, 0));
    SELECT p.part INTO STRICT number FROM org_partitions p WHERE p.org = tenant;
    -- Posting lists know chunks by their keys, which stay.
    PERFORM set_config('commonplace.rows_move', 'on', true);
    keys := ARRAY(SELECT c.key FROM chunks_0 c WHERE c.org = tenant LIMIT most);
    FOR name, key IN VALUES
        ('chunks', 'key'),
        ('passages', 'chunk_key'),
        ('vectors', 'chunk_key'),
        ('reembedding_attempts', 'chunk_key')
    LOOP
        SELECT string_agg(quote_ident(a.attname), ', ') INTO columns
        FROM pg_attribute a
        WHERE a.attrelid = name::regclass AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attname <> 'part';
        EXECUTE format('INSERT INTO %1$s_%2$s (%3$s, part) SELECT %3$s, %2$s FROM %1$s_0'
                       ' WHERE %4$s = ANY ($1)', name, number, columns, key) USING keys;
    END LOOP;
    DELETE FROM chunks_0 c WHERE c.key = ANY (keys);
    IF cardinality(keys) < most THEN
        UPDATE org_partitions p SET settled = true WHERE p.org = tenant;
    END IF;
    RETURN cardinality(keys);
END $$;

-- Empty a tenant's own partition at once; returns how many rows it had.
CREATE FUNCTION empty_partition(tenant text) RETURNS bigint
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
DECLARE
    number integer;
    held bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('commonplace.org.' || tenant, 0));
    SELECT p.part INTO number FROM org_partitions p WHERE p.org = tenant;
    IF number IS NULL THEN
        RETURN 0;
    END IF;
    EXECUTE format('SELECT (SELECT count(*) FROM chunks_%1$s) + (SELECT count(*) FROM passages_%1$s)'
                   ' + (SELECT count(*) FROM vectors_%1$s)', number) INTO held;
    EXECUTE format('TRUNCATE chunks_%1$s, passages_%1$s, vectors_%1$s, reembedding_attempts_%1$s',
                   number);
    RETURN held;
END $$;

REVOKE EXECUTE ON FUNCTION make_partition, move_to_partition, empty_partition FROM PUBLIC;
SELECT make_partition(0);
