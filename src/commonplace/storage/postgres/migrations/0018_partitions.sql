-- Chunks and what hangs on them in partitions: what is there becomes the shared one as it is, no
-- row is read or written. Workers move the rows of large orgs to partitions of their own later.
CREATE SEQUENCE org_partitions_part_seq AS integer;
CREATE TABLE org_partitions (
    org     text COLLATE "C" NOT NULL PRIMARY KEY,
    part    integer NOT NULL UNIQUE DEFAULT nextval('org_partitions_part_seq'),
    settled boolean NOT NULL DEFAULT false
);

ALTER SEQUENCE org_partitions_part_seq OWNED BY org_partitions.part;
-- The tables as they are, under the names of partitions.
ALTER TABLE chunks ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE passages ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE vectors ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE reembedding_attempts ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE chunks ALTER COLUMN key DROP IDENTITY;
ALTER TABLE vectors ALTER COLUMN key DROP IDENTITY;
ALTER TABLE reembedding_attempts DROP CONSTRAINT reembedding_attempts_pkey;
DROP TRIGGER passage_to_post ON passages;
DROP POLICY own ON chunks;
DROP POLICY shared ON chunks;
REVOKE ALL ON chunks FROM commonplace_app;
ALTER TABLE chunks RENAME TO chunks_0;
ALTER INDEX chunks_owner RENAME TO chunks_0_org_owner_type_owner_key_ordinal_idx;
ALTER INDEX chunks_sample RENAME TO chunks_0_org_text_hash_key_idx;
ALTER INDEX chunks_shared RENAME TO chunks_0_key_idx;
ALTER INDEX chunks_waiting RENAME TO chunks_0_org_embedding_urgency_embedding_due_key_idx;
ALTER INDEX chunks_model RENAME TO chunks_0_org_embedding_model_key_idx;
ALTER INDEX chunks_resource RENAME TO chunks_0_org_resource_key_idx;
ALTER INDEX chunks_failed RENAME TO chunks_0_org_key_idx;
ALTER INDEX chunks_pending RENAME TO chunks_0_org_embedding_due_embedding_model_idx;
ALTER INDEX chunks_previewed RENAME TO chunks_0_org_embedding_due_embedding_model_idx1;
ALTER INDEX chunks_left_out RENAME TO chunks_0_org_key_idx1;
ALTER INDEX chunks_tags RENAME TO chunks_0_tags_idx;
ALTER INDEX chunks_pkey RENAME TO chunks_0_pkey;
DROP POLICY own ON passages;
DROP POLICY shared ON passages;
REVOKE ALL ON passages FROM commonplace_app;
ALTER TABLE passages RENAME TO passages_0;
ALTER INDEX passages_search RENAME TO passages_0_search_idx;
ALTER INDEX passages_pkey RENAME TO passages_0_pkey;
ALTER TABLE passages_0 RENAME CONSTRAINT passages_chunk_key_fkey TO passages_0_chunk_key_fkey;
DROP POLICY own ON vectors;
DROP POLICY shared ON vectors;
REVOKE ALL ON vectors FROM commonplace_app;
ALTER TABLE vectors RENAME TO vectors_0;
ALTER INDEX vectors_chunk RENAME TO vectors_0_chunk;
ALTER INDEX vectors_org RENAME TO vectors_0_org_model_idx;
ALTER INDEX vectors_shared RENAME TO vectors_0_model_idx;
ALTER INDEX vectors_pkey RENAME TO vectors_0_pkey;
ALTER TABLE vectors_0 RENAME CONSTRAINT vectors_chunk_key_fkey TO vectors_0_chunk_key_fkey;
DROP POLICY own ON reembedding_attempts;
REVOKE ALL ON reembedding_attempts FROM commonplace_app;
ALTER TABLE reembedding_attempts RENAME TO reembedding_attempts_0;
ALTER INDEX reembedding_attempts_chunk RENAME TO reembedding_attempts_0_chunk_key_idx;
ALTER TABLE reembedding_attempts_0 RENAME CONSTRAINT reembedding_attempts_chunk_key_fkey TO reembedding_attempts_0_chunk_key_fkey;

-- Constraints of the whole are named as those of a partition: they make room for a moment.
DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', conrelid::regclass, conname, '_' || conname)
        FROM pg_constraint
        WHERE contype IN ('c', 'f', 'n') AND conrelid IN (
            'chunks_0'::regclass, 'passages_0'::regclass, 'vectors_0'::regclass, 'reembedding_attempts_0'::regclass)
    LOOP
        EXECUTE command;
    END LOOP;
END $$;

CREATE SEQUENCE chunks_key_seq;
CREATE SEQUENCE vectors_key_seq;
SELECT setval('chunks_key_seq', coalesce((SELECT max(key) FROM chunks_0), 0) + 1, false);
ALTER TABLE chunks_0 ALTER COLUMN key SET DEFAULT nextval('chunks_key_seq');
SELECT setval('vectors_key_seq', coalesce((SELECT max(key) FROM vectors_0), 0) + 1, false);
ALTER TABLE vectors_0 ALTER COLUMN key SET DEFAULT nextval('vectors_key_seq');

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

CREATE INDEX vectors_org ON vectors (org, model);
CREATE INDEX vectors_shared ON vectors (model) WHERE shared;

CREATE TABLE reembedding_attempts (
    org       text COLLATE "C" NOT NULL,
    chunk_key bigint NOT NULL,
    model     text COLLATE "C" NOT NULL,
    attempts  bigint NOT NULL,
    part      integer NOT NULL DEFAULT 0
) PARTITION BY LIST (part);

CREATE UNIQUE INDEX reembedding_attempts_once ON reembedding_attempts (org, model, chunk_key, part);
CREATE INDEX reembedding_attempts_chunk ON reembedding_attempts (chunk_key);

DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', conrelid::regclass, conname, substr(conname, 2))
        FROM pg_constraint
        WHERE conname LIKE '\_%' AND conrelid IN (
            'chunks_0'::regclass, 'passages_0'::regclass, 'vectors_0'::regclass, 'reembedding_attempts_0'::regclass)
    LOOP
        EXECUTE command;
    END LOOP;
END $$;

ALTER SEQUENCE chunks_key_seq OWNED BY chunks.key;
ALTER SEQUENCE vectors_key_seq OWNED BY vectors.key;

-- The indexes of models: the same on the whole as on the partition.
DO $$
DECLARE
    made record;
BEGIN
    FOR made IN
        SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
        FROM pg_class c JOIN pg_am a ON a.oid = c.relam
        WHERE c.relnamespace = 'commonplace'::regnamespace AND a.amname = 'hnsw'
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', made.name,
                       replace(made.name, 'vectors_of_', 'vectors_0_of_'));
        EXECUTE replace(made.definition, 'ON commonplace.vectors_0 ', 'ON commonplace.vectors ');
    END LOOP;
END $$;

-- That all of it is in partition 0 is true, and checked later where there are rows to look at.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['chunks', 'passages', 'vectors', 'reembedding_attempts'] LOOP
        EXECUTE format('ALTER TABLE %s_0 ADD CONSTRAINT shared_part CHECK (part = 0) NOT VALID', name);
        EXECUTE format('ALTER TABLE %1$s ATTACH PARTITION %1$s_0 DEFAULT', name);
    END LOOP;
    IF NOT EXISTS (SELECT FROM chunks_0) THEN
        FOREACH name IN ARRAY ARRAY['chunks', 'passages', 'vectors', 'reembedding_attempts'] LOOP
            EXECUTE format('ALTER TABLE %s_0 VALIDATE CONSTRAINT shared_part', name);
        END LOOP;
    END IF;
END $$;

ALTER TABLE chunks ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON chunks USING (org = current_org());
CREATE POLICY shared ON chunks FOR SELECT
    USING ((visibility = 'network' AND (SELECT network_open())) OR org = 'system');
ALTER TABLE passages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON passages USING (org = current_org());
CREATE POLICY shared ON passages FOR SELECT
    USING (shared AND ((SELECT network_open()) OR org = 'system'));
ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON vectors USING (org = current_org());
CREATE POLICY shared ON vectors FOR SELECT
    USING (shared AND ((SELECT network_open()) OR org = 'system'));
ALTER TABLE reembedding_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON reembedding_attempts USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON chunks, passages, vectors, reembedding_attempts
    TO commonplace_app;
GRANT USAGE ON SEQUENCE chunks_key_seq, vectors_key_seq TO commonplace_app;

CREATE OR REPLACE FUNCTION queue_for_posting() RETURNS trigger
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

CREATE FUNCTION current_parts() RETURNS integer[]
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT nullif(current_setting('commonplace.parts', true), '')::integer[];
$$;

CREATE FUNCTION partitions_of(tenant text) RETURNS TABLE (part integer, parts integer[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT max(coalesce(p.part, 0)) FILTER (WHERE reads.org = tenant),
           array_agg(coalesce(p.part, 0))
               || CASE WHEN bool_or(NOT p.settled) THEN ARRAY[0] ELSE '{}' END
    FROM (VALUES (tenant), ('system')) AS reads (org)
    LEFT JOIN org_partitions p USING (org);
$$;

CREATE OR REPLACE FUNCTION matching_passages(matches text[], scope text, reach bigint, among bigint[])
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

CREATE OR REPLACE FUNCTION tagged_chunks(wanted text[]) RETURNS SETOF bigint
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

CREATE OR REPLACE FUNCTION chunks_tagged_any(wanted text[]) RETURNS SETOF bigint
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

CREATE OR REPLACE FUNCTION waiting_orgs(moment bigint)
RETURNS TABLE (org text, urgency bigint, has_targets boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org,
           (SELECT c.embedding_urgency FROM chunks c
            WHERE c.part IN (0, p.part)
              AND c.org = o.org AND c.embedding_due IS NOT NULL AND c.embedding_due <= moment
            ORDER BY c.embedding_urgency, c.embedding_due
            LIMIT 1),
           EXISTS (SELECT 1 FROM targets t WHERE t.org = o.org AND t.due <= moment)
    FROM orgs o LEFT JOIN org_partitions p USING (org);
$$;

CREATE OR REPLACE FUNCTION readable_vectors(wanted text, most bigint) RETURNS bigint
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

REVOKE EXECUTE ON FUNCTION current_parts, partitions_of, make_partition, move_to_partition,
    empty_partition FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_parts, partitions_of TO commonplace_app;
