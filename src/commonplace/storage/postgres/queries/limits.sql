-- name: forget_replays
-- Delete expired answers.
-- Those that another transaction is deleting are left to it: this one would wait for its end.
DELETE FROM replays
WHERE org = :org AND (agent, operation, token) IN (
    SELECT agent, operation, token FROM replays
    WHERE org = :org AND until <= :now
    FOR UPDATE SKIP LOCKED);

-- name: claim_replay
-- Claim a token as the first call; a second one waits for the first to commit.
INSERT INTO replays (org, agent, operation, token, until)
VALUES (:org, :agent, :operation, :token, :until)
ON CONFLICT (org, agent, operation, token) DO NOTHING;

-- name: get_replay
-- The answer to the first call with a token.
SELECT answer FROM replays
WHERE org = :org AND agent = :agent AND operation = :operation AND token = :token;

-- name: settle_replay
-- Store the answer for repetitions.
UPDATE replays SET answer = :answer
WHERE org = :org AND agent = :agent AND operation = :operation AND token = :token;

-- name: drop_replay
-- Delete the answer to the calls with a token.
DELETE FROM replays
WHERE org = :org AND agent = :agent AND operation = :operation AND token = :token;

-- name: spend_usage
-- Add to the usage of a quota, unless that would exceed it.
INSERT INTO usage (org, period, metric, used) VALUES (:org, :period, :metric, :amount)
ON CONFLICT (org, period, metric) DO UPDATE SET used = usage.used + excluded.used
WHERE :limit::bigint IS NULL OR usage.used + excluded.used <= :limit::bigint;

-- name: get_usage
-- The usage of a quota.
SELECT used FROM usage WHERE org = :org AND period = :period AND metric = :metric;
