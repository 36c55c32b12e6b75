-- 3: categories of entries, how entries are used, feedback, and the review queue.

-- A dialect's own type within a kind.
ALTER TABLE entries ADD COLUMN category text COLLATE "C";
ALTER TABLE chunks ADD COLUMN category text COLLATE "C";

-- Everything that lists and counts of one kind look at, so that they read no text.
CREATE INDEX entries_of_kind ON entries (org, kind, created_at DESC, key DESC)
    INCLUDE (visibility, agent, head, expires_at, category, workspace, space, project)
    WHERE deleted_at IS NULL;

-- How often entries are handed out; apart from them, because reading is not a change.
CREATE TABLE accesses (
    entry_key bigint NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org       text COLLATE "C" NOT NULL,
    count     bigint NOT NULL,
    first_at  bigint NOT NULL,
    last_at   bigint NOT NULL
);

-- What people and agents said of detections; it teaches while `teaches` is set.
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

-- Detected moments that wait for somebody's decision.
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

-- Readable entries that carry any of the tags.
CREATE FUNCTION entries_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT e.key
    FROM entries e
    WHERE e.tags && wanted
      AND (e.org = current_org() OR e.visibility = 'network' OR e.org = 'system');
$$;

-- Readable chunks that carry any of the tags.
CREATE FUNCTION chunks_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT c.key
    FROM chunks c
    WHERE c.tags && wanted
      AND (c.org = current_org() OR c.visibility = 'network' OR c.org = 'system');
$$;

REVOKE EXECUTE ON FUNCTION entries_tagged_any, chunks_tagged_any FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entries_tagged_any, chunks_tagged_any TO commonplace_app;
