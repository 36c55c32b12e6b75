-- 3: categories of entries, how entries are used, feedback, and the review queue.

-- A dialect's own type within a kind.
ALTER TABLE entries ADD COLUMN category TEXT;
ALTER TABLE chunks ADD COLUMN category TEXT;

-- Everything that lists and counts of one kind look at, so that they read no text.
CREATE INDEX entries_of_kind ON entries (
    org, kind, created_at DESC, key DESC, deleted_at, visibility, agent, head, expires_at,
    category, workspace, space, project, tags
) WHERE deleted_at IS NULL;

-- How often entries are handed out; apart from them, because reading is not a change.
CREATE TABLE accesses (
    entry_key INTEGER NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org       TEXT    NOT NULL,
    count     INTEGER NOT NULL,
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL
) STRICT;

-- What people and agents said of detections; it teaches while `teaches` is set.
CREATE TABLE feedback (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    org        TEXT    NOT NULL REFERENCES orgs (org),
    agent      TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    verdict    TEXT    NOT NULL CHECK (verdict IN ('confirm', 'reject')),
    confidence REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    factors    TEXT    NOT NULL CHECK (json_valid(factors)),
    comment    TEXT,
    teaches    INTEGER NOT NULL CHECK (teaches IN (0, 1)),
    at         INTEGER NOT NULL
) STRICT;

CREATE INDEX feedback_newest ON feedback (org, key);

-- Detected moments that wait for somebody's decision.
CREATE TABLE reviews (
    key         INTEGER PRIMARY KEY AUTOINCREMENT,
    org         TEXT    NOT NULL REFERENCES orgs (org),
    id          TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    agent       TEXT    NOT NULL,
    moment      TEXT    NOT NULL CHECK (json_valid(moment)),
    confidence  REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    level       TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('waiting', 'confirmed', 'rejected')),
    created_at  INTEGER NOT NULL,
    decided_at  INTEGER,
    decided_by  TEXT,
    entry_id    TEXT
) STRICT;

CREATE UNIQUE INDEX reviews_id ON reviews (org, id);
CREATE UNIQUE INDEX reviews_fingerprint ON reviews (org, fingerprint);
CREATE INDEX reviews_status ON reviews (org, status, key);
