-- 8: who may call over HTTP, and how much each org may use.

-- Tokens are known by a keyed digest. They are revoked, never deleted: that one was ever made
-- decides whether callers need one.
CREATE TABLE tokens (
    id           text COLLATE "C" NOT NULL PRIMARY KEY,
    org          text COLLATE "C" NOT NULL REFERENCES orgs (org),
    agent        text COLLATE "C" NOT NULL,
    name         text   NOT NULL,
    scopes       text[] COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL,
    created_by   text   NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint,
    revoked_at   bigint,
    last_used_at bigint
);

CREATE UNIQUE INDEX tokens_digest ON tokens (digest);
CREATE INDEX tokens_of_org ON tokens (org, created_at, id);

-- Secrets of the installation, the same for all its processes.
CREATE TABLE server_keys (
    name  text COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);

-- What a plan allows in a month; a metric without a number is not limited.
CREATE TABLE plans (
    plan    text COLLATE "C" NOT NULL,
    metric  text COLLATE "C" NOT NULL,
    monthly bigint CHECK (monthly >= 0),
    PRIMARY KEY (plan, metric)
);

-- The plan that an org is on.
CREATE TABLE org_plans (
    org  text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES orgs (org),
    plan text COLLATE "C" NOT NULL
);

-- What an org is allowed instead of what its plan says.
CREATE TABLE quota_overrides (
    org     text COLLATE "C" NOT NULL REFERENCES orgs (org),
    metric  text COLLATE "C" NOT NULL,
    monthly bigint CHECK (monthly >= 0),
    PRIMARY KEY (org, metric)
);

-- A caller is known by a token before the tenant is; whoever asks has the token's digest or id.
CREATE FUNCTION token_by_digest(wanted text) RETURNS SETOF tokens
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT t.* FROM tokens t WHERE t.digest = wanted;
$$;

CREATE FUNCTION token_by_id(wanted text) RETURNS SETOF tokens
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT t.* FROM tokens t WHERE t.id = wanted;
$$;

-- Whether any token was ever made.
CREATE FUNCTION any_token() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT EXISTS (SELECT FROM tokens);
$$;

-- Whether any org is on a plan.
CREATE FUNCTION plan_in_use(wanted text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT EXISTS (SELECT FROM org_plans o WHERE o.plan = wanted);
$$;

ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE org_plans ENABLE ROW LEVEL SECURITY;
ALTER TABLE quota_overrides ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON tokens USING (org = (SELECT current_org()));
CREATE POLICY own ON org_plans USING (org = (SELECT current_org()));
CREATE POLICY own ON quota_overrides USING (org = (SELECT current_org()));
REVOKE EXECUTE ON FUNCTION token_by_digest, token_by_id, any_token, plan_in_use FROM PUBLIC;
GRANT EXECUTE ON FUNCTION token_by_digest, token_by_id, any_token, plan_in_use
    TO commonplace_app;
-- A token changes only in that it ends or is used.
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON tokens TO commonplace_app;
GRANT SELECT, INSERT ON server_keys TO commonplace_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plans, org_plans, quota_overrides TO commonplace_app;
