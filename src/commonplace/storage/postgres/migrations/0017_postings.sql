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

-- Packed already: compressing it once more would cost every search.
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
    IF TG_OP = 'DELETE' THEN
        INSERT INTO unposted (org, chunk_key) VALUES (OLD.org, OLD.chunk_key);
    ELSE
        INSERT INTO unposted (org, chunk_key) VALUES (NEW.org, NEW.chunk_key);
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER passage_to_post AFTER INSERT OR DELETE OR UPDATE OF search, context_terms ON passages
    FOR EACH ROW EXECUTE FUNCTION queue_for_posting();

-- The tokens of one kind in what the text index holds of a chunk, without their prefix.
CREATE FUNCTION lexemes_under(prefix text, search tsvector) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = commonplace, pg_temp AS $$
    SELECT coalesce(string_agg(substr(lexeme, 2), ' '), '')
    FROM unnest(tsvector_to_array(search)) AS lexeme
    WHERE left(lexeme, 1) = prefix;
$$;

-- Orgs whose posting lists have something to catch up with, across tenants: names, no content.
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
