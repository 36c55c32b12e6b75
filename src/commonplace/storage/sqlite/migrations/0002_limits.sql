-- 2: repeated calls that act once, and quotas.

-- Calls that carry a token: the answer of the first is the answer of its repetitions.
CREATE TABLE replays (
    org       TEXT    NOT NULL REFERENCES orgs (org),
    agent     TEXT    NOT NULL,
    operation TEXT    NOT NULL,
    token     TEXT    NOT NULL,
    answer    TEXT    CHECK (answer IS NULL OR json_valid(answer)),
    until     INTEGER NOT NULL,
    PRIMARY KEY (org, agent, operation, token)
) STRICT, WITHOUT ROWID;

CREATE INDEX replays_until ON replays (org, until);

-- How much an org has used of what is limited, per calendar month.
CREATE TABLE usage (
    org    TEXT    NOT NULL REFERENCES orgs (org),
    period TEXT    NOT NULL,
    metric TEXT    NOT NULL,
    used   INTEGER NOT NULL,
    PRIMARY KEY (org, period, metric)
) STRICT, WITHOUT ROWID;
