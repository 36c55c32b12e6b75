-- What agents asked, kept for a while: what was given are references, read with the reader's rights.
CREATE TABLE questions (
    key      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org      text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent    text COLLATE "C" NOT NULL,
    client   text   NOT NULL,
    at       bigint NOT NULL,
    tool     text COLLATE "C" NOT NULL,
    question text   NOT NULL,
    outcome  text COLLATE "C" NOT NULL
        CHECK (outcome IN ('answered', 'related', 'found', 'nothing')),
    given    text[] NOT NULL
);

CREATE INDEX questions_newest ON questions (org, key);
CREATE INDEX questions_outcome ON questions (org, outcome, key);
CREATE INDEX questions_at ON questions (org, at, outcome);

-- Calls of an hour, by how they ended and by how long they took: steps of a logarithmic scale.
CREATE TABLE call_counts (
    org    text COLLATE "C" NOT NULL REFERENCES orgs (org),
    hour   bigint NOT NULL,
    tool   text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    step   bigint NOT NULL,
    count  bigint NOT NULL,
    PRIMARY KEY (org, hour, tool, status, step)
);

ALTER TABLE questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON questions USING (org = (SELECT current_org()));
CREATE POLICY own ON call_counts USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON questions, call_counts TO commonplace_app;
