-- Posting lists: which chunks have a token, for orgs with many chunks. Derived from passages.

CREATE TABLE posting_indexes (
    org        TEXT    NOT NULL PRIMARY KEY,
    filled_to  INTEGER NOT NULL,
    fill_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE posting_segments (
    segment   INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL,
    ready     INTEGER NOT NULL CHECK (ready IN (0, 1)),
    first_key INTEGER NOT NULL,
    last_key  INTEGER NOT NULL,
    chunks    INTEGER NOT NULL,
    tokens    INTEGER NOT NULL,
    blocks    INTEGER NOT NULL,
    gone      BLOB    NOT NULL
) STRICT;

CREATE INDEX posting_segments_org ON posting_segments (org, segment);

CREATE TABLE postings (
    place INTEGER PRIMARY KEY,
    org   TEXT    NOT NULL,
    data  BLOB    NOT NULL
) STRICT;

CREATE INDEX postings_org ON postings (org, place);

CREATE TABLE unposted (
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL,
    chunk_key INTEGER NOT NULL
) STRICT;

CREATE INDEX unposted_chunk ON unposted (org, chunk_key);

CREATE TRIGGER passages_to_post AFTER INSERT ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_post_anew
AFTER UPDATE OF scope, context_terms, terms, words, title_grams ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_forget AFTER DELETE ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (old.org, old.chunk_key);
END;
