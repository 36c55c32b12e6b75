-- 6: projects, and resources that have many files or none, attached in several places.

ALTER TABLE entries ADD COLUMN resource_key INTEGER;
ALTER TABLE chunks ADD COLUMN resource_key INTEGER;
CREATE INDEX entries_resource ON entries (org, resource_key)
    WHERE deleted_at IS NULL AND resource_key IS NOT NULL;
CREATE INDEX chunks_resource ON chunks (org, resource_key) WHERE resource_key IS NOT NULL;

-- SQLite cannot change a check or drop NOT NULL: the three tables are made anew.
CREATE TABLE old_resources AS SELECT * FROM resources;
CREATE TABLE old_attachments AS SELECT * FROM attachments;
CREATE TABLE old_documents AS SELECT * FROM documents;
CREATE TABLE old_sequence AS
    SELECT name, seq FROM sqlite_sequence WHERE name IN ('resources', 'attachments', 'documents');
DROP TABLE documents;
DROP TABLE attachments;
DROP TABLE resources;

-- What text is read from: an address to fetch, bytes in `blobs`, a folder with many files, or the
-- entries that name it. `generation` counts how often reading was asked for, so that an outdated
-- reading cannot overwrite a newer one.
CREATE TABLE resources (
    key            INTEGER PRIMARY KEY AUTOINCREMENT,
    org            TEXT    NOT NULL REFERENCES orgs (org),
    id             TEXT    NOT NULL,
    type           TEXT    NOT NULL
        CHECK (type IN ('url', 'file', 'page', 'folder', 'pushed', 'notebook', 'record')),
    locator        TEXT    NOT NULL,
    digest         TEXT,
    media_type     TEXT    NOT NULL,
    agent          TEXT    NOT NULL,
    revision       INTEGER NOT NULL CHECK (revision > 0),
    created_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    status         TEXT    NOT NULL
        CHECK (status IN ('pending', 'processing', 'ready', 'error')),
    error          TEXT,
    generation     INTEGER NOT NULL,
    etag           TEXT    NOT NULL,
    last_modified  TEXT    NOT NULL,
    synced_at      INTEGER,
    -- Of what a workspace attaches; NULL for the sources of documents.
    knowledge_type TEXT,
    name           TEXT,
    run_id         TEXT,
    watched_until  INTEGER
) STRICT;

CREATE UNIQUE INDEX resources_id ON resources (org, id);
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND knowledge_type IS NULL;
CREATE INDEX resources_digest ON resources (org, digest) WHERE digest IS NOT NULL;
CREATE UNIQUE INDEX resources_locator ON resources (org, knowledge_type, locator)
    WHERE deleted_at IS NULL AND knowledge_type IS NOT NULL;

-- A resource's presence in one scope, under one name.
CREATE TABLE attachments (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    scope        TEXT    NOT NULL
        CHECK (scope IN ('system', 'workspace', 'space', 'project', 'global')),
    workspace    TEXT,
    space        TEXT,
    label        TEXT    NOT NULL,
    -- Of what a workspace attaches; NULL for the sources of documents.
    id           TEXT,
    project_id   TEXT,
    trust        TEXT,
    weight       REAL,
    enabled      INTEGER CHECK (enabled IN (0, 1))
) STRICT;

CREATE INDEX attachments_resource ON attachments (resource_key);
CREATE UNIQUE INDEX attachments_id ON attachments (org, id) WHERE id IS NOT NULL;
CREATE UNIQUE INDEX attachments_once ON attachments (resource_key, coalesce(project_id, ''))
    WHERE id IS NOT NULL;

-- What was read of a resource, file by file, each at one hash of its content. Its key owns the
-- chunks. A source has one, whose path is ''.
CREATE TABLE documents (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    content_hash TEXT    NOT NULL,
    chunk_count  INTEGER NOT NULL,
    path         TEXT    NOT NULL DEFAULT '',
    size         INTEGER NOT NULL DEFAULT 0,
    modified_ns  INTEGER NOT NULL DEFAULT 0,
    language     TEXT,
    digest       TEXT
) STRICT;

CREATE UNIQUE INDEX documents_path ON documents (resource_key, path);
CREATE INDEX documents_digest ON documents (org, digest) WHERE digest IS NOT NULL;

INSERT INTO resources (key, org, id, type, locator, digest, media_type, agent, revision, created_at,
                       deleted_at, status, error, generation, etag, last_modified, synced_at)
SELECT key, org, id, type, locator, digest, media_type, agent, revision, created_at,
       deleted_at, status, error, generation, etag, last_modified, synced_at
FROM old_resources;
INSERT INTO attachments (key, org, resource_key, scope, workspace, space, label)
SELECT key, org, resource_key, scope, workspace, space, label FROM old_attachments;
INSERT INTO documents (key, org, resource_key, content_hash, chunk_count)
SELECT key, org, resource_key, content_hash, chunk_count FROM old_documents;

-- A key is never used twice, also not the key of a row that has gone.
DELETE FROM sqlite_sequence WHERE name IN ('resources', 'attachments', 'documents');
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM old_sequence;
DROP TABLE old_resources;
DROP TABLE old_attachments;
DROP TABLE old_documents;
DROP TABLE old_sequence;

-- What agents work on: a repository with its root folders. `repository` is equal for all clones.
CREATE TABLE projects (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    org        TEXT    NOT NULL REFERENCES orgs (org),
    id         TEXT    NOT NULL,
    handle     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    roots      TEXT    NOT NULL CHECK (json_valid(roots)),
    repository TEXT,
    agent      TEXT    NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision > 0),
    created_at INTEGER NOT NULL,
    deleted_at INTEGER
) STRICT;

CREATE UNIQUE INDEX projects_id ON projects (org, id);
CREATE UNIQUE INDEX projects_handle ON projects (org, handle) WHERE deleted_at IS NULL;
CREATE INDEX projects_repository ON projects (org, repository) WHERE deleted_at IS NULL;
