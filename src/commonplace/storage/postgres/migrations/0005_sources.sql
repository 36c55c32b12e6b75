-- 5: sources, and the headings that lead to a chunk.

ALTER TABLE passages ADD COLUMN headings text[] COLLATE "C" NOT NULL DEFAULT '{}';

-- What text is read from: an address to fetch, or bytes in `blobs`. `generation` counts how often
-- reading was asked for, so that an outdated reading cannot overwrite a newer one.
CREATE TABLE resources (
    key           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org           text COLLATE "C" NOT NULL REFERENCES orgs (org),
    id            text COLLATE "C" NOT NULL,
    type          text COLLATE "C" NOT NULL CHECK (type IN ('url', 'file', 'page')),
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
    synced_at     bigint
);

CREATE UNIQUE INDEX resources_id ON resources (org, id);
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL;
CREATE INDEX resources_digest ON resources (org, digest) WHERE digest IS NOT NULL;

-- A resource's presence in one scope, under one name.
CREATE TABLE attachments (
    key          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    scope        text COLLATE "C" NOT NULL CHECK (scope IN ('system', 'workspace', 'space')),
    workspace    text COLLATE "C",
    space        text COLLATE "C",
    label        text   NOT NULL
);

CREATE INDEX attachments_resource ON attachments (resource_key);

-- What was read of a resource, at one hash of its content. Its key owns the chunks.
CREATE TABLE documents (
    key          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    content_hash text COLLATE "C" NOT NULL,
    chunk_count  bigint NOT NULL
);

CREATE UNIQUE INDEX documents_resource ON documents (resource_key);

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
