-- 8: who may call over HTTP, and how much each org may use.

-- Tokens are known by a keyed digest. They are revoked, never deleted: that one was ever made
-- decides whether callers need one.
CREATE TABLE tokens (
    id           TEXT    NOT NULL PRIMARY KEY,
    org          TEXT    NOT NULL REFERENCES orgs (org),
    agent        TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    scopes       TEXT    NOT NULL CHECK (json_valid(scopes)),
    digest       TEXT    NOT NULL,
    created_by   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tokens_digest ON tokens (digest);
CREATE INDEX tokens_of_org ON tokens (org, created_at, id);

-- What a plan allows in a month; a metric without a number is not limited.
CREATE TABLE plans (
    plan    TEXT    NOT NULL,
    metric  TEXT    NOT NULL,
    monthly INTEGER CHECK (monthly >= 0),
    PRIMARY KEY (plan, metric)
) STRICT, WITHOUT ROWID;

-- The plan that an org is on.
CREATE TABLE org_plans (
    org  TEXT NOT NULL PRIMARY KEY REFERENCES orgs (org),
    plan TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What an org is allowed instead of what its plan says.
CREATE TABLE quota_overrides (
    org     TEXT    NOT NULL REFERENCES orgs (org),
    metric  TEXT    NOT NULL,
    monthly INTEGER CHECK (monthly >= 0),
    PRIMARY KEY (org, metric)
) STRICT, WITHOUT ROWID;
