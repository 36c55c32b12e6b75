-- What agents asked, kept for a while: what was given are references, read with the reader's rights.
CREATE TABLE questions (
    key      INTEGER PRIMARY KEY AUTOINCREMENT,
    org      TEXT    NOT NULL REFERENCES orgs (org),
    agent    TEXT    NOT NULL,
    client   TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    tool     TEXT    NOT NULL,
    question TEXT    NOT NULL,
    outcome  TEXT    NOT NULL CHECK (outcome IN ('answered', 'related', 'found', 'nothing')),
    given    TEXT    NOT NULL CHECK (json_valid(given))
) STRICT;

CREATE INDEX questions_newest ON questions (org, key);
CREATE INDEX questions_outcome ON questions (org, outcome, key);
CREATE INDEX questions_at ON questions (org, at, outcome);

-- Calls of an hour, by how they ended and by how long they took: steps of a logarithmic scale.
CREATE TABLE call_counts (
    org    TEXT    NOT NULL REFERENCES orgs (org),
    hour   INTEGER NOT NULL,
    tool   TEXT    NOT NULL,
    status TEXT    NOT NULL,
    step   INTEGER NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (org, hour, tool, status, step)
) STRICT, WITHOUT ROWID;
