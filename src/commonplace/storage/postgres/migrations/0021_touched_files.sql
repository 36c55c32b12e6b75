-- Which files a commit of a history touched; the commit itself is a document.
CREATE TABLE touched_files (
    document_key bigint NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    path         text COLLATE "C" NOT NULL,
    org          text COLLATE "C" NOT NULL,
    PRIMARY KEY (document_key, path)
);

ALTER TABLE touched_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON touched_files USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON touched_files TO commonplace_app;
