-- 7: the code graph.

-- What was extracted of a file of code: enough to link it without parsing it again. `interface` is
-- equal for versions that look alike from outside; `reads` and `packages` are what its links
-- depend on.
CREATE TABLE code_files (
    document_key bigint NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL,
    path         text COLLATE "C" NOT NULL,
    language     text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    version      bigint NOT NULL,
    package      text COLLATE "C" NOT NULL,
    interface    text COLLATE "C" NOT NULL,
    problem      text    NOT NULL,
    specifiers   text[]  NOT NULL,
    facts        bytea   NOT NULL,
    linked       boolean NOT NULL DEFAULT false,
    reads        bigint[] NOT NULL DEFAULT '{}',
    packages     text[]  NOT NULL DEFAULT '{}',
    tally        jsonb   NOT NULL DEFAULT '{}'
);

CREATE INDEX code_files_resource ON code_files (resource_key, path);

-- Definitions. The key is made of the document's key and a slot that a symbol keeps.
CREATE TABLE symbols (
    key          bigint NOT NULL PRIMARY KEY,
    org          text COLLATE "C" NOT NULL,
    document_key bigint NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    resource_key bigint NOT NULL,
    number       bigint NOT NULL,
    name         text COLLATE "C" NOT NULL,
    folded       text COLLATE "C" NOT NULL,
    path         text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    exported     boolean NOT NULL,
    line         bigint NOT NULL,
    column_at    bigint NOT NULL,
    first_line   bigint NOT NULL,
    last_line    bigint NOT NULL,
    signature    text    NOT NULL,
    doc          text    NOT NULL
);

CREATE INDEX symbols_name ON symbols (folded, resource_key);
CREATE INDEX symbols_document ON symbols (document_key, number);

-- Uses of a name by a symbol, or by a file itself. Without a target they are unresolved.
CREATE TABLE edges (
    document_key bigint NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    ordinal      bigint NOT NULL,
    org          text COLLATE "C" NOT NULL,
    resource_key bigint NOT NULL,
    source_key   bigint,
    name         text COLLATE "C" NOT NULL,
    "use"        text COLLATE "C" NOT NULL,
    target_key   bigint,
    "rank"       bigint NOT NULL,
    resolution   text COLLATE "C" NOT NULL,
    confidence   double precision NOT NULL,
    lines        bigint[] NOT NULL,
    PRIMARY KEY (document_key, ordinal)
);

CREATE INDEX edges_target ON edges (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX edges_name ON edges (name, resource_key);

-- What a compiler's index says of one version of a file.
CREATE TABLE compiled_files (
    document_key bigint NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          text COLLATE "C" NOT NULL,
    content_hash text COLLATE "C" NOT NULL,
    data         bytea   NOT NULL
);

ALTER TABLE code_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE symbols ENABLE ROW LEVEL SECURITY;
ALTER TABLE edges ENABLE ROW LEVEL SECURITY;
ALTER TABLE compiled_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON code_files USING (org = (SELECT current_org()));
CREATE POLICY own ON symbols USING (org = (SELECT current_org()));
CREATE POLICY own ON edges USING (org = (SELECT current_org()));
CREATE POLICY own ON compiled_files USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON code_files, symbols, edges, compiled_files
    TO commonplace_app;
