-- 7: the code graph.

-- What was extracted of a file of code: enough to link it without parsing it again. `interface` is
-- equal for versions that look alike from outside; `reads` and `packages` are what its links
-- depend on.
CREATE TABLE code_files (
    document_key INTEGER NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL,
    path         TEXT    NOT NULL,
    language     TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    package      TEXT    NOT NULL,
    interface    TEXT    NOT NULL,
    problem      TEXT    NOT NULL,
    specifiers   TEXT    NOT NULL,
    facts        BLOB    NOT NULL,
    linked       INTEGER NOT NULL DEFAULT 0 CHECK (linked IN (0, 1)),
    reads        TEXT    NOT NULL DEFAULT '[]',
    packages     TEXT    NOT NULL DEFAULT '[]',
    tally        TEXT    NOT NULL DEFAULT '{}'
) STRICT;

CREATE INDEX code_files_resource ON code_files (resource_key, path);

-- Definitions. The key is made of the document's key and a slot that a symbol keeps.
CREATE TABLE symbols (
    key          INTEGER NOT NULL PRIMARY KEY,
    org          TEXT    NOT NULL,
    document_key INTEGER NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    resource_key INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    folded       TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    exported     INTEGER NOT NULL CHECK (exported IN (0, 1)),
    line         INTEGER NOT NULL,
    column_at    INTEGER NOT NULL,
    first_line   INTEGER NOT NULL,
    last_line    INTEGER NOT NULL,
    signature    TEXT    NOT NULL,
    doc          TEXT    NOT NULL
) STRICT;

CREATE INDEX symbols_name ON symbols (folded, resource_key);
CREATE INDEX symbols_document ON symbols (document_key, number);

-- Uses of a name by a symbol, or by a file itself. Without a target they are unresolved.
CREATE TABLE edges (
    document_key INTEGER NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL,
    source_key   INTEGER,
    name         TEXT    NOT NULL,
    "use"        TEXT    NOT NULL,
    target_key   INTEGER,
    "rank"       INTEGER NOT NULL,
    resolution   TEXT    NOT NULL,
    confidence   REAL    NOT NULL,
    lines        TEXT    NOT NULL,
    PRIMARY KEY (document_key, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX edges_target ON edges (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX edges_name ON edges (name, resource_key);

-- What a compiler's index says of one version of a file.
CREATE TABLE compiled_files (
    document_key INTEGER NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    data         BLOB    NOT NULL
) STRICT;
