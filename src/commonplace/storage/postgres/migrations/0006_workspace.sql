-- 6: projects, and resources that have many files or none, attached in several places.

ALTER TABLE entries ADD COLUMN resource_key bigint;
ALTER TABLE chunks ADD COLUMN resource_key bigint;
CREATE INDEX entries_resource ON entries (org, resource_key)
    WHERE deleted_at IS NULL AND resource_key IS NOT NULL;
CREATE INDEX chunks_resource ON chunks (org, resource_key) WHERE resource_key IS NOT NULL;

ALTER TABLE resources
    DROP CONSTRAINT resources_type_check,
    ADD CONSTRAINT resources_type_check
        CHECK (type IN ('url', 'file', 'page', 'folder', 'pushed', 'notebook', 'record')),
    ADD COLUMN knowledge_type text COLLATE "C",
    ADD COLUMN name text,
    ADD COLUMN run_id text COLLATE "C",
    ADD COLUMN watched_until bigint;
DROP INDEX resources_newest;
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND knowledge_type IS NULL;
CREATE UNIQUE INDEX resources_locator ON resources (org, knowledge_type, locator)
    WHERE deleted_at IS NULL AND knowledge_type IS NOT NULL;

ALTER TABLE attachments
    DROP CONSTRAINT attachments_scope_check,
    ADD CONSTRAINT attachments_scope_check
        CHECK (scope IN ('system', 'workspace', 'space', 'project', 'global')),
    ADD COLUMN id text COLLATE "C",
    ADD COLUMN project_id text COLLATE "C",
    ADD COLUMN trust text COLLATE "C",
    ADD COLUMN weight double precision,
    ADD COLUMN enabled boolean;
CREATE UNIQUE INDEX attachments_id ON attachments (org, id) WHERE id IS NOT NULL;
CREATE UNIQUE INDEX attachments_once ON attachments (resource_key, coalesce(project_id, ''))
    WHERE id IS NOT NULL;

ALTER TABLE documents
    ADD COLUMN path text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN size bigint NOT NULL DEFAULT 0,
    ADD COLUMN modified_ns bigint NOT NULL DEFAULT 0,
    ADD COLUMN language text COLLATE "C",
    ADD COLUMN digest text COLLATE "C";
DROP INDEX documents_resource;
CREATE UNIQUE INDEX documents_path ON documents (resource_key, path);
CREATE INDEX documents_digest ON documents (org, digest) WHERE digest IS NOT NULL;

-- What agents work on: a repository with its root folders. `repository` is equal for all clones.
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
