-- name: insert_token
-- Insert a token, identified by its digest.
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
-- Revoke a token that is not revoked yet.
UPDATE tokens SET revoked_at = :now WHERE org = :org AND id = :id AND revoked_at IS NULL;

-- name: note_token_use
-- Record that a token is used, unless that was recorded recently.
UPDATE tokens SET last_used_at = :now
WHERE org = :org AND id = :id AND (last_used_at IS NULL OR last_used_at < :since);

-- name: token_by_digest
-- The token with a digest, of any org.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE digest = :digest;

-- name: token_by_id
-- The token with an id, of any org.
SELECT id, org, agent, name, scopes, digest, created_by, created_at, expires_at, revoked_at,
       last_used_at
FROM tokens WHERE id = :id;

-- name: any_token
-- Whether any token was ever created.
SELECT EXISTS (SELECT 1 FROM tokens) AS found;

-- name: allowance
-- The limit of an org: its exception, else its plan's.
SELECT monthly FROM (
    SELECT q.monthly, 1 AS place FROM quota_overrides q WHERE q.org = :org AND q.metric = :metric
    UNION ALL
    SELECT p.monthly, 2 FROM org_plans o JOIN plans p ON p.plan = o.plan
    WHERE o.org = :org AND p.metric = :metric)
ORDER BY place LIMIT 1;

-- name: plan_of
-- The plan of an org.
SELECT plan FROM org_plans WHERE org = :org;

-- name: assign_plan
-- Set the plan of an org.
INSERT INTO org_plans (org, plan) VALUES (:org, :plan)
ON CONFLICT (org) DO UPDATE SET plan = excluded.plan;

-- name: leave_plan
-- Remove an org's plan.
DELETE FROM org_plans WHERE org = :org;

-- name: overrides_of
-- The exceptions of an org.
SELECT metric, monthly FROM quota_overrides WHERE org = :org ORDER BY metric;

-- name: put_override
-- Set an exception for an org.
INSERT INTO quota_overrides (org, metric, monthly) VALUES (:org, :metric, :monthly)
ON CONFLICT (org, metric) DO UPDATE SET monthly = excluded.monthly;

-- name: remove_override
-- Delete an exception.
DELETE FROM quota_overrides WHERE org = :org AND metric = :metric;

-- name: all_plans
-- All plans with their limits.
SELECT plan, metric, monthly FROM plans ORDER BY plan, metric;

-- name: put_plan
-- Set a limit of a plan.
INSERT INTO plans (plan, metric, monthly) VALUES (:plan, :metric, :monthly)
ON CONFLICT (plan, metric) DO UPDATE SET monthly = excluded.monthly;

-- name: drop_plan
-- Delete a plan that no org uses.
DELETE FROM plans
WHERE plan = :plan AND NOT EXISTS (SELECT 1 FROM org_plans o WHERE o.plan = plans.plan);
