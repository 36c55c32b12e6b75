-- 5: sources, and the headings that lead to a chunk.

ALTER TABLE passages ADD COLUMN headings TEXT NOT NULL DEFAULT '[]';

-- What text is read from: an address to fetch, or bytes in `blobs`. `generation` counts how often
-- reading was asked for, so that an outdated reading cannot overwrite a newer one.
CREATE TABLE resources (
    key           INTEGER PRIMARY KEY AUTOINCREMENT,
    org           TEXT    NOT NULL REFERENCES orgs (org),
    id            TEXT    NOT NULL,
    type          TEXT    NOT NULL CHECK (type IN ('url', 'file', 'page')),
    locator       TEXT    NOT NULL,
    digest        TEXT,
    media_type    TEXT    NOT NULL,
    agent         TEXT    NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision > 0),
    created_at    INTEGER NOT NULL,
    deleted_at    INTEGER,
    status        TEXT    NOT NULL
        CHECK (status IN ('pending', 'processing', 'ready', 'error')),
    error         TEXT,
    generation    INTEGER NOT NULL,
    etag          TEXT    NOT NULL,
    last_modified TEXT    NOT NULL,
    synced_at     INTEGER
) STRICT;

CREATE UNIQUE INDEX resources_id ON resources (org, id);
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX resources_digest ON resources (org, digest) WHERE digest IS NOT NULL;

-- A resource's presence in one scope, under one name.
CREATE TABLE attachments (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    scope        TEXT    NOT NULL CHECK (scope IN ('system', 'workspace', 'space')),
    workspace    TEXT,
    space        TEXT,
    label        TEXT    NOT NULL
) STRICT;

CREATE INDEX attachments_resource ON attachments (resource_key);

-- What was read of a resource, at one hash of its content. Its key owns the chunks.
CREATE TABLE documents (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    content_hash TEXT    NOT NULL,
    chunk_count  INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX documents_resource ON documents (resource_key);
