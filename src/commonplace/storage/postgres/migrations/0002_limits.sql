-- 2: repeated calls that act once, and quotas.

-- Calls that carry a token: the answer of the first is the answer of its repetitions.
CREATE TABLE replays (
    org       text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent     text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    token     text COLLATE "C" NOT NULL,
    answer    json,
    until     bigint NOT NULL,
    PRIMARY KEY (org, agent, operation, token)
);

CREATE INDEX replays_until ON replays (org, until);

-- How much an org has used of what is limited, per calendar month.
CREATE TABLE usage (
    org    text COLLATE "C" NOT NULL REFERENCES orgs (org),
    period text COLLATE "C" NOT NULL,
    metric text COLLATE "C" NOT NULL,
    used   bigint NOT NULL,
    PRIMARY KEY (org, period, metric)
);

ALTER TABLE replays ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON replays USING (org = (SELECT current_org()));
CREATE POLICY own ON usage USING (org = (SELECT current_org()));
GRANT SELECT, INSERT, UPDATE, DELETE ON replays, usage TO commonplace_app;
