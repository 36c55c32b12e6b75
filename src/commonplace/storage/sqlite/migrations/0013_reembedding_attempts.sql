-- Attempts to embed chunks with a model that is being prepared: counted when they begin, gone when
-- they have ended. What stays has ended its worker.
CREATE TABLE reembedding_attempts (
    org       TEXT    NOT NULL,
    chunk_key INTEGER NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
    model     TEXT    NOT NULL,
    attempts  INTEGER NOT NULL,
    PRIMARY KEY (org, model, chunk_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX reembedding_attempts_chunk ON reembedding_attempts (chunk_key);
