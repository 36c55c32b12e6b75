-- name: insert_token
-- Store a token by its digest.
INSERT INTO tokens (id, org, agent, name, scopes, digest, created_by, created_at, expires_at)
VALUES (:id, :org, :token_agent, :name, :scopes, :digest, :agent, :now, :expires_at);

-- name: tokens_of_org
-- The tokens of an org, oldest first.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE org = :org ORDER BY created_at, id;

-- name: get_token
-- One token of an org.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE org = :org AND id = :id;

-- name: revoke_token
-- End a token that has not ended.
UPDATE tokens SET revoked_at = :now WHERE org = :org AND id = :id AND revoked_at IS NULL;

-- name: note_token_use
-- Remember that a token is used, unless that was noted lately.
UPDATE tokens SET last_used_at = :now
WHERE org = :org AND id = :id AND (last_used_at IS NULL OR last_used_at < :since);

-- name: token_by_digest
-- The token that a caller shows, whichever org it belongs to.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE digest = :digest;

-- name: token_by_id
-- A token by its id, whichever org it belongs to.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE id = :id;

-- name: any_token
-- Whether any token was ever made.
SELECT EXISTS (SELECT 1 FROM tokens) AS found;

-- name: allowance
-- What limits an org: the exception that was made for it, else its plan.
SELECT monthly FROM (
    SELECT q.monthly, 1 AS place FROM quota_overrides q WHERE q.org = :org AND q.metric = :metric
    UNION ALL
    SELECT p.monthly, 2 FROM org_plans o JOIN plans p ON p.plan = o.plan
    WHERE o.org = :org AND p.metric = :metric)
ORDER BY place LIMIT 1;

-- name: plan_of
-- The plan that an org is on.
SELECT plan FROM org_plans WHERE org = :org;

-- name: assign_plan
-- Put an org on a plan.
INSERT INTO org_plans (org, plan) VALUES (:org, :plan)
ON CONFLICT (org) DO UPDATE SET plan = excluded.plan;

-- name: leave_plan
-- Take an org off its plan.
DELETE FROM org_plans WHERE org = :org;

-- name: overrides_of
-- The exceptions that were made for an org.
SELECT metric, monthly FROM quota_overrides WHERE org = :org ORDER BY metric;

-- name: put_override
-- Make an exception for an org.
INSERT INTO quota_overrides (org, metric, monthly) VALUES (:org, :metric, :monthly)
ON CONFLICT (org, metric) DO UPDATE SET monthly = excluded.monthly;

-- name: remove_override
-- Take an exception back.
DELETE FROM quota_overrides WHERE org = :org AND metric = :metric;

-- name: all_plans
-- Every plan with what it allows.
SELECT plan, metric, monthly FROM plans ORDER BY plan, metric;

-- name: put_plan
-- Say what a plan allows.
INSERT INTO plans (plan, metric, monthly) VALUES (:plan, :metric, :monthly)
ON CONFLICT (plan, metric) DO UPDATE SET monthly = excluded.monthly;

-- name: drop_plan
-- Forget a plan that no org is on.
DELETE FROM plans
WHERE plan = :plan AND NOT EXISTS (SELECT 1 FROM org_plans o WHERE o.plan = plans.plan);
