-- Attempts to embed chunks with a model that is being prepared: counted when they begin, gone when
-- they have ended. What stays has ended its worker.
CREATE TABLE reembedding_attempts (
    org       text COLLATE "C" NOT NULL,
    chunk_key bigint NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
    model     text COLLATE "C" NOT NULL,
    attempts  bigint NOT NULL,
    PRIMARY KEY (org, model, chunk_key)
);

CREATE INDEX reembedding_attempts_chunk ON reembedding_attempts (chunk_key);

ALTER TABLE reembedding_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON reembedding_attempts USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON reembedding_attempts TO commonplace_app;
