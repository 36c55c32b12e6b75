-- Which files a commit of a history touched; the commit itself is a document.
CREATE TABLE touched_files (
    document_key INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    path         TEXT    NOT NULL,
    org          TEXT    NOT NULL,
    PRIMARY KEY (document_key, path)
) STRICT, WITHOUT ROWID;
